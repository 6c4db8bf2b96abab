"""The correlation of a model's answers with the gold labels, in the run record."""

from __future__ import annotations

from typing import Literal

from robustfim.record.part import Part
from robustfim.statistics import Interval

__all__ = ["AssociationRecord"]


class AssociationRecord(Part):
    """The correlation of the answers with the gold labels, on all labelled examples."""

    coefficient: float | None = None
    """Matthews' coefficient, in [−1, 1]."""
    interval: Interval | None = None
    """At about 95 %."""
    p_value: float | None = None
    """The probability that unrelated answers are right at most as often."""
    verdict: Literal["positive", "negative", "inconclusive", "does not apply"] = "does not apply"
    """*positive*: the interval lies above 0. *negative*: below 0, corrected for the run's other tests. *inconclusive*:
    neither, or only one gold label remains."""
    allowed: bool = False
    """Whether the suite says ``allow_weak`` or ``one_label``, and needs no *positive*."""
    missing: str = ""
    """Why the coefficient does not apply."""

    @property
    def asked(self) -> bool:
        """Whether the verdict counts for the exit code."""
        return not self.allowed and self.verdict != "does not apply"

    @property
    def doubt(self) -> str:
        """Why the answers prove nothing about the gold labels; "" if they do, or need not."""
        if not self.asked or self.verdict == "positive":
            return ""
        return "answers go against the labels" if self.verdict == "negative" else "answers not proved by the labels"

    def __str__(self) -> str:
        """Write the coefficient with its interval: ``0.54 [0.24, 0.75]``; why there is none where it does not apply."""
        if self.coefficient is None or self.interval is None:
            return self.missing
        return f"{self.coefficient:.2f} [{self.interval[0]:.2f}, {self.interval[1]:.2f}]".replace("-", "−")
