"""The excess: how much more often the same examples fail on one side than on the other, held against a limit."""

from __future__ import annotations

import math
from dataclasses import dataclass

from robustfim.outcome import Outcome
from robustfim.statistics.clusters import ClusteredPairs
from robustfim.statistics.paired import Paired, paired_scores
from robustfim.statistics.rate import LEVEL, Z_POWER, Z
from robustfim.statistics.tails import Tail

__all__ = ["Excess", "exact_p_value"]

_MANY = 10_000_000
"""A number of examples beyond which no number is worth telling."""
_DOUBT = 1e-4
"""The chance that the share of fixed examples lies outside of where it is looked for (Berger and Boos 1994)."""
_GRID = 64
_REACH = 8.0
"""Standard deviations of a count beyond which its probability is left out."""


def exact_p_value(paired: Paired, limit: float, side: Outcome) -> float:
    """Test a paired difference exactly, whatever share of the examples is fixed.

    With n examples of which a share q is fixed and q + Δ broken, c ~ B(n, q) and b | c ~ B(n − c, (q + Δ) / (1 − q)).
    The chance of a score at least as far as the one found is the largest over the q that the fixed examples allow for,
    and what they do not allow for is added: 1e-4 (an unconditional test; Suissa and Shuster 1991, Berger and Boos
    1994).

    Args:
        paired: The counts; numbers that are not whole are of clusters, for which whole examples are as many at most.
        limit: Δ, in [0, 1).
        side: FAILED for a difference above the limit, PASSED for one below it.

    Returns:
        The p-value, one-sided.
    """
    import numpy as np
    from scipy.special import bdtr, bdtrc, betaincinv, gammaln, xlog1py, xlogy

    number, score, fails = max(1, math.floor(paired.matched)), paired.score(limit), side is Outcome.FAILED
    fixed, most = min(paired.fixed, float(number)), (1 - limit) / 2  # of the share that is fixed: the rest is broken
    low = float(betaincinv(fixed, number - fixed + 1, _DOUBT / 2)) if fixed else 0.0
    high = float(betaincinv(fixed + 1, number - fixed, 1 - _DOUBT / 2)) if fixed < number else most
    ends = np.arcsin(np.sqrt(np.minimum([low, high], most)))
    shares = np.sin(np.linspace(ends[0], ends[1], _GRID)) ** 2
    off = _REACH * math.sqrt(number * shares[-1]) + _REACH
    counts = np.arange(
        max(0, math.floor(number * shares[0] - off)), min(number, math.ceil(number * shares[-1] + off)) + 1
    )
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
    ways = gammaln(number + 1) - gammaln(counts + 1) - gammaln(number - counts + 1)
    logs = ways + xlogy(counts, shares[:, None]) + xlog1py(number - counts, -shares[:, None])
    return min(1.0, float((np.exp(logs) * beyond).sum(axis=1).max()) + _DOUBT)


@dataclass(frozen=True, slots=True)
class Excess:
    """The difference of two failure rates of the same examples, with what :class:`Gap` says of different ones.

    Attributes:
        paired: What fails on the first side only, on the second only, and all examples, of which there is one at least;
            of clusters what they are worth in independent ones.
        share: What an example of them is worth in independent ones, in (0, 1].
    """

    paired: Paired
    share: float = 1.0

    @property
    def rate(self) -> float:
        """The first failure rate less the second, in [−1, 1]."""
        return (self.paired.broken - self.paired.fixed) / self.paired.matched

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % score interval of the difference (Tango 1998)."""
        return self.paired.interval or (-1.0, 1.0)

    def tail(self, limit: float) -> Tail:
        """Compare the difference with its limit.

        Args:
            limit: The largest tolerated difference, in [0, 1]; one of 1 is never exceeded.

        Returns:
            The side on which the whole interval lies, and the exact p-value of a score at least as far from a
            difference equal to the limit: of few discordant examples the score alone would be wrong too often. Of
            clusters it is their own test.
            INCONCLUSIVE where the interval holds the limit.
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
        """Estimate how many more examples decide in 80 % of cases, were these shares the true ones.

        A score of k times the examples is √k times the score.

        Args:
            limit: The limit, in [0, 1).
            comparisons: The comparisons among which this one must stand, ≥ 1.

        Returns:
            Examples to add, ≥ 1; None where no number would decide.
        """
        from scipy.stats import norm

        score, matched = abs(self.paired.score(limit)), self.paired.matched
        if not 0 < score < math.inf:
            return None
        off = matched * abs(self.rate - limit)
        spread = math.sqrt(max(0.0, self.paired.broken + self.paired.fixed - matched * self.rate**2))
        surely = -float(norm.ppf(LEVEL / comparisons))
        times = ((surely + Z_POWER * spread * score / off) / score) ** 2
        more = max(1, math.ceil((times - 1) * matched / self.share))
        return more if more < _MANY else None
