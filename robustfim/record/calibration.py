"""How far a model's probabilities are from what comes true, before the edits and after them, in the run record."""

from __future__ import annotations

from pydantic import BaseModel

from robustfim.record.part import PART
from robustfim.statistics import Interval, percent

__all__ = ["CalibrationRecord", "ClaimsRecord"]


class ClaimsRecord(BaseModel):
    """What the probabilities of some texts are worth."""

    model_config = PART

    brier: float
    """Brier's score, the mean of (p − y)², in [0, 1]; of more than two labels half the sum over them."""
    brier_interval: Interval | None
    """Its 95 % interval; None of fewer than three clusters."""
    ece: float
    """The expected calibration error, the root of the mean square over bins without what chance adds, in [0, 1]."""
    ece_interval: Interval | None
    """Its 95 % interval; None where all claims are sure, and right."""


class CalibrationRecord(BaseModel):
    """Calibration on the tested examples with a gold label, before the edits and after those that keep the label.

    Each example counts by what its arm stands for, each of its texts by an equal part. The intervals are 95 %, in
    clusters of the example.
    """

    model_config = PART

    examples: int
    """How many examples."""
    before: ClaimsRecord
    after: ClaimsRecord

    def __str__(self) -> str:
        """Write it in a line."""
        brier = " before the edits, ".join(
            _number(each.brier, each.brier_interval) for each in (self.before, self.after)
        )
        ece = " before, ".join(percent(each.ece, each.ece_interval) for each in (self.before, self.after))
        return f"Brier {brier} after; ECE {ece} after, of {self.examples:,} examples"


def _number(value: float, interval: Interval | None) -> str:
    return f"{value:.3f}" + ("" if interval is None else " [{:.3f}, {:.3f}]".format(*interval))
