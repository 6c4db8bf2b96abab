"""The estimand: what the rate of a check estimates, and so what may be asked of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

__all__ = ["DIFFERENCE", "MEAN", "SHARE", "Estimand"]


@dataclass(frozen=True)
class Estimand:
    """What the rate of a check estimates.

    Attributes:
        verb: What a check does whose rate it is, in words: ``"takes a mean"``.
        counts: Whether it is a share of examples, each of which fails or holds: of such alone budgets, strata, kinds of
            error, slices and plans are told.
        by_example: Whether a failing example says something without the others; of a difference it does only beside
            those that it is held against.
        unit: In what its rate is written.
    """

    verb: str
    counts: bool
    by_example: bool
    unit: Literal["%", "points"] = "%"


SHARE = Estimand("counts the examples that fail", counts=True, by_example=True)
MEAN = Estimand("takes a mean", counts=False, by_example=True)
DIFFERENCE = Estimand("compares two groups", counts=False, by_example=False, unit="points")
