"""The excess: how much more often the same examples fail on one side than on the other, held against a limit."""

from __future__ import annotations

import math
from dataclasses import dataclass

from robustfim.outcome import Outcome
from robustfim.statistics.paired import Paired
from robustfim.statistics.rate import LEVEL, Z_POWER, Z
from robustfim.statistics.tails import Tail

__all__ = ["Excess"]

_MANY = 10_000_000
"""A number of examples beyond which no number is worth telling."""


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
            The side on which the whole interval lies, and the p-value of the score test against a difference equal
            to the limit, above it that of McNemar's exact test where it is larger: of four discordant examples, the
            score alone would be wrong too often. INCONCLUSIVE where the interval holds the limit.
        """
        if limit >= 1:
            return Tail(Outcome.PASSED, 0.0)
        score = self.paired.score(limit)
        p_value = math.erfc(abs(score) / math.sqrt(2)) / 2
        if score < -Z:
            return Tail(Outcome.PASSED, p_value)
        exact = self.paired.p_value / 2
        return Tail(Outcome.FAILED, max(p_value, exact)) if score > Z else Tail(Outcome.INCONCLUSIVE, 1.0)

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
