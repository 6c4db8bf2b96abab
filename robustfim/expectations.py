"""The expectations that come with robustfim: itself a plugin, like any other."""

from __future__ import annotations

from typing import Literal

from robustfim.candidate import Candidate
from robustfim.hookspecs import hookimpl
from robustfim.judgement import Judgement, Verdict
from robustfim.prediction import Prediction

__all__ = ["Changes", "Directional", "Equals", "Invariant"]


class Invariant:
    """The label must not change, whatever the probabilities do."""

    def judge(self, before: Prediction, after: Prediction, candidate: Candidate) -> Judgement:
        """Fail on another label; the margin is how far the old label fell behind the new one."""
        margin = after.confidence - _probability(after, before.label)
        if after.label == before.label:
            return Judgement(Verdict.PASSED, -after.confidence + _runner_up(after))
        return Judgement(Verdict.FAILED, margin, f"{before.label} -> {after.label}")


class Changes:
    """The label must change.

    Args:
        to: The label it must become; any other than before where it is not given.
    """

    def __init__(self, to: str | None = None) -> None:
        self.to = to

    def judge(self, before: Prediction, after: Prediction, candidate: Candidate) -> Judgement:
        """Fail on an unchanged (or a wrong new) label; not applicable where the label is ``to`` already.

        The margin is how far the label that was wanted, or any other, falls behind.
        """
        if self.to is not None and before.label == self.to:
            return Judgement(Verdict.NOT_APPLICABLE, reason=f"already {self.to}")
        behind = _runner_up(after) if self.to is None else _probability(after, self.to)
        if after.label == self.to or (self.to is None and after.label != before.label):
            return Judgement(Verdict.PASSED, -after.confidence + _runner_up(after))
        reason = f"still {after.label}" if after.label == before.label else f"{after.label}, not {self.to}"
        return Judgement(Verdict.FAILED, after.confidence - behind, reason)


class Equals:
    """The label must be a given one: the gold label, or one that the suite names.

    Args:
        label: The label; the candidate's own or its example's gold label where it is not given.
    """

    def __init__(self, label: str | None = None) -> None:
        self.label = label

    def judge(self, before: Prediction, after: Prediction, candidate: Candidate) -> Judgement:
        """Fail on another label; not applicable to an example without a gold label."""
        wanted = self.label or candidate.label or candidate.source.label
        if wanted is None:
            return Judgement(Verdict.NOT_APPLICABLE, reason="no gold label")
        margin = after.confidence - _probability(after, wanted)
        if after.label == wanted:
            return Judgement(Verdict.PASSED, -after.confidence + _runner_up(after))
        return Judgement(Verdict.FAILED, margin, f"{after.label}, not {wanted}")


class Directional:
    """The probability of a label must not move the wrong way.

    Args:
        label: The label whose probability is watched; the label predicted before where it is not given.
        direction: ``up``: it must not fall; ``down``: it must not rise.
        tolerance: By how much it may move the wrong way, in probability, 0 ≤ tolerance < 1.
    """

    def __init__(
        self, label: str | None = None, direction: Literal["up", "down"] = "up", tolerance: float = 0.1
    ) -> None:
        if not 0 <= tolerance < 1:
            raise ValueError(f"tolerance must lie in [0, 1), not {tolerance}")
        self.label, self.direction, self.tolerance = label, direction, tolerance

    def judge(self, before: Prediction, after: Prediction, candidate: Candidate) -> Judgement:
        """Fail on a move the wrong way by more than the tolerance."""
        label = self.label or before.label
        old, new = _probability(before, label), _probability(after, label)
        wrong = old - new if self.direction == "up" else new - old
        verdict = Verdict.FAILED if wrong > self.tolerance else Verdict.PASSED
        moved = "fell" if new < old else "rose"
        return Judgement(verdict, wrong - self.tolerance, f"P({label}) {moved} from {old:.2f} to {new:.2f}")


def _probability(prediction: Prediction, label: str) -> float:
    """A probability, with the error that names the labels there are."""
    try:
        return prediction.probability(label)
    except KeyError:
        raise ValueError(f"the model has no label {label!r}; it has {', '.join(prediction.labels)}") from None


def _runner_up(prediction: Prediction) -> float:
    ordered = sorted(prediction.probabilities)
    return ordered[-2] if len(ordered) > 1 else 0.0


@hookimpl
def robustfim_expectations() -> dict[str, type]:
    """Offer invariant, changes, equals and directional."""
    return {"changes": Changes, "directional": Directional, "equals": Equals, "invariant": Invariant}
