"""Sensitivity: what a model answers to validation examples, and to what rules make of them (Ribeiro et al. 2018)."""

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
    """What one model made of validation examples and of their variants.

    Attributes:
        right: Whether it labels each example rightly, by its id.
        wrong: For each variant of an example, whether it labels it wrongly, ``{id: [variants]}``.
        changed: For each variant of an example, whether it labels it otherwise than the example.
        origins: The rule behind each variant.
    """

    right: Mapping[str, bool]
    wrong: Mapping[str, Sequence[bool]]
    changed: Mapping[str, Sequence[bool]]
    origins: Mapping[str, Sequence[str]]


@dataclass(frozen=True)
class Measure:
    """Which of what was asked is an error: texts or examples by a key.

    Attributes:
        errors: Whether each is one.
    """

    errors: Mapping[Hashable, bool]

    @property
    def rate(self) -> Rate:
        """How many are, of those asked."""
        return Rate(sum(self.errors.values()), len(self.errors))


@dataclass(frozen=True)
class Paired:
    """A measure of two models on the same examples.

    Attributes:
        name: What is measured.
        before: The first model's.
        after: The second model's.
        independent: Whether its units are examples; texts of one example are not independent of each other.
    """

    name: str
    before: Measure
    after: Measure
    independent: bool = True

    @property
    def common(self) -> int:
        """How many were asked of both."""
        return len(self.before.errors.keys() & self.after.errors.keys())

    @property
    def mended(self) -> int:
        """Errors of the first model alone, among what was asked of both."""
        return self._only(self.before, self.after)

    @property
    def broken(self) -> int:
        """Errors of the second model alone."""
        return self._only(self.after, self.before)

    @property
    def p_value(self) -> float | None:
        """McNemar's, exact and two-sided; None where nothing was asked of both, or the units are not independent."""
        return mcnemar(self.mended, self.broken) if self.independent and self.common else None

    @staticmethod
    def _only(first: Measure, second: Measure) -> int:
        return sum(error and second.errors.get(key) is False for key, error in first.errors.items())


def ask(model: Model, examples: Sequence[Example], variants: Mapping[str, Sequence[Candidate]]) -> Answers:
    """Ask a model about examples and their variants; what it gives no finite numbers for is wrong, and changed."""
    texts = [*examples, *(each.example for own in variants.values() for each in own)]
    answers = {example.id: answer for example, answer in predict(model, texts, None)}

    def right(example: Example) -> bool:
        answer = answers.get(example.id)
        return answer is not None and bool(answer.right(example.gold))

    def changed(candidate: Candidate) -> bool:
        before, after = answers.get(candidate.source.id), answers.get(candidate.example.id)
        return before is None or after is None or before.label != after.label

    return Answers(
        {each.id: right(each) for each in examples},
        {name: [not right(each.example) for each in own] for name, own in variants.items()},
        {name: [changed(each) for each in own] for name, own in variants.items()},
        {name: [each.edits[0].origin for each in own] for name, own in variants.items()},
    )


def measures(before: Answers, after: Answers) -> list[Paired]:
    """Compare two models.

    Returns:
        Four measures. ``validation error``: of all examples, those labelled wrongly. ``sensitivity error``, the
        paper's: rules are applied to the examples that the model labels rightly; of the texts that come out, those
        labelled wrongly. A model that no rule moves has an error of 0, whatever its accuracy, so each model is asked
        about the examples that it labels rightly itself. ``sensitive examples``: the same by example, those of which
        some rule makes an error. ``changed predictions``: of all examples that some rule changes, labelled rightly or
        not, those whose prediction some rule changes.
    """

    def paired(name: str, errors: Callable[[Answers], dict[Hashable, bool]], independent: bool = True) -> Paired:
        return Paired(name, Measure(errors(before)), Measure(errors(after)), independent)

    def sensitivity(answers: Answers) -> dict[str, Sequence[bool]]:
        return {name: wrong for name, wrong in answers.wrong.items() if answers.right[name]}

    return [
        paired("validation error", lambda each: {name: not hit for name, hit in each.right.items()}),
        paired(
            "sensitivity error",
            lambda each: {
                (name, place): wrong for name, own in sensitivity(each).items() for place, wrong in enumerate(own)
            },
            independent=False,
        ),
        paired("sensitive examples", lambda each: {name: any(own) for name, own in sensitivity(each).items()}),
        paired("changed predictions", lambda each: {name: any(own) for name, own in each.changed.items()}),
    ]
