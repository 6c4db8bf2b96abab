"""The estimand: the quantity that the rate of a check estimates, and the options that it allows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

__all__ = ["DIFFERENCE", "MEAN", "SHARE", "Estimand"]


@dataclass(frozen=True)
class Estimand:
    """The quantity that the rate of a check estimates.

    Attributes:
        verb: The estimand in words, after the check as subject: ``"takes a mean"``.
        counts: Whether the quantity is a fraction of examples, each failing or passing. Budgets, strata, kinds of
            error, slices and plans need a fraction.
        by_example: Whether a single failing example is evidence. For a difference of two groups it is evidence only in
            comparison with the other group.
        unit: The unit in which the rate is written.
    """

    verb: str
    counts: bool
    by_example: bool
    unit: Literal["%", "points"] = "%"


SHARE = Estimand("counts the examples that fail", counts=True, by_example=True)
MEAN = Estimand("takes a mean", counts=False, by_example=True)
DIFFERENCE = Estimand("compares two groups", counts=False, by_example=False, unit="points")
