"""The failure rate on all the data, from a difficult and a control arm that represent it unequally."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from robustfim.statistics.rate import CONFIDENCE

__all__ = ["Stratum", "stratified_rate"]

_DRAWS = 20_000
"""Populations drawn for an interval: its ends are exact to about 0.1 % of probability."""


@dataclass(frozen=True, slots=True)
class Stratum:
    """A part of the data, and the simple random sample that was taken from it.

    Attributes:
        size: Examples in this part of the data.
        drawn: Examples drawn from it, ≤ size; all of them in the difficult arm.
        tested: Drawn examples with at least one judged candidate.
        failing: Tested examples that fail.
        effect: The design effect of clusters, ≥ 1: the examples are worth so many times fewer independent ones.
    """

    size: int
    drawn: int
    tested: int
    failing: int
    effect: float = 1.0


def stratified_rate(strata: Sequence[Stratum]) -> tuple[float, tuple[float, float]] | None:
    """Estimate the failure rate among the testable examples of all the data.

    R = Σ_h w_h p_h with w_h ∝ N_h t_h / n_h. Neither how often the examples that were not drawn can be tested nor how
    often those fail is known, and both are rare for some checks. So the interval fills in those examples: in each
    part, the testable share τ ~ Beta(t + ½, n − t + ½), their number T ~ Binomial(N − n, τ), the failure rate
    p ~ Beta(f + ½, t − f + ½), the failing F ~ Binomial(T, p) (Jeffreys' priors; Brown, Cai and DasGupta 2001), and
    its ends are quantiles of R = Σ (f + F) / Σ (t + T) over 20,000 such populations, drawn from a fixed seed. A part
    that was drawn whole adds no uncertainty. Where no tested example fails the lower end is 0, where all fail the
    upper end is 1.

    Args:
        strata: The parts of the data, none of them overlapping.

    Returns:
        The rate and its 95 % interval, each in [0, 1]; None where nothing was tested, or a part was not sampled.
    """
    strata = [each for each in strata if each.size]
    if any(not each.drawn for each in strata):
        return None
    totals = [each.size * each.tested / each.drawn for each in strata]
    if not sum(totals):
        return None
    rates = [each.failing / each.tested if each.tested else 0.0 for each in strata]
    rate = sum(total * own for total, own in zip(totals, rates, strict=True)) / sum(totals)
    low, high = _ends(strata)
    if not any(each.failing for each in strata):
        low = 0.0
    if all(each.failing == each.tested for each in strata) and any(each.size > each.drawn for each in strata):
        high = 1.0
    return rate, (min(low, rate), max(high, rate))


def _ends(strata: Sequence[Stratum]) -> tuple[float, float]:
    import numpy as np

    generator = np.random.default_rng(0)
    failing, testable = np.zeros(_DRAWS), np.zeros(_DRAWS)
    for each in strata:
        drawn, tested, bad = (count / each.effect for count in (each.drawn, each.tested, each.failing))
        share = generator.beta(tested + 0.5, drawn - tested + 0.5, _DRAWS)
        rate = generator.beta(bad + 0.5, tested - bad + 0.5, _DRAWS)
        more = generator.binomial(each.size - each.drawn, share)
        failing += each.failing + generator.binomial(more, rate)
        testable += each.tested + more
    tails = (1 - CONFIDENCE) / 2
    low, high = np.quantile(failing / testable, [tails, 1 - tails])
    return float(low), float(high)
