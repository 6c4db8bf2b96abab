"""The failure rate on all the data, from a difficult and a control arm that represent it unequally."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from robustfim.statistics.rates import Z

__all__ = ["Stratum", "stratified_rate"]


@dataclass(frozen=True, slots=True)
class Stratum:
    """A part of the data, and the simple random sample that was taken from it.

    Attributes:
        size: Examples in this part of the data.
        drawn: Examples drawn from it, ≤ size; all of them in the difficult arm.
        tested: Drawn examples with at least one judged candidate.
        failing: Tested examples that fail.
    """

    size: int
    drawn: int
    tested: int
    failing: int


def stratified_rate(strata: Sequence[Stratum]) -> tuple[float, tuple[float, float]] | None:
    """Estimate the failure rate among the testable examples of all the data.

    R = Σ_h w_h p_h with w_h ∝ N_h t_h / n_h. The interval puts the Wilson intervals of the strata together by the
    squares of their distances (Zou and Donner 2008), with the finite-population correction, and adds the variance
    of the estimated weights by the delta method.

    Args:
        strata: The parts of the data, none of them overlapping.

    Returns:
        The rate and its 95 % interval, each in [0, 1]; None where nothing was tested, or a part was not sampled.
    """
    strata = [each for each in strata if each.size]
    if any(not each.drawn for each in strata):
        return None
    totals = [each.size * each.tested / each.drawn for each in strata]
    whole = sum(totals)
    if not whole:
        return None
    rates = [each.failing / each.tested if each.tested else 0.0 for each in strata]
    weights = [total / whole for total in totals]
    rate = sum(weight * each for weight, each in zip(weights, rates, strict=True))
    below = above = 0.0
    for stratum, weight, own in zip(strata, weights, rates, strict=True):
        left = (stratum.size - stratum.drawn) / max(1, stratum.size - 1)  # 0 where all were drawn
        low, high = _wilson(own, stratum.tested / left) if left and stratum.tested else (own, own)
        share = stratum.tested / stratum.drawn
        slope = (own - rate) * stratum.size / whole  # ∂R/∂(t_h / n_h)
        spread = (Z * slope) ** 2 * share * (1 - share) / stratum.drawn * left
        below += (weight * (own - low)) ** 2 + spread
        above += (weight * (high - own)) ** 2 + spread
    return rate, (max(0.0, rate - math.sqrt(below)), min(1.0, rate + math.sqrt(above)))


def _wilson(rate: float, tested: float) -> tuple[float, float]:
    """The Wilson interval for a number of trials that need not be whole."""
    centre = (rate + Z**2 / (2 * tested)) / (1 + Z**2 / tested)
    half = Z / (1 + Z**2 / tested) * math.sqrt(rate * (1 - rate) / tested + Z**2 / (4 * tested**2))
    return centre - half, centre + half
