"""Two models on the same examples: the paired difference of their failure rates, its interval, and its tests."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from robustfim.statistics.rate import CONFIDENCE, LEVEL, Z_POWER, Interval, Z

__all__ = ["Paired", "StratifiedPairs", "paired_scores", "stratified_pairs"]

_MANY = 10_000_000
"""Larger suggested sample sizes are not reported."""
_SCORING = 12
"""The number of iterations of Fisher's scoring."""
_INSIDE = (-1 + 1e-9, 1 - 1e-9)
"""The range of differences allowed for a stratum."""


def paired_scores(broken: Any, fixed: Any, matched: Any, difference: Any) -> Any:
    """Return Tango's score statistic for the difference of two paired failure rates (Tango 1998, equations 24–26).

    Of n matched examples, b are broken (fail only now) and c fixed (failed only before). The statistic against a
    difference Δ is T(Δ) = (b − c − nΔ) / √(n (2 q̃ + Δ (1 − Δ))). Here q̃ is the maximum likelihood estimate of the
    fraction of fixed examples if the rates differ by Δ: the larger root of 2n q² + B q − c Δ (1 − Δ), with B = −b − c +
    (2n − b + c) Δ.

    Args:
        broken: The number b, a number or an array; b, c and n broadcast.
        fixed: The number c.
        matched: The number n, > 0.
        difference: The difference Δ to test against, in (−1, 1); broadcasts.

    Returns:
        T, in the shape of the counts. If the variance is 0, T is ±∞ for a nonzero difference and 0 otherwise.
    """
    import numpy as np

    b, c, n = (np.asarray(each, dtype=float) for each in (broken, fixed, matched))
    variance, off = _variance(b, c, n, difference), b - c - n * difference
    limit = np.where(off == 0, 0.0, np.copysign(np.inf, off))
    return np.where(variance > 0, off / np.sqrt(np.where(variance > 0, variance, 1.0)), limit)


def _variance(b: Any, c: Any, n: Any, difference: Any) -> Any:
    """The variance n (2 q̃ + Δ (1 − Δ)) of b − c."""
    import numpy as np

    linear = -b - c + (2 * n - b + c) * difference
    root = np.sqrt(np.maximum(0.0, linear**2 + 8 * n * c * difference * (1 - difference)))
    return (root - linear) / 2 + n * difference * (1 - difference)


@dataclass(frozen=True, slots=True)
class Paired:
    """The changes of examples that were tested twice: by an earlier and a new model, or without and with edits.

    Attributes:
        broken: Examples that fail only in the second test (regressions), ≥ 0.
        fixed: Examples that fail only in the first test (fixes), ≥ 0.
        matched: All examples that were tested twice, ≥ broken + fixed.
    """

    broken: float
    fixed: float
    matched: float

    @property
    def difference(self) -> float | None:
        """Failure rate now minus before, in [−1, 1]; None if nothing matched."""
        return (self.broken - self.fixed) / self.matched if self.matched else None

    @property
    def interval(self) -> Interval | None:
        """The 95 % score interval of the difference of both failure rates (Tango 1998); None without examples.

        The ends are the differences at which the score statistic is ± 1.96.
        """
        if not self.matched:
            return None
        return self._end(-1), self._end(1)

    @property
    def p_value(self) -> float:
        """The two-sided p-value of McNemar's exact test, a binomial test of broken against fixed (McNemar 1947).

        With k the larger and m the smaller of the counts, and I the regularized incomplete beta function, the p-value
        is 2 P(X ≥ k) = 2 I½(k, m + 1), also for counts that are not whole; 1 if both counts are 0.
        """
        from scipy.special import betainc

        more, fewer = max(self.broken, self.fixed), min(self.broken, self.fixed)
        return min(1.0, 2 * float(betainc(more, fewer + 1, 0.5))) if more else 1.0

    def score(self, difference: float) -> float:
        """Return the score statistic (:func:`paired_scores`) of the test whether the rates differ by a given amount.

        Args:
            difference: The assumed difference Δ, in (−1, 1).

        Returns:
            About standard normal if Δ is true; positive if the observed difference is larger.
        """
        return float(paired_scores(self.broken, self.fixed, self.matched, difference))

    def is_no_worse(self, margin: float) -> bool:
        """Return whether the failure rate is proved to have risen by less than a tolerated margin.

        Args:
            margin: The tolerated loss, in [0, 1]; a loss above 1 is impossible.

        Returns:
            Whether the upper end of the 95 % interval lies below the margin: wrong in at most 2.5 % of cases.
        """
        return bool(self.matched) and (margin >= 1 or self.score(margin) < -Z)

    def is_worse(self, p_value: float | None = None) -> bool:
        """Return whether the failure rate is proved to have risen.

        Args:
            p_value: The value of :attr:`p_value`, corrected if there are several tests.

        Returns:
            Whether the lower end of the 95 % interval lies above 0 and the exact test agrees. The exact test is needed
            since intervals of few changes are too short.
        """
        corrected = self.p_value if p_value is None else p_value
        return bool(self.matched) and self.score(0) > Z and corrected <= 1 - CONFIDENCE

    def more_to_decide(self, margin: float, comparisons: float = 1) -> int | None:
        """Estimate how many more examples are needed to prove a rise of the failure rate, or to exclude one.

        The number suffices with 80 % probability, if the observed fractions of changes are the true ones.

        Args:
            margin: The tolerated rise, in [0, 1].
            comparisons: The number of tests for which the p-value is corrected, ≥ 1.

        Returns:
            Examples to add, ≥ 1; None if no number would decide.
        """
        from scipy.special import ndtri

        lost, changed = self.broken - self.fixed, self.broken + self.fixed
        times = []
        if self.score(margin) < 0:
            times.append(self.times_to_show(margin, Z))
        if lost > 0:
            surely = -float(ndtri(LEVEL / comparisons))
            spread = surely * math.sqrt(changed) + Z_POWER * self._deviation
            times.append(((spread + math.sqrt(spread**2 + 4 * lost)) / (2 * lost)) ** 2)
        more = max(1, math.ceil((min(times) - 1) * self.matched)) if times else _MANY
        return more if more < _MANY else None

    def times_to_show(self, difference: float, quantile: float) -> float:
        """Return the factor by which the examples must grow for a score beyond a quantile in 80 % of cases.

        Args:
            difference: The difference Δ to test against, in (−1, 1), where the score is finite and not 0.
            quantile: The normal quantile of the test's level.
        """
        score = self.score(difference)
        spread = self._deviation * score / (self.broken - self.fixed - self.matched * difference)
        return ((quantile + Z_POWER * spread) / score) ** 2

    @property
    def _deviation(self) -> float:
        """The standard deviation of broken − fixed, at the observed fractions."""
        lost = self.broken - self.fixed
        return math.sqrt(max(0.0, self.broken + self.fixed - lost**2 / self.matched)) if self.matched else 0.0

    def _end(self, sign: int) -> float:
        """The lower (−1) or upper (1) end of the interval."""
        end = sign * (1 - 1e-12)
        most = self.broken if sign > 0 else self.fixed
        if most >= self.matched or sign * self.score(end) > -Z:  # so few in each stratum exclude no difference
            return float(sign)
        from scipy.optimize import brentq

        found = (self.broken - self.fixed) / self.matched
        return float(brentq(lambda delta: sign * self.score(delta) + Z, found, end, xtol=1e-13))


@dataclass(frozen=True, slots=True)
class StratifiedPairs(Paired):
    """Changes of examples drawn from strata (parts of the data), as counts of a simple random sample.

    Stratum h has the weight w_h and m_h matched examples, of which b_h are broken and c_h fixed; the data have N
    examples. The difference is D = Σ w_h (b_h − c_h) / m_h, and its score statistic against Δ is (D − Δ) / √V. The
    variance V belongs to the likeliest differences δ_h of the strata with Σ w_h δ_h = Δ: V = Σ w_h² v_h / m_h + Σ (w_h
    / N + w_h² u_h) (δ_h − Δ)², with v_h = 2 q̃_h + δ_h (1 − δ_h) and q̃ as in :func:`paired_scores`. The weights are
    estimated from m_h of n_h drawn examples, hence u_h = 1 / m_h − 1 / n_h. Fisher's scoring finds δ_h from the
    observed difference d_h of the stratum: δ_h = d_h + λ w_h v_h / m_h, with λ a multiplier. Half a broken, half a
    fixed and half an unchanged example are added to each stratum, so that changes are never treated as impossible.

    Attributes:
        strata: w_h, m_h, b_h, c_h and u_h of each stratum.
        whole: N, the number of examples of the data.
    """

    strata: tuple[tuple[float, float, float, float, float], ...] = ()
    whole: float = 1.0

    @property
    def p_value(self) -> float:
        """The larger of two p-values: McNemar's exact test of the counts, and the score test of no difference."""
        from scipy.special import ndtr

        exact = Paired(self.broken, self.fixed, self.matched).p_value
        return max(exact, 2 * float(ndtr(-abs(self.score(0.0))))) if self.matched else exact

    def score(self, difference: float) -> float:
        """Return the score statistic against an assumed difference Δ, in (−1, 1)."""
        import numpy as np

        weights, matched, broken, fixed, unsure = np.array(self.strata).T
        more, fewer, number = broken + 0.5, fixed + 0.5, matched + 1.5
        near = (more - fewer) / number
        missing = difference - weights @ near
        apart = np.clip(near + missing, *_INSIDE)
        for _ in range(_SCORING):
            spread = weights * _variance(more, fewer, number, apart) / number / matched
            apart = np.clip(near + missing * spread / (weights @ spread), *_INSIDE)
        within = weights**2 @ (_variance(more, fewer, number, apart) / number / matched)
        variance = within + (weights / self.whole + weights**2 * unsure) @ (apart - difference) ** 2
        return float((weights @ ((broken - fixed) / matched) - difference) / math.sqrt(variance))


def stratified_pairs(
    sizes: Sequence[int],
    drawn: Sequence[int],
    matched: Sequence[int],
    broken: Sequence[float],
    fixed: Sequence[float],
) -> Paired:
    """Convert changes of examples drawn from strata to the counts of an equally informative simple random sample.

    Stratum h (a part of the data) holds N_h examples. Of n_h drawn examples m_h are matched, of which b_h are broken
    and c_h fixed. With weights w_h ∝ N_h m_h / n_h, the fractions of broken and fixed examples are b = Σ w_h b_h / m_h
    and c = Σ w_h c_h / m_h. In a simple random sample of n examples, d = b − c would have the variance (b + c − (b −
    c)²) / n. In the strata it has the variance Σ w_h² (ψ_h − d_h²) / m_h + Σ (w_h / N + w_h² (1 / m_h − 1 / n_h)) (d_h
    − d)², with ψ_h the fraction of changed examples and d_h the difference in the stratum (Särndal, Swensson and
    Wretman 1992, ch. 3 and 10), each with half an example of each kind added.

    Args:
        sizes: N_h, examples of the data in each stratum.
        drawn: n_h, examples drawn from each stratum.
        matched: m_h, drawn examples on which both models were tested.
        broken: b_h, matched examples that fail only now.
        fixed: c_h, matched examples that failed only before.

    Returns:
        The counts of a simple random sample with these fractions, whose size n gives that variance; n is 0 if nothing
        matched.
    """
    import numpy as np

    known = np.array(matched) > 0
    size, taken, m, b, c = (np.array(part, float)[known] for part in (sizes, drawn, matched, broken, fixed))
    if not len(m):
        return Paired(0, 0, 0)
    parts = size * m / taken
    whole, weights = parts.sum(), parts / parts.sum()
    more, fewer = (b + 0.5) / (m + 1.5), (c + 0.5) / (m + 1.5)
    apart, mean = more - fewer, weights @ (more - fewer)
    within = weights**2 @ ((more + fewer - apart**2) / m)
    unsure = 1 / m - 1 / taken
    variance = within + (weights / whole + weights**2 * unsure) @ (apart - mean) ** 2
    number = float((weights @ (more + fewer) - mean**2) / variance)
    strata = tuple(zip(weights.tolist(), m.tolist(), b.tolist(), c.tolist(), unsure.tolist(), strict=True))
    shares = float(weights @ (b / m)), float(weights @ (c / m))
    return StratifiedPairs(shares[0] * number, shares[1] * number, number, strata, float(whole))
