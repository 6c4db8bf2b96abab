"""The gap between two groups of examples: how much more often a check fails in one group than in the other."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from robustfim.outcome import Outcome
from robustfim.statistics.excess import largest_chance, likely_counts
from robustfim.statistics.mean import Mean
from robustfim.statistics.rate import LEVEL, Z_POWER, Interval, Rate, times_to_decide, wilson
from robustfim.statistics.sequential import end_of
from robustfim.statistics.tails import Tail

__all__ = ["ClusteredGap", "Gap", "exact_gap"]

_INSIDE = 1e-12
"""The smallest distance of a likeliest rate from its bounds, as a fraction of its range."""


@dataclass(frozen=True, slots=True)
class Gap:
    """The difference of two failure rates of different examples, such as of two groups of people named in texts.

    Attributes:
        first: Failing and tested examples of the group that may fail more, tested > 0; for dependent examples
            (clusters), effective numbers.
        second: Failing and tested examples of the group with which the first is compared.
        share: The effective sample size divided by the number of examples, in (0, 1]; below 1 for dependent examples.
    """

    first: tuple[float, float]
    second: tuple[float, float]
    share: float = 1.0

    @staticmethod
    def of(*sides: tuple[Rate, float | None], means: Sequence[Mean] = ()) -> Gap | None:
        """Build the difference of two rates; None if either rate has no example.

        Args:
            sides: The two rates, each with its effective sample size; None if all examples are independent.
            means: The two rates as means over clusters (groups of dependent examples). They are used if each group has
                several clusters.
        """
        if not all(rate.tested for rate, _ in sides):
            return None
        first, second = (_worth(*side) for side in sides)
        gap = Gap(first, second, (first[1] + second[1]) / sum(rate.tested for rate, _ in sides))
        if (
            not any(effective for _, effective in sides)
            or min((sum(mean.trials.values()) for mean in means), default=0) < 2
        ):
            return gap
        return ClusteredGap(gap.first, gap.second, gap.share, *means)

    @property
    def rate(self) -> float:
        """The first failure rate minus the second, in [−1, 1]."""
        return self.first[0] / self.first[1] - self.second[0] / self.second[1]

    @property
    def interval(self) -> Interval:
        """The 95 % interval of the difference (Newcombe 1998, his method 10)."""
        (low_1, high_1), (low_2, high_2) = (wilson(*pair) or (0.0, 1.0) for pair in (self.first, self.second))
        rate_1, rate_2 = (failing / tested for failing, tested in (self.first, self.second))
        below = math.hypot(rate_1 - low_1, high_2 - rate_2)
        above = math.hypot(high_1 - rate_1, rate_2 - low_2)
        return self.rate - below, self.rate + above

    def tail(self, limit: float) -> Tail:
        """Test the difference against a limit: is it larger or smaller?

        Args:
            limit: The largest tolerated difference, in [0, 1]; a limit of 1 is never exceeded.

        Returns:
            The side of the limit on which the whole interval lies, and the exact one-sided p-value
            (:func:`exact_gap`); INCONCLUSIVE if the interval contains the limit.
        """
        if limit >= 1:
            return Tail(Outcome.PASSED, 0.0)
        low, high = self.interval
        if low > limit:
            return Tail(Outcome.FAILED, exact_gap(self.first, self.second, limit))
        if high < limit:
            return Tail(Outcome.PASSED, exact_gap(self.second, self.first, -limit))
        return Tail(Outcome.INCONCLUSIVE, 1.0)

    def p_value(self, limit: float) -> float:
        """Return the two-sided p-value of the score test against a limit (Farrington & Manning 1990).

        Args:
            limit: The limit, in [0, 1).
        """
        return math.erfc(abs(self._score(limit)) / math.sqrt(2))

    def examples_to_decide(self, limit: float, comparisons: float = 1) -> int | None:
        """Estimate how many more examples a clear verdict needs, with 80 % probability, if the rates stay.

        The estimate uses the normal approximation.

        Args:
            limit: The largest tolerated difference, in [0, 1).
            comparisons: The number of comparisons that the result is corrected for, ≥ 1.

        Returns:
            Examples to add, ≥ 1; None if no number would decide.
        """
        times = times_to_decide(lambda times: self._decides(times, limit, comparisons))
        more = 0 if times is None else max(1, math.ceil((times - 1) * (self.first[1] + self.second[1])))
        return math.ceil(more / self.share) or None

    def _decides(self, times: float, limit: float, comparisons: float) -> bool:
        """Whether so many times the examples decide, in 80 % of cases."""
        import numpy as np

        failing, tested = np.array((self.first, self.second)).T
        sizes, rates = times * tested, failing / tested
        spreads = rates * (1 - rates) / sizes
        towards = math.copysign(Z_POWER / (math.sqrt(spreads.sum()) or 1.0), limit - self.rate)
        near = np.clip(rates + np.array([towards, -towards]) * spreads, 0.0, 1.0)
        if bool(near[0] - near[1] > limit) is not (self.rate > limit):
            return False
        first, second = zip((near * sizes).tolist(), sizes.tolist(), strict=True)
        found = Gap(first, second).tail(limit)
        return found.side is not Outcome.INCONCLUSIVE and found.p_value <= LEVEL / comparisons

    def _score(self, limit: float) -> float:
        """The score statistic: (p₁ − p₂ − δ) / √(p̃₁(1−p̃₁)/n₁ + p̃₂(1−p̃₂)/n₂), p̃ the likeliest rates δ apart."""
        from scipy.optimize import brentq

        sides = ((*self.first, 0.0), (*self.second, limit))

        def slope(near: float) -> float:
            """The derivative of the logarithm of the likelihood, which falls with p̃₁."""
            return sum(bad / (near - off) - (tested - bad) / (1 - near + off) for bad, tested, off in sides)

        low, high = limit + _INSIDE * (1 - limit), 1 - _INSIDE * (1 - limit)
        near = limit if slope(low) <= 0 else 1.0 if slope(high) >= 0 else float(brentq(slope, low, high, xtol=1e-15))
        variance = sum((near - off) * (1 - near + off) / tested for _, tested, off in sides)
        off = self.rate - limit
        return off / math.sqrt(variance) if variance > 0 else math.copysign(math.inf, off) if off else 0.0


@dataclass(frozen=True, slots=True)
class ClusteredGap(Gap):
    """The difference of two failure rates of dependent examples; a cluster's examples may lie in both groups.

    The difference exceeds a limit δ if, for some number c, the first rate exceeds c and the second lies below c − δ.
    For any c, and any dependence between the groups, twice the larger p-value of these two tests is a valid p-value
    (Bonferroni). The c with the smallest p-value is used. The counts are estimated effective numbers (of independent
    examples with equal information); they serve to plan sample sizes, not for the test.

    Attributes:
        mean: The first rate, as a mean over the clusters of its group.
        other: The second rate, as a mean over the clusters of its group.
    """

    mean: Mean = field(default_factory=lambda: Mean({}))
    other: Mean = field(default_factory=lambda: Mean({}))

    @property
    def rate(self) -> float:
        """The first failure rate minus the second, in [−1, 1]."""
        return self.mean.rate - self.other.rate

    @property
    def interval(self) -> Interval:
        """The 95 % interval of the difference, from a 97.5 % interval of each rate."""
        below, above = Outcome.FAILED, Outcome.PASSED
        return (
            _end(self.mean, below) - _end(self.other, above),
            _end(self.mean, above) - _end(self.other, below),
        )

    def tail(self, limit: float) -> Tail:
        """Test the difference against a limit, as :meth:`Gap.tail` does, for any dependence within clusters."""
        low, high = self.interval
        side = Outcome.FAILED if low > limit else Outcome.PASSED if high < limit else Outcome.INCONCLUSIVE
        p_value = 1.0 if side is Outcome.INCONCLUSIVE else self.p_value(limit) / 2
        return Tail(Outcome.PASSED, 0.0) if limit >= 1 else Tail(side, p_value)

    def p_value(self, limit: float) -> float:
        """Return the two-sided p-value of the test whether the difference equals a limit.

        Args:
            limit: The limit, in [0, 1).
        """
        return min(1.0, 2 * min(_exceeds(self.mean, self.other, limit), _exceeds(self.other, self.mean, -limit)))


def exact_gap(first: tuple[float, float], second: tuple[float, float], limit: float) -> float:
    """Return an exact p-value for a rate that exceeds the rate of other examples by more than a limit.

    Suppose that k of n and j of m examples fail, with the chances q + Δ and q. The p-value is the probability of a
    standardized difference at least as large as the observed one, maximized over a confidence interval of q, plus 1e-4,
    the probability that q lies outside of this interval (Suissa and Shuster 1985, Berger and Boos 1994). The
    differences are standardized with q = (k + j − n Δ) / (n + m), moved to where q and q + Δ are probabilities.

    Args:
        first: Failing examples k and tested examples n. Fractional numbers are rounded so that the p-value rises.
        second: Failing examples j and tested examples m.
        limit: The difference Δ, in (−1, 1).
    """
    import numpy as np
    from scipy.special import bdtrc

    (failing, tested), others = map(math.floor, first), math.floor(second[1])
    other = min(others, math.ceil(second[0]))
    least, most = max(0.0, -limit), min(1.0, 1 - limit)

    def score(failing: Any, other: Any) -> Any:
        near = np.clip((failing + other - tested * limit) / (tested + others), least, most)
        variance = (near + limit) * (1 - near - limit) / tested + near * (1 - near) / others
        return (failing / tested - other / others - limit) / np.sqrt(np.maximum(variance, _INSIDE))

    shares, counts = likely_counts(other, others, (least, most))
    before, reached = np.full(len(counts), -1), np.full(len(counts), tested + 1)
    while (reached - before > 1).any():
        middle = (before + reached) // 2
        beyond = score(middle, counts) >= score(failing, other) - 1e-9
        before, reached = np.where(beyond, before, middle), np.where(beyond, middle, reached)
    above = bdtrc(reached - 1, tested, np.clip(shares + limit, 0.0, 1.0)[:, None])
    return largest_chance(shares, counts, others, above)


def _worth(rate: Rate, effective: float | None) -> tuple[float, float]:
    """The effective numbers of failing and tested examples; those counted if all are independent."""
    return (rate.count, rate.tested) if effective is None else (rate.count * effective / rate.tested, effective)


def _end(mean: Mean, side: Outcome) -> float:
    """The end of the interval of a mean at half the level."""
    return end_of(lambda limit, to: mean.evidence(limit, to) - math.log(2), mean.rate, side)


def _exceeds(mean: Mean, other: Mean, limit: float) -> float:
    """The p-value of a mean that exceeds another one by more than a limit, in (−1, 1)."""
    low, high = max(0.0, limit), min(1.0, 1 + limit)
    p_values = 1.0, 1.0
    for _ in range(30):
        middle = (low + high) / 2
        p_values = mean.p_value(middle, Outcome.FAILED), other.p_value(middle - limit, Outcome.PASSED)
        low, high = (low, middle) if p_values[0] > p_values[1] else (middle, high)
    return min(1.0, 2 * max(p_values))
