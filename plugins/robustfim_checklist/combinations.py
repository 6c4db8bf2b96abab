"""Expectations made of other expectations: all must hold, any must hold, or one for each slice."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, ClassVar

from robustfim.candidate import Candidate
from robustfim.contract import ExpectationContract
from robustfim.errors import UsageError, shown
from robustfim.example import Example
from robustfim.judgement import Judgement, Verdict
from robustfim.parts import ExpectationPart
from robustfim.prediction import Prediction
from robustfim.roles import Context
from robustfim.target import Counts

__all__ = ["AllOf", "AnyOf", "PerSlice"]


class _Combined:
    """The expectations that are combined, and what is asked of any of them."""

    _fails: ClassVar[Any] = any
    """Whether the combination fails, by which of the expectations that apply fail."""
    _margin: ClassVar[Any] = max
    """The margin of the combination, by the margins of the expectations."""
    _between = "; "

    def __init__(self, of: list[ExpectationPart]) -> None:
        if not of:
            raise ValueError("'of' lists no expectation")
        self.of = of

    def prepare(self, context: Context) -> None:
        """Give the combined expectations the run's context."""
        for part in self.of:
            part.prepare(context)

    @property
    def counts(self) -> Counts | None:
        """Which failures count, by the first of the combined expectations that says so; None if none does."""
        return next((part.counts for part in self.of if part.counts), None)

    @property
    def contract(self) -> ExpectationContract:
        """The labels that the combined expectations name."""
        return ExpectationContract(labels=[label for part in self.of for label in part.contract.labels])

    def at_risk(self, before: Prediction, example: Example) -> bool:
        """Whether any of the combined expectations can fail."""
        return any(part.at_risk(before, example) for part in self.of)

    def judge(self, before: Prediction, after: Prediction, candidate: Candidate) -> Judgement:
        """Judge by the combined expectations that apply; not applicable if none applies."""
        judged = [part.judge(before, after, candidate) for part in self.of]
        applied = [judgement for judgement in judged if judgement.verdict is not Verdict.NOT_APPLICABLE]
        if not applied:
            return Judgement(Verdict.NOT_APPLICABLE, reason="no part applies")
        failed = [judgement for judgement in applied if judgement.failed]
        if not self._fails(judgement.failed for judgement in applied):
            return Judgement(Verdict.PASSED, self._margin(judgement.margin for judgement in applied))
        reasons = dict.fromkeys(judgement.reason for judgement in failed if judgement.reason)
        return Judgement(Verdict.FAILED, self._margin(each.margin for each in failed), self._between.join(reasons))


class AllOf(_Combined):
    """Requires that all of several expectations hold; expectations that do not apply are left out.

    The margin is the largest of the expectations that fail.

    Args:
        of: The expectations, at least one.
    """


class AnyOf(_Combined):
    """Requires that at least one of several expectations holds; expectations that do not apply are left out.

    The margin is the smallest of the expectations that apply.

    Args:
        of: The expectations, at least one.
    """

    _fails, _margin, _between = all, min, " and "


class PerSlice(_Combined):
    """Applies a different expectation to each slice (subset of the data); an example must meet all of its slices'.

    Args:
        slices: An expectation for each slice, by the names of the suite's ``slices``.
        otherwise: The expectation of the examples in no slice; by default they are not judged.
    """

    def __init__(self, slices: dict[str, ExpectationPart], otherwise: ExpectationPart | None = None) -> None:
        if not slices:
            raise ValueError("'slices' names no slice")
        self.slices, self.otherwise = slices, [] if otherwise is None else [otherwise]
        self._members: dict[str, Collection[str]] = {}
        super().__init__([*slices.values(), *self.otherwise])

    def prepare(self, context: Context) -> None:
        """Find the examples of each slice.

        Raises:
            UsageError: The suite has no such slice.
        """
        for name in self.slices:
            if name not in context.slices:
                raise UsageError(f"unknown slice {shown(name)}. Define this slice under 'slices' in the suite.")
        self._members = {name: context.slices[name] for name in self.slices}
        super().prepare(context)

    def at_risk(self, before: Prediction, example: Example) -> bool:
        """Return whether an example can fail an expectation of its slices; true for an example in no slice."""
        own = self._own(example)
        return not own or AllOf(own).at_risk(before, example)

    def _own(self, example: Example) -> list[ExpectationPart]:
        own = [part for name, part in self.slices.items() if example.id in self._members[name]]
        return own or self.otherwise

    def judge(self, before: Prediction, after: Prediction, candidate: Candidate) -> Judgement:
        """Judge by the expectations of the slices that contain the source example."""
        own = self._own(candidate.source)
        if not own:
            return Judgement(Verdict.NOT_APPLICABLE, reason="in no slice")
        return AllOf(own).judge(before, after, candidate)
