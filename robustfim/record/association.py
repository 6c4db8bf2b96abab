"""How a model's answers go with the gold labels, in the run record."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel

from robustfim.record.part import PART
from robustfim.statistics import Interval

__all__ = ["AssociationRecord"]


class AssociationRecord(BaseModel):
    """How a model's answers go with the gold labels, on all labelled examples of the data, tested or not."""

    model_config = PART

    coefficient: float | None = None
    """Matthews' correlation coefficient, in [−1, 1]; None where it does not apply."""
    interval: Interval | None = None
    """About 95 %."""
    p_value: float | None = None
    """How often answers that have nothing to do with the labels are right as seldom."""
    verdict: Literal["positive", "negative", "inconclusive", "does not apply"] = "does not apply"
    """*positive*: the interval lies above 0. *negative*: below, after the correction for the run's other tests.
    *inconclusive* as well where other examples have no gold label and one is left."""
    allowed: bool = False
    """Whether the suite says ``allow_weak`` or ``one_label``: then no verdict but *positive* is asked for, or any."""
    missing: str = ""
    """Why it does not apply."""

    @property
    def asked(self) -> bool:
        """Whether it counts for the exit code."""
        return not self.allowed and self.verdict != "does not apply"

    def __str__(self) -> str:
        """Write the coefficient with its interval: ``0.54 [0.24, 0.75]``; why there is none where it does not apply."""
        if self.coefficient is None or self.interval is None:
            return self.missing
        return f"{self.coefficient:.2f} [{self.interval[0]:.2f}, {self.interval[1]:.2f}]".replace("-", "−")
