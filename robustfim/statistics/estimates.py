"""Intervals of what is estimated from few numbers: means, the area under a curve.

One rule for all of them: an interval is wider than 0, stays where the quantity can lie, and is None where the numbers
are too few or too alike to tell how far off the estimate may be. A percentile bootstrap keeps none of the three: it
gives [1, 1] for ten of ten.
"""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from statistics import NormalDist

from robustfim.statistics.rate import CONFIDENCE, LEVEL, Z

__all__ = ["auroc", "auroc_interval", "mean_interval"]


def mean_interval(
    numbers: Sequence[float], *, low: float = -math.inf, high: float = math.inf
) -> tuple[float, float] | None:
    """Student's t interval of a mean, at 95 %, cut to where the quantity can lie.

    Args:
        numbers: Finite numbers.
        low: The least that one of them can be: 0 for a norm.
        high: The most.

    Returns:
        Lower and upper end; None of fewer than three numbers, and of numbers that are all equal.
    """
    number = len(numbers)
    if number < 3 or len(set(numbers)) == 1:
        return None
    from scipy.special import stdtrit

    mean = math.fsum(numbers) / number
    deviation = math.sqrt(math.fsum((each - mean) ** 2 for each in numbers) / (number - 1))
    half = float(stdtrit(number - 1, (1 + CONFIDENCE) / 2)) * deviation / math.sqrt(number)
    return max(low, mean - half), min(high, mean + half)


def auroc(positive: Sequence[float], negative: Sequence[float]) -> float | None:
    """The area under the ROC curve: the probability that one of the first lies above one of the others.

    The Mann–Whitney statistic; ties count one half.

    Args:
        positive: Numbers, infinities allowed.
        negative: Likewise.

    Returns:
        In [0, 1]; None where one of the two is empty.
    """
    if not (positive and negative):
        return None
    ranked = sorted(negative)
    above = sum(bisect_left(ranked, each) + bisect_right(ranked, each) for each in positive)
    return above / (2 * len(positive) * len(negative))


def auroc_interval(
    auroc: float, positive: float, negative: float, *, comparisons: int = 1
) -> tuple[float, float] | None:
    """The interval of an area under the ROC curve by a score method, at 95 % (Newcombe 2006, method 5).

    The ends θ solve (A − θ)² = z² V(θ), with Hanley and McNeil's variance in which the mean number of examples stands
    for both: V(θ) = θ(1 − θ) {1 + (n* − 1)(1 − θ)/(2 − θ) + (n* − 1) θ/(1 + θ)} / (m n), n* = (m + n) / 2.

    Args:
        auroc: In [0, 1].
        positive: Examples of the one kind, m; of clusters, as many independent ones as they are worth.
        negative: Likewise of the other, n.
        comparisons: Areas whose intervals are to hold together (Bonferroni): that of the best of several, too.

    Returns:
        Lower and upper end, in [0, 1]; None where one kind has no example.
    """
    if not (positive and negative and math.isfinite(auroc)):
        return None
    others = (positive + negative) / 2 - 1
    z = Z if comparisons == 1 else NormalDist().inv_cdf(1 - LEVEL / comparisons)

    def excess(theta: float) -> float:
        spread = 1 + others * ((1 - theta) / (2 - theta) + theta / (1 + theta))
        return (auroc - theta) ** 2 - z**2 * theta * (1 - theta) * spread / (positive * negative)

    inside = min(max(auroc, 1e-9), 1 - 1e-9)  # at 0 and 1 themselves V(θ) is 0, which is no end
    return 0.0 if auroc == 0 else _root(excess, 0.0, inside), 1.0 if auroc == 1 else _root(excess, 1.0, inside)


def _root(excess: Callable[[float], float], above: float, below: float) -> float:
    """Halve until no number lies between: ``excess`` is above 0 at the one end, and not at the other.

    The import of SciPy's root finders takes longer than a whole run of a small suite.
    """
    while (middle := (above + below) / 2) not in (above, below):
        above, below = (middle, below) if excess(middle) > 0 else (above, middle)
    return middle
