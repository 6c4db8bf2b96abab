"""The estimand: the quantity that the rate of a check estimates, and the options that it allows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

__all__ = ["DIFFERENCE", "MEAN", "SHARE", "Estimand"]


@dataclass(frozen=True)
class Estimand:
    """The quantity that the failure rate of a check estimates: a fraction of examples, a mean or a difference.

    Attributes:
        verb: A phrase for messages that continues "the check …": ``"takes a mean"``.
        counts: Whether the quantity is a fraction of examples, each failing or passing. Budgets, stratified samples,
            slices and plans need a fraction.
        by_example: Whether a single failing example is evidence against the model; False for a difference of two
            groups.
        unit: The unit in which the rate is written.
    """

    verb: str
    counts: bool
    by_example: bool
    unit: Literal["%", "points"] = "%"


SHARE = Estimand("counts the examples that fail", counts=True, by_example=True)
MEAN = Estimand("takes a mean", counts=False, by_example=True)
DIFFERENCE = Estimand("compares two groups", counts=False, by_example=False, unit="points")
