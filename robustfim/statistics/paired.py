"""Two models on the same examples: the paired difference of their failure rates, its interval, and what it proves."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from robustfim.statistics.rate import CONFIDENCE, LEVEL, Z_POWER, Z

__all__ = ["Paired", "StratifiedPairs", "paired_scores", "stratified_pairs"]

_MANY = 10_000_000
"""A number of examples beyond which no number is worth telling."""
_SCORING = 12
"""Steps of Fisher's scoring."""
_INSIDE = (-1 + 1e-9, 1 - 1e-9)
"""The differences that a stratum can have."""


def paired_scores(broken: Any, fixed: Any, matched: Any, difference: Any) -> Any:
    """Tango's score statistic for numbers or whole arrays of counts (Tango 1998, equations 24–26).

    T(Δ) = (b − c − nΔ) / √(n (2 q̃ + Δ (1 − Δ))), where q̃ is the likeliest share of fixed examples among the
    rates that differ by Δ: the larger root of 2n q² + B q − c Δ (1 − Δ), B = −b − c + (2n − b + c) Δ.

    Args:
        broken: b, numbers that broadcast with the next two.
        fixed: c.
        matched: n, > 0.
        difference: Δ, in (−1, 1); it broadcasts, too.

    Returns:
        T, in the shape of the counts; ±∞ where the variance is 0 and the difference is not, 0 where both are.
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
    """What became of matched examples, from one model to the next.

    Attributes:
        broken: Matched examples that fail only now, ≥ 0.
        fixed: Matched examples that failed only before, ≥ 0.
        matched: Examples that both models were tested on, ≥ broken + fixed.
    """

    broken: float
    fixed: float
    matched: float

    @property
    def difference(self) -> float | None:
        """Failure rate now less before, in [−1, 1]; None where nothing matched."""
        return (self.broken - self.fixed) / self.matched if self.matched else None

    @property
    def interval(self) -> tuple[float, float] | None:
        """The 95 % score interval of the difference (Tango 1998); None where nothing matched.

        The ends are the differences at which the score statistic is ± 1.96.
        """
        if not self.matched:
            return None
        # Exchanging the two models exchanges the ends of the interval and their signs.
        return -self._exchanged._upper(), self._upper()

    @property
    def p_value(self) -> float:
        """McNemar's exact test, two-sided (McNemar 1947): a binomial test of the discordant examples; 1 without any.

        2 P(X ≥ k), k the larger of broken and fixed, is 2 I½(k, m + 1), m the smaller: a number for any counts.
        """
        from scipy.special import betainc

        more, fewer = max(self.broken, self.fixed), min(self.broken, self.fixed)
        return min(1.0, 2 * float(betainc(more, fewer + 1, 0.5))) if more else 1.0

    def score(self, difference: float) -> float:
        """The score statistic against a supposed difference; see :func:`paired_scores`.

        Args:
            difference: Δ, in (−1, 1).

        Returns:
            About standard normal at that difference; positive where the observed one is larger.
        """
        return float(paired_scores(self.broken, self.fixed, self.matched, difference))

    def is_no_worse(self, margin: float) -> bool:
        """Tell whether it is proved that the failure rate rose by less than the margin.

        Args:
            margin: The tolerated loss, in [0, 1]; a loss above 1 cannot be.

        Returns:
            Whether the upper end of the 95 % interval lies below the margin: wrong in at most 2.5 % of cases.
        """
        return bool(self.matched) and (margin >= 1 or self.score(margin) < -Z)

    def is_worse(self, p_value: float | None = None) -> bool:
        """Tell whether it is proved that the failure rate rose.

        Args:
            p_value: That of :attr:`p_value`, corrected where this is one test of several.

        Returns:
            Whether the lower end of the 95 % interval lies above 0, and the exact test agrees: of four discordant
            examples, the score test alone would be wrong once in 16 times.
        """
        corrected = self.p_value if p_value is None else p_value
        return bool(self.matched) and self.score(0) > Z and corrected <= 1 - CONFIDENCE

    def more_to_decide(self, margin: float, comparisons: float = 1) -> int | None:
        """Estimate how many more matched examples prove either in 80 % of cases, were these shares the true ones.

        A score of k times the examples is √k times the score, and has the same standard deviation. That a loss is
        real has to be proved by the exact test, too, which is the score less half an example on either side.

        Args:
            margin: The margin, in [0, 1].
            comparisons: The tests of which a loss has to win this one, ≥ 1.

        Returns:
            Examples to add, ≥ 1; None where no number would decide.
        """
        from scipy.special import ndtri

        lost, changed = self.broken - self.fixed, self.broken + self.fixed
        variance = max(0.0, changed - lost**2 / self.matched) if self.matched else 0.0
        times = []
        if (below := -self.score(margin)) > 0:
            off = self.matched * margin - lost
            times.append(((Z + Z_POWER * math.sqrt(variance) * below / off) / below) ** 2)
        if lost > 0:
            surely = -float(ndtri(LEVEL / comparisons))
            spread = surely * math.sqrt(changed) + Z_POWER * math.sqrt(variance)
            times.append(((spread + math.sqrt(spread**2 + 4 * lost)) / (2 * lost)) ** 2)
        more = max(1, math.ceil((min(times) - 1) * self.matched)) if times else _MANY
        return more if more < _MANY else None

    def detectable(self, power: float = 0.8) -> float | None:
        """Tell what loss this comparison could have shown: its minimal detectable difference.

        The smallest δ with √n δ ≥ z₀.₉₇₅ √ψ + z_power √(ψ − δ²) (Connor 1987), where ψ = δ + 2 c / n is the share
        of examples that a model would break or fix which fixes what this one fixes, and breaks δ more.

        Args:
            power: How often such a loss would be found, in (0, 1).

        Returns:
            A loss in (0, 1); None where not even the largest would have been found so often.
        """
        if not self.matched:
            return None
        from scipy.optimize import brentq
        from scipy.special import ndtri

        beta, churn = float(ndtri(power)), 2 * self.fixed / self.matched
        largest = 1 - churn / 2

        def missing(loss: float) -> float:
            changed = churn + loss
            spread = Z * math.sqrt(changed) + beta * math.sqrt(max(0.0, changed - loss * loss))
            return spread - math.sqrt(self.matched) * loss

        if missing(largest) > 0:
            return None
        return float(brentq(missing, 1e-12, largest))

    @property
    def _exchanged(self) -> Paired:
        return Paired(self.fixed, self.broken, self.matched)

    def _upper(self) -> float:
        end = 1 - 1e-12
        if self.broken >= self.matched or self.score(end) > -Z:  # so few in each stratum exclude no difference
            return 1.0
        from scipy.optimize import brentq

        found = (self.broken - self.fixed) / self.matched
        return float(brentq(lambda delta: self.score(delta) + Z, found, end, xtol=1e-13))


@dataclass(frozen=True, slots=True)
class StratifiedPairs(Paired):
    """Changes of examples that were drawn from strata, as those of a plain draw that says as much of the data.

    The difference is D = Σ w_h (b_h − c_h) / m_h. Its score statistic against Δ is (D − Δ) / √V, V the variance at the
    likeliest differences δ_h of the strata with Σ w_h δ_h = Δ: V = Σ w_h² v_h / m_h + Σ w_h (δ_h − Δ)² / N,
    with v_h = 2 q̃_h + δ_h (1 − δ_h) of :func:`paired_scores`. The δ_h are found by Fisher's scoring,
    δ_h = d_h + λ w_h v_h / m_h. Half a broken, half a fixed and half an unchanged example more in each stratum keep
    those in which nothing changed from being certain. So a stratum in which few changes happen to be found is not
    taken for one in which none do.

    Attributes:
        strata: Of each stratum w_h, m_h, b_h and c_h.
        whole: N, the examples of the data.
    """

    strata: tuple[tuple[float, float, float, float], ...] = ()
    whole: float = 1.0

    @property
    def p_value(self) -> float:
        """McNemar's exact test of the counts, or the score test against no difference, whichever is larger."""
        from scipy.special import ndtr

        exact = Paired(self.broken, self.fixed, self.matched).p_value
        return max(exact, 2 * float(ndtr(-abs(self.score(0.0))))) if self.matched else exact

    def score(self, difference: float) -> float:
        """The score statistic against a supposed difference Δ, in (−1, 1)."""
        import numpy as np

        weights, matched, broken, fixed = np.array(self.strata).T
        more, fewer, number = broken + 0.5, fixed + 0.5, matched + 1.5
        near = (more - fewer) / number
        missing = difference - weights @ near
        apart = np.clip(near + missing, *_INSIDE)
        for _ in range(_SCORING):
            spread = weights * _variance(more, fewer, number, apart) / number / matched
            apart = np.clip(near + missing * spread / (weights @ spread), *_INSIDE)
        within = weights**2 @ (_variance(more, fewer, number, apart) / number / matched)
        variance = within + weights @ (apart - difference) ** 2 / self.whole
        return float((weights @ ((broken - fixed) / matched) - difference) / math.sqrt(variance))

    @property
    def _exchanged(self) -> Paired:
        strata = tuple((weight, matched, fixed, broken) for weight, matched, broken, fixed in self.strata)
        return StratifiedPairs(self.fixed, self.broken, self.matched, strata, self.whole)


def stratified_pairs(
    sizes: Sequence[int],
    drawn: Sequence[int],
    matched: Sequence[int],
    broken: Sequence[float],
    fixed: Sequence[float],
) -> Paired:
    """Count changes of examples that were drawn from strata, as those of a plain draw that says as much of the data.

    The shares are b = Σ w_h b_h / m_h and c likewise, w_h ∝ N_h m_h / n_h. A plain draw of n examples has the variance
    (b + c − (b − c)²) / n of b − c, this one Σ w_h² (ψ_h − d_h²) / m_h + Σ w_h (d_h − d)² / N, ψ_h the share of those
    that change and d_h the difference (Särndal, Swensson and Wretman 1992, ch. 3), with half an example more of each
    kind.

    Args:
        sizes: N_h, examples of the data in each stratum.
        drawn: n_h, those of them that were drawn.
        matched: m_h, those of these that both models were tested on.
        broken: b_h, those of these that fail only now.
        fixed: c_h, those that failed only before.

    Returns:
        The shares in as many examples as have that variance; none where nothing was matched.
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
    variance = within + weights @ (apart - mean) ** 2 / whole
    number = float((weights @ (more + fewer) - mean**2) / variance)
    strata = tuple(zip(weights.tolist(), m.tolist(), b.tolist(), c.tolist(), strict=True))
    shares = float(weights @ (b / m)), float(weights @ (c / m))
    return StratifiedPairs(shares[0] * number, shares[1] * number, number, strata, float(whole))
