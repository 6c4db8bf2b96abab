"""Sensitivity: how a model labels validation examples, and their variants made by rules (Ribeiro et al. 2018)."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass

from robustfim.candidate import Candidate
from robustfim.collect import predict
from robustfim.example import Example
from robustfim.roles import Model
from robustfim.statistics import Rate, mcnemar

__all__ = ["Answers", "Paired", "ask", "measures"]


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
class Paired:
    """The errors of two models on the same texts or examples, by one measure.

    Attributes:
        name: The name of the measure.
        before: For each text or example, whether the first model errs.
        after: For each text or example, whether the second model errs.
        independent: Whether errors are counted by example. If they are counted by text, several texts of one example
            depend on each other.
    """

    name: str
    before: Mapping[Hashable, bool]
    after: Mapping[Hashable, bool]
    independent: bool = True

    @property
    def rates(self) -> tuple[Rate, Rate]:
        """Return the rates of errors before and after."""
        before, after = (Rate(sum(errors.values()), len(errors)) for errors in (self.before, self.after))
        return before, after

    @property
    def common(self) -> int:
        """Return the number of units that both models were asked about."""
        return len(self.before.keys() & self.after.keys())

    @property
    def mended(self) -> int:
        """Return the number of errors of the first model only, among the common units."""
        return sum(error and self.after.get(key) is False for key, error in self.before.items())

    @property
    def broken(self) -> int:
        """Return the number of errors of the second model only, among the common units."""
        return sum(error and self.before.get(key) is False for key, error in self.after.items())

    @property
    def p_value(self) -> float | None:
        """Return McNemar's exact, two-sided p-value that both models err equally often."""
        return mcnemar(self.mended, self.broken) if self.independent and self.common else None


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
        return Paired(name, errors(before), errors(after), independent)

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
