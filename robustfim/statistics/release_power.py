"""How often a comparison with a baseline proves a model *no worse*. Exact, by summing over all counts."""

from __future__ import annotations

import math
from dataclasses import dataclass

from robustfim.statistics.paired import paired_scores
from robustfim.statistics.rate import Z

__all__ = ["Churn", "paired_power"]

_TAIL = 7.0
"""Standard deviations from the mean beyond which the probability of a count is neglected."""


@dataclass(frozen=True, slots=True)
class Churn:
    """The fractions of examples that a new model changes.

    Attributes:
        broken: Fraction of matched examples that fail only now, in [0, 1].
        fixed: Fraction that failed only before, in [0, 1 − broken].
    """

    broken: float
    fixed: float

    @classmethod
    def of(cls, before: float, loss: float = 0.0) -> Churn:
        """Return the changes of a model with a given loss that fails independently of the last one.

        Independent failures give more changes than failures on similar examples.

        Args:
            before: The baseline's failure rate, in [0, 1].
            loss: The rise of the failure rate.
        """
        after = min(1.0, max(0.0, before + loss))
        return cls(broken=after * (1 - before), fixed=before * (1 - after))


def paired_power(churn: Churn, matched: int, margin: float) -> float:
    """Return how often a comparison proves that a model is worse by less than a margin.

    Args:
        churn: The changes of the new model.
        matched: Examples on which both models are tested, ≥ 1.
        margin: The margin, in (0, 1).

    Returns:
        The probability that the upper end of the 95 % score interval lies below the margin.
    """
    import numpy as np
    from scipy.stats import binom

    middle, reach = matched * churn.broken, _TAIL * math.sqrt(matched * churn.broken) + _TAIL
    broken = np.arange(max(0, math.floor(middle - reach)), min(matched, math.ceil(middle + reach)) + 1)
    left = matched - broken
    # The more are fixed, the lower the score: the fewest that prove it lie from low to high; left + 1 where none do.
    low, high = np.zeros_like(left), left + 1
    while (low < high).any():
        fixed = (low + high) // 2
        proven = paired_scores(broken, np.minimum(fixed, left), matched, margin) < -Z
        low, high = np.where(proven | (low == high), low, fixed + 1), np.where(proven, fixed, high)
    share = min(1.0, churn.fixed / (1 - churn.broken)) if churn.broken < 1 else 0.0
    return float((binom.pmf(broken, matched, churn.broken) * binom.sf(low - 1, left, share)).sum())
