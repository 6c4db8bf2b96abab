"""The excess: how much more often the same examples fail in one condition than in another, compared with a limit."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from robustfim.outcome import Outcome
from robustfim.statistics.clusters import ClusteredPairs
from robustfim.statistics.paired import Paired, paired_scores
from robustfim.statistics.rate import LEVEL, Interval, Z
from robustfim.statistics.tails import Tail

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["Excess", "exact_p_value", "largest_chance", "likely_counts"]

_MANY = 10_000_000
"""Larger suggested sample sizes are not reported."""
_DOUBT = 1e-4
"""The probability that the fraction of fixed examples lies outside of the searched range (Berger and Boos 1994)."""
_GRID = 64
_REACH = 8.0
"""Standard deviations from the mean beyond which the probability of a count is neglected."""


def exact_p_value(paired: Paired, limit: float, side: Outcome) -> float:
    """Return an exact one-sided p-value for the difference of two failure rates of the same examples.

    Suppose that of n examples a fraction q is fixed (fails only in the first condition) and q + Δ broken (fails only in
    the second). Then the number of fixed examples is c ~ B(n, q), and the number of broken ones b | c ~ B(n − c, (q +
    Δ) / (1 − q)). The p-value is the probability of a score statistic at least as extreme as the observed one,
    maximized over a confidence interval of q, plus 1e-4, the probability that q lies outside of this interval (an
    unconditional test; Suissa and Shuster 1991, Berger and Boos 1994).

    Args:
        paired: The numbers of broken, fixed and all examples. Fractional numbers, from dependent examples, are rounded
            down.
        limit: The difference Δ to test against, in [0, 1).
        side: FAILED for a difference above the limit, PASSED for one below it.

    Returns:
        The p-value, in [0, 1].
    """
    import numpy as np
    from scipy.special import bdtr, bdtrc

    number, score, fails = max(1, math.floor(paired.matched)), paired.score(limit), side is Outcome.FAILED
    fixed, most = min(paired.fixed, float(number)), (1 - limit) / 2  # of the share that is fixed: the rest is broken
    shares, counts = likely_counts(fixed, number, (0.0, most))
    # The score rises with the broken examples: of each number of fixed ones, the fewest of them that reach it, ...
    before, reached = np.full(len(counts), -1), number - counts + 1
    while (reached - before > 1).any():
        middle = (before + reached) // 2
        scores = paired_scores(middle, counts, number, limit)
        beyond = scores >= score - 1e-9 if fails else scores > score + 1e-9
        before, reached = np.where(beyond, before, middle), np.where(beyond, middle, reached)
    # ... and the chance of so many, or of fewer.
    chances = np.minimum(1.0, (shares + limit) / (1 - shares))[:, None]
    beyond = np.where(
        reached > 0, (bdtrc if fails else bdtr)(np.maximum(reached - 1, 0), number - counts, chances), float(fails)
    )
    return largest_chance(shares, counts, number, beyond)


def likely_counts(count: float, number: int, within: Interval) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return fractions of a confidence interval, from a count of a number, and the counts that are likely for them.

    Args:
        count: The observed count, in [0, number].
        number: The number of examples, ≥ 1.
        within: The possible fractions, from the least to the largest.
    """
    import numpy as np
    from scipy.special import betaincinv

    low = float(betaincinv(count, number - count + 1, _DOUBT / 2)) if count else 0.0
    high = float(betaincinv(count + 1, number - count, 1 - _DOUBT / 2)) if count < number else 1.0
    ends = np.arcsin(np.sqrt(np.clip([low, high], *within)))
    shares = np.sin(np.linspace(ends[0], ends[1], _GRID)) ** 2
    off = _REACH * math.sqrt(number * shares[-1]) + _REACH
    first, last = max(0, math.floor(number * shares[0] - off)), min(number, math.ceil(number * shares[-1] + off))
    return shares, np.arange(first, last + 1)


def largest_chance(shares: NDArray[Any], counts: NDArray[Any], number: int, beyond: NDArray[Any]) -> float:
    """Return an exact p-value: the largest probability of an event over the fractions of :func:`likely_counts`.

    Args:
        shares: The fractions, ``[shares]``.
        counts: The likely counts, ``[counts]``.
        number: The number of examples.
        beyond: The probability of the event given each count, ``[shares, counts]``.
    """
    import numpy as np
    from scipy.special import gammaln, xlog1py, xlogy

    ways = gammaln(number + 1) - gammaln(counts + 1) - gammaln(number - counts + 1)
    logs = ways + xlogy(counts, shares[:, None]) + xlog1py(number - counts, -shares[:, None])
    return min(1.0, float((np.exp(logs) * beyond).sum(axis=1).max()) + _DOUBT)


@dataclass(frozen=True, slots=True)
class Excess:
    """The difference of two failure rates of the same examples, such as of perturbed and of unchanged texts.

    Attributes:
        paired: The examples that fail only in the first condition, only in the second, and all examples, at least one;
            for dependent examples (clusters), the effective numbers.
        share: The effective sample size divided by the number of examples, in (0, 1]; below 1 for dependent examples.
    """

    paired: Paired
    share: float = 1.0

    @property
    def rate(self) -> float:
        """The first failure rate minus the second, in [−1, 1]."""
        return (self.paired.broken - self.paired.fixed) / self.paired.matched

    @property
    def interval(self) -> Interval:
        """The 95 % score interval of the difference (Tango 1998)."""
        return self.paired.interval or (-1.0, 1.0)

    def tail(self, limit: float) -> Tail:
        """Test the difference against a limit: is it larger or smaller?

        Args:
            limit: The largest tolerated difference, in [0, 1]; a limit of 1 is never exceeded.

        Returns:
            The side of the limit on which the whole 95 % interval lies, and the exact p-value. For dependent examples
            (clusters), the p-value of a test that allows for them. The side is INCONCLUSIVE if the interval contains
            the limit.
        """
        if limit >= 1:
            return Tail(Outcome.PASSED, 0.0)
        if isinstance(self.paired, ClusteredPairs):
            return self.paired.changes.tail((1 + limit) / 2)
        score = self.paired.score(limit)
        for side, beyond in ((Outcome.FAILED, score), (Outcome.PASSED, -score)):
            if beyond > Z:
                return Tail(side, exact_p_value(self.paired, limit, side))
        return Tail(Outcome.INCONCLUSIVE, 1.0)

    def examples_to_decide(self, limit: float, comparisons: float = 1) -> int | None:
        """Estimate how many more examples a clear verdict needs, with 80 % probability, if the observed rates are true.

        The score statistic of k times the examples is taken as √k times as large.

        Args:
            limit: The largest tolerated difference, in [0, 1).
            comparisons: The number of comparisons that the result is corrected for, ≥ 1.

        Returns:
            Examples to add, ≥ 1; None if no number would decide.
        """
        from scipy.special import ndtri

        if not 0 < abs(self.paired.score(limit)) < math.inf:
            return None
        times = self.paired.times_to_show(limit, -float(ndtri(LEVEL / comparisons)))
        more = max(1, math.ceil((times - 1) * self.paired.matched / self.share))
        return more if more < _MANY else None
