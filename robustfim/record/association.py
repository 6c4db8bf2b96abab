"""The correlation of a model's answers with the gold labels, in the run record."""

from __future__ import annotations

from typing import Literal

from robustfim.record.part import Part
from robustfim.statistics import Interval

__all__ = ["AssociationRecord"]


class AssociationRecord(Part):
    """The correlation of a model's answers with the gold labels, on all labelled examples, tested or not."""

    coefficient: float | None = None
    """Matthews' correlation coefficient, in [−1, 1]; None if it does not apply."""
    interval: Interval | None = None
    """Interval of the coefficient at about 95 %."""
    p_value: float | None = None
    """The probability that answers unrelated to the labels are right at most as often as the model's answers."""
    verdict: Literal["positive", "negative", "inconclusive", "does not apply"] = "does not apply"
    """*positive*: the interval lies above 0. *negative*: it lies below 0, after the correction for the run's other
    tests. *inconclusive*: neither holds, or only one gold label remains because other examples are unlabelled."""
    allowed: bool = False
    """Whether the suite says ``allow_weak`` or ``one_label``, so that the run need not show a *positive* verdict."""
    missing: str = ""
    """The reason why the coefficient does not apply; empty if it applies."""

    @property
    def asked(self) -> bool:
        """Whether the verdict counts for the exit code."""
        return not self.allowed and self.verdict != "does not apply"

    def __str__(self) -> str:
        """Write the coefficient with its interval: ``0.54 [0.24, 0.75]``; why there is none where it does not apply."""
        if self.coefficient is None or self.interval is None:
            return self.missing
        return f"{self.coefficient:.2f} [{self.interval[0]:.2f}, {self.interval[1]:.2f}]".replace("-", "−")
