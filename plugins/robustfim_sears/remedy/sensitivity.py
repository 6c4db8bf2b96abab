"""Sensitivity: how a model labels validation examples, and their variants made by rules (Ribeiro et al. 2018)."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass

from robustfim.candidate import Candidate
from robustfim.collect import predict
from robustfim.example import Example
from robustfim.roles import Model
from robustfim.statistics import Rate, mcnemar

__all__ = ["Answers", "Measure", "Paired", "ask", "measures"]


@dataclass(frozen=True)
class Answers:
    """The answers of one model to validation examples and their variants.

    Attributes:
        right: By example id, whether the model labels the example correctly.
        wrong: By example id, for each variant whether the model labels it wrongly, ``{id: [variants]}``.
        changed: By example id, for each variant whether the model labels it differently from the example.
        origins: By example id, the rule behind each variant.
    """

    right: Mapping[str, bool]
    wrong: Mapping[str, Sequence[bool]]
    changed: Mapping[str, Sequence[bool]]
    origins: Mapping[str, Sequence[str]]


@dataclass(frozen=True)
class Measure:
    """A model's errors among some texts or examples.

    Attributes:
        errors: By the key of a text or example, whether it is an error.
    """

    errors: Mapping[Hashable, bool]

    @property
    def rate(self) -> Rate:
        """Return the rate of errors among the texts or examples."""
        return Rate(sum(self.errors.values()), len(self.errors))


@dataclass(frozen=True)
class Paired:
    """The errors of two models on the same examples, by one measure.

    Attributes:
        name: The name of the measure.
        before: The errors of the first model.
        after: The errors of the second model.
        independent: Whether errors are counted by example. If they are counted by text, several texts of one example
            depend on each other.
    """

    name: str
    before: Measure
    after: Measure
    independent: bool = True

    @property
    def common(self) -> int:
        """Return the number of units that both models were asked about."""
        return len(self.before.errors.keys() & self.after.errors.keys())

    @property
    def mended(self) -> int:
        """Return the number of errors of the first model only, among the common units."""
        return self._only(self.before, self.after)

    @property
    def broken(self) -> int:
        """Return the number of errors of the second model only, among the common units."""
        return self._only(self.after, self.before)

    @property
    def p_value(self) -> float | None:
        """Return McNemar's exact, two-sided p-value that both models err equally often."""
        return mcnemar(self.mended, self.broken) if self.independent and self.common else None

    @staticmethod
    def _only(first: Measure, second: Measure) -> int:
        return sum(error and second.errors.get(key) is False for key, error in first.errors.items())


def ask(model: Model, examples: Sequence[Example], variants: Mapping[str, Sequence[Candidate]]) -> Answers:
    """Ask a model about examples and their variants.

    A text without finite probabilities counts as wrong, and as changed.
    """
    texts = [*examples, *(candidate.example for own in variants.values() for candidate in own)]
    answers = {example.id: answer for example, answer in predict(model, texts, None)}

    def right(example: Example) -> bool:
        answer = answers.get(example.id)
        return answer is not None and bool(answer.right(example.gold))

    def changed(candidate: Candidate) -> bool:
        before, after = answers.get(candidate.source.id), answers.get(candidate.example.id)
        return before is None or after is None or before.label != after.label

    return Answers(
        {example.id: right(example) for example in examples},
        {name: [not right(candidate.example) for candidate in own] for name, own in variants.items()},
        {name: [changed(candidate) for candidate in own] for name, own in variants.items()},
        {name: [candidate.edits[0].origin for candidate in own] for name, own in variants.items()},
    )


def measures(before: Answers, after: Answers) -> list[Paired]:
    """Return four measures that compare the errors of two models on examples and their perturbed variants.

    Returns:
        The measures. ``validation error``: the examples that a model labels wrongly. ``sensitivity error``, the
        paper's: the variants that a model labels wrongly, of the variants of all examples that this model labels
        correctly. A model that no rule affects has an error of 0, whatever its accuracy. ``sensitive examples``: the
        correctly labelled examples with a wrong variant. ``changed predictions``: the examples with a differently
        labelled variant, of all examples with a variant, labelled correctly or not.
    """

    def paired(name: str, errors: Callable[[Answers], dict[Hashable, bool]], independent: bool = True) -> Paired:
        return Paired(name, Measure(errors(before)), Measure(errors(after)), independent)

    def sensitivity(answers: Answers) -> dict[str, Sequence[bool]]:
        return {name: wrong for name, wrong in answers.wrong.items() if answers.right[name]}

    return [
        paired("validation error", lambda answers: {name: not hit for name, hit in answers.right.items()}),
        paired(
            "sensitivity error",
            lambda answers: {
                (name, place): wrong for name, own in sensitivity(answers).items() for place, wrong in enumerate(own)
            },
            independent=False,
        ),
        paired("sensitive examples", lambda answers: {name: any(own) for name, own in sensitivity(answers).items()}),
        paired("changed predictions", lambda answers: {name: any(own) for name, own in answers.changed.items()}),
    ]
