"""The probability that a model that is as good as the last one passes a release, summed exactly over all counts.

To pass, a model must be proved no worse than a baseline, and keep every limit. A model that is equally good still gives
other answers to some examples; half of these changes are for the worse.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from robustfim.outcome import Outcome
from robustfim.statistics import Z, paired_scores, tail

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["Churn", "equal_failures", "limit_kept", "paired_power", "pass_all"]

_TAIL = 7.0
"""Standard deviations from the mean beyond which the probability of a count is neglected."""


@dataclass(frozen=True, slots=True)
class Churn:
    """The fractions of examples that a new model breaks and fixes, compared with the old model.

    Attributes:
        broken: Fraction of matched examples that fail only now, in [0, 1].
        fixed: Fraction of matched examples that failed only before, in [0, 1 − broken].
    """

    broken: float
    fixed: float

    @classmethod
    def of(cls, before: float, loss: float = 0.0) -> Churn:
        """Return the changes of a new model whose failures are independent of the failures of the last model.

        Real models tend to fail on the same examples and change fewer.

        Args:
            before: The baseline's failure rate, in [0, 1].
            loss: The rise of the failure rate.
        """
        after = min(1.0, max(0.0, before + loss))
        return cls(broken=after * (1 - before), fixed=before * (1 - after))


def paired_power(churn: Churn, matched: int, margin: float) -> float:
    """Return the probability that a comparison proves a model worse by less than a tolerated loss (margin).

    Args:
        churn: The changes of the new model.
        matched: Examples on which both models are tested, ≥ 1.
        margin: The tolerated rise of the failure rate, in (0, 1).

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


def equal_failures(failing: float, tested: float, churn: float) -> NDArray[np.float64]:
    """Return the probability of each number of failures of a new, equally good model on the same examples.

    As many failing examples pass with the new model as passing examples fail. The number is at most that of two
    independent models.

    Args:
        failing: Failing examples of the last model.
        tested: Tested examples of the last model, ≥ 1. With clusters of dependent examples, both counts are reduced to
            those of as many independent examples.
        churn: The fraction of examples that change from failing to passing or back.

    Returns:
        The probabilities of 0, 1, … failing examples, ``[tested + 1]``.
    """
    import numpy as np
    from scipy.stats import binom

    number, broken = round(tested), min(round(tested), round(failing))
    rate = broken / max(1, number)
    half = min(churn / 2, rate * (1 - rate))
    gained = binom.pmf(np.arange(number - broken + 1), number - broken, half / (1 - rate) if rate < 1 else 0.0)
    lost = binom.pmf(np.arange(broken + 1), broken, half / rate if rate else 0.0)
    return np.convolve(gained, lost[::-1])


def limit_kept(failing: float, tested: float, limit: float, churn: float) -> float:
    """Return the probability that an equally good model passes a limit; see :func:`equal_failures`."""
    chances = equal_failures(failing, tested, churn)
    worth = tested / max(1, len(chances) - 1)

    def exceeds(count: int) -> bool:
        return tail(count * worth, tested, limit).side is not Outcome.PASSED

    return float(chances[: bisect_left(range(len(chances)), True, key=exceeds)].sum())


def pass_all(chances: Iterable[float]) -> float:
    """Return a lower bound of the probability that several tests all pass: 1 − Σ (1 − p), for any dependence."""
    return max(0.0, 1 - sum(1 - chance for chance in chances))
