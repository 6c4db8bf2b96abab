"""Rates, intervals and verdicts. The unit is the source example: candidates of one text are not independent."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from robustfim.outcome import Outcome

__all__ = ["CONFIDENCE", "Tail", "examples_to_decide", "holm", "tail", "wilson"]

CONFIDENCE = 0.95
"""The confidence of every interval shown; a verdict errs on one side with at most half of its complement."""

_ALPHA = (1 - CONFIDENCE) / 2
_Z = 1.959963984540054


def wilson(failing: int, tested: int) -> tuple[float, float] | None:
    """Wilson score interval of a rate (Wilson 1927), at 95 %.

    Args:
        failing: Successes counted, 0 ≤ failing ≤ tested.
        tested: Trials.

    Returns:
        Lower and upper end, each in [0, 1]; None where nothing was tested.
    """
    if tested == 0:
        return None
    from scipy.stats import binomtest

    ends = binomtest(failing, tested).proportion_ci(CONFIDENCE, method="wilson")
    return float(ends.low), float(ends.high)


@dataclass(frozen=True, slots=True)
class Tail:
    """Which side of its limit a rate lies on, before any correction for many checks.

    Attributes:
        side: FAILED above the limit, PASSED below it, INCONCLUSIVE where the Wilson interval holds it.
        p_value: Exact binomial probability, at a true rate equal to the limit, of a count at least as far on
            that side; 1 for an inconclusive one.
    """

    side: Outcome
    p_value: float


def tail(failing: int, tested: int, limit: float) -> Tail:
    """Compare a rate with its limit.

    A limit of 0 tolerates no failing example: one fails the check, none passes it, and no interval is
    asked (no finite number of examples could show a rate of exactly 0). A limit of 1 is never exceeded.

    Args:
        failing: Examples with at least one failing candidate.
        tested: Examples tested, ≥ 1.
        limit: The largest tolerated rate, in [0, 1].

    Returns:
        The side and its exact p-value.

    Raises:
        ValueError: Nothing was tested.
    """
    interval = wilson(failing, tested)
    if interval is None:
        raise ValueError("a rate needs at least one tested example")
    if limit <= 0:
        return Tail(Outcome.FAILED if failing else Outcome.PASSED, 0.0)
    if limit >= 1:
        return Tail(Outcome.PASSED, 0.0)
    from scipy.stats import binomtest

    if interval[0] > limit:
        return Tail(Outcome.FAILED, float(binomtest(failing, tested, limit, alternative="greater").pvalue))
    if interval[1] < limit:
        return Tail(Outcome.PASSED, float(binomtest(failing, tested, limit, alternative="less").pvalue))
    return Tail(Outcome.INCONCLUSIVE, 1.0)


def holm(tails: Sequence[Tail]) -> list[Tail]:
    """Correct the verdicts of one run for their number (Holm 1979).

    A verdict stands when its corrected exact p-value is at most 0.025, one half of 5 % for each side, so
    that with every true rate at its limit a run holds a wrong "failed" in at most 2.5 % of cases.

    Args:
        tails: One comparison a verdict.

    Returns:
        The same comparisons with corrected p-values; those that do not stand are INCONCLUSIVE.
    """
    if not tails:
        return []
    from statsmodels.stats.multitest import multipletests

    corrected = multipletests([each.p_value for each in tails], alpha=_ALPHA, method="holm")[1]
    return [
        Tail(each.side if p <= _ALPHA else Outcome.INCONCLUSIVE, float(p))
        for each, p in zip(tails, corrected, strict=True)
    ]


def examples_to_decide(failing: int, tested: int, limit: float) -> int | None:
    """Estimate how many more examples would decide, should the rate stay what it is.

    Solves |r − L| = z √(L (1 − L) / n), where the Wilson interval of rate r just leaves the limit L, for n.

    Args:
        failing: Examples with at least one failing candidate.
        tested: Examples tested, ≥ 1.
        limit: The limit, in (0, 1).

    Returns:
        Examples to add, ≥ 1; None when the rate is the limit itself, which no number would decide.
    """
    gap = abs(failing / tested - limit)
    if gap == 0:
        return None
    needed = math.ceil(_Z**2 * limit * (1 - limit) / gap**2)
    return max(1, needed - tested)
