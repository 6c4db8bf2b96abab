"""Intervals for estimates from few numbers: means, and areas under a ROC curve.

Every interval is wider than 0 and stays within the possible values. It is None if the numbers are too few or too
similar to show the error. A percentile bootstrap has none of these properties: for ten successes of ten it gives [1,
1].
"""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from statistics import NormalDist

from robustfim.statistics.rate import CONFIDENCE, LEVEL, Interval, Z

__all__ = ["auroc", "auroc_interval", "mean_interval"]


def mean_interval(numbers: Sequence[float], *, low: float = -math.inf, high: float = math.inf) -> Interval | None:
    """Return Student's 95 % t interval of a mean, cut to a range of possible values.

    Args:
        numbers: Finite numbers.
        low: The smallest possible number, such as 0 for a norm.
        high: The largest possible number.

    Returns:
        Lower and upper end; None for fewer than three numbers, and for numbers that are all equal.
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
    """Return the area under the ROC curve: the probability that a positive number exceeds a negative one.

    This is the Mann–Whitney statistic; ties count one half.

    Args:
        positive: Numbers of the positive examples, infinities allowed.
        negative: Numbers of the negative examples, infinities allowed.

    Returns:
        The area, in [0, 1]; None if there are no positive or no negative numbers.
    """
    if not (positive and negative):
        return None
    ranked = sorted(negative)
    above = sum(bisect_left(ranked, each) + bisect_right(ranked, each) for each in positive)
    return above / (2 * len(positive) * len(negative))


def auroc_interval(auroc: float, positive: float, negative: float, *, comparisons: int = 1) -> Interval | None:
    """Return the 95 % interval of an area under the ROC curve by a score method (Newcombe 2006, method 5).

    Let A be the area of m positive and n negative examples, n* = (m + n) / 2, and z the normal quantile. The ends of
    the interval are the values θ with (A − θ)² = z² V(θ). V is Hanley and McNeil's variance with n* in place of both m
    and n: V(θ) = θ(1 − θ) {1 + (n* − 1)(1 − θ)/(2 − θ) + (n* − 1) θ/(1 + θ)} / (m n).

    Args:
        auroc: The area A, in [0, 1].
        positive: The number m of positive examples; for dependent examples, the effective number.
        negative: The number n of negative examples, or the effective number.
        comparisons: The number of areas whose intervals hold simultaneously (Bonferroni), so that the interval of the
            best area is valid.

    Returns:
        Lower and upper end, in [0, 1]; None if either kind has no example.
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
    """Bisect until no number lies between: ``excess`` is above 0 at one end, and not at the other.

    Importing SciPy's root finders takes longer than a whole run of a small suite.
    """
    while (middle := (above + below) / 2) not in (above, below):
        above, below = (middle, below) if excess(middle) > 0 else (above, middle)
    return middle
