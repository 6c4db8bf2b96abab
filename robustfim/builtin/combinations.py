"""Expectations made of other expectations: all must hold, any must hold, or one for each slice."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from robustfim.candidate import Candidate
from robustfim.errors import UsageError, shown
from robustfim.example import Example
from robustfim.judgement import Judgement, Verdict
from robustfim.members import Wrapper
from robustfim.parts import ExpectationPart
from robustfim.prediction import Prediction
from robustfim.roles import Context, Expectation
from robustfim.target import Counts

__all__ = ["AllOf", "AnyOf", "InOtherLabels", "PerSlice"]


class _Combined:
    """Several expectations.

    Args:
        of: The expectations, at least one.
    """

    def __init__(self, of: list[ExpectationPart]) -> None:
        if not of:
            raise ValueError("'of' lists no expectation")
        self.of = of

    def prepare(self, context: Context) -> None:
        """Give the combined expectations the run's context."""
        _prepare(self.of, context)

    @property
    def counts(self) -> Counts | None:
        """How the combined expectations count, if any of them says so."""
        return _counts(self.of)

    def at_risk(self, before: Prediction, example: Example) -> bool:
        """Whether any of the combined expectations can fail."""
        return any(each.at_risk(before, example) for each in self.of)


class AllOf(_Combined):
    """All of several expectations must hold; expectations that do not apply are left out."""

    def judge(self, before: Prediction, after: Prediction, candidate: Candidate) -> Judgement:
        """Fail if any expectation fails, with the largest margin; not applicable if no expectation applies."""
        applied, failed = _judged(self.of, before, after, candidate)
        if not applied:
            return Judgement(Verdict.NOT_APPLICABLE, reason="no part applies")
        margin = max(each.margin for each in failed or applied)
        return Judgement(Verdict.FAILED if failed else Verdict.PASSED, margin, _reasons(failed, "; "))


class AnyOf(_Combined):
    """At least one of several expectations must hold; expectations that do not apply are left out."""

    def judge(self, before: Prediction, after: Prediction, candidate: Candidate) -> Judgement:
        """Fail if all applicable expectations fail, with the smallest margin; not applicable if none applies."""
        applied, failed = _judged(self.of, before, after, candidate)
        if not applied:
            return Judgement(Verdict.NOT_APPLICABLE, reason="no part applies")
        margin = min(each.margin for each in applied)
        if len(failed) < len(applied):
            return Judgement(Verdict.PASSED, margin)
        return Judgement(Verdict.FAILED, margin, _reasons(failed, " and "))


class InOtherLabels(Wrapper):
    """An expectation that translates predictions to other labels than the model's, and judges the result."""

    def __init__(self, expectation: Expectation, read: Callable[[Prediction], Prediction]) -> None:
        super().__init__(expectation)
        self._read = read

    def at_risk(self, before: Prediction, example: Example) -> bool:
        """Return whether the expectation can fail for an example, judged in the other labels."""
        return ExpectationPart(self.wrapped).at_risk(self._read(before), example)

    def judge(self, before: Prediction, after: Prediction, candidate: Candidate) -> Judgement:
        """Judge the predictions, translated to the other labels."""
        judgement: Judgement = self.wrapped.judge(self._read(before), self._read(after), candidate)
        return judgement


class PerSlice:
    """Each slice of the data has its own expectation; an example in several slices must meet all of theirs.

    Args:
        slices: An expectation for each slice, by the names of the suite's ``slices``.
        otherwise: The expectation of the examples in no slice; by default they are not judged.
    """

    def __init__(self, slices: dict[str, ExpectationPart], otherwise: ExpectationPart | None = None) -> None:
        if not slices:
            raise ValueError("'slices' names no slice")
        self.slices, self.otherwise = slices, otherwise
        self._members: dict[str, Collection[str]] = {}

    def prepare(self, context: Context) -> None:
        """Find the examples of each slice.

        Raises:
            UsageError: The suite has no such slice.
        """
        for name in self.slices:
            if name not in context.slices:
                raise UsageError(f"unknown slice {shown(name)}; 'slices' of the suite defines them.")
        self._members = {name: context.slices[name] for name in self.slices}
        _prepare(self._parts, context)

    @property
    def _parts(self) -> list[ExpectationPart]:
        return [*self.slices.values(), *([self.otherwise] if self.otherwise else [])]

    @property
    def counts(self) -> Counts | None:
        """What the expectations count, broken examples or changes, by the first that says so; None if none does."""
        return _counts(self._parts)

    def at_risk(self, before: Prediction, example: Example) -> bool:
        """Return whether an expectation of the example's slices can fail; true for an example in no slice."""
        own = self._own(example)
        return not own or any(each.at_risk(before, example) for each in own)

    def _own(self, example: Example) -> list[ExpectationPart]:
        own = [each for name, each in self.slices.items() if example.id in self._members[name]]
        return own or ([] if self.otherwise is None else [self.otherwise])

    def judge(self, before: Prediction, after: Prediction, candidate: Candidate) -> Judgement:
        """Judge by the expectations of the slices that contain the source example."""
        own = self._own(candidate.source)
        if not own:
            return Judgement(Verdict.NOT_APPLICABLE, reason="in no slice")
        return AllOf(own).judge(before, after, candidate)


def _counts(parts: Sequence[ExpectationPart]) -> Counts | None:
    """How some expectations count: the first that says it."""
    return next((each.counts for each in parts if each.counts), None)


def _prepare(parts: Sequence[ExpectationPart], context: Context) -> None:
    for each in parts:
        each.prepare(context)


def _judged(
    parts: Sequence[ExpectationPart], before: Prediction, after: Prediction, candidate: Candidate
) -> tuple[list[Judgement], list[Judgement]]:
    """The judgements of the parts that apply, and those of them that failed."""
    judged = [each.judge(before, after, candidate) for each in parts]
    applied = [each for each in judged if each.verdict is not Verdict.NOT_APPLICABLE]
    return applied, [each for each in applied if each.failed]


def _reasons(failed: Sequence[Judgement], between: str) -> str:
    return between.join(dict.fromkeys(each.reason for each in failed if each.reason))
