"""Rank correlations with their intervals."""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from itertools import compress
from typing import Any

import numpy as np
from numpy.typing import NDArray

from robustfim.statistics import CONFIDENCE
from robustfim_study.association import Array, spearman
from robustfim_study.estimate import Estimate

__all__ = ["correlation_interval", "rank_correlation"]


def rank_correlation(
    x: Array, y: Array, kept: NDArray[np.bool_], clusters: Sequence[Hashable] | None = None
) -> Estimate:
    """Return Spearman's rank correlation with its interval, see :func:`correlation_interval`.

    Args:
        x: Numbers, ``[examples]``, infinities allowed.
        y: Numbers, ``[examples]``, infinities allowed.
        kept: Which examples count, ``[examples]``; they have no NaN.
        clusters: The cluster of each example, ``[examples]``; None if examples are independent.
    """
    own = None if clusters is None else list(compress(clusters, kept))
    interval = correlation_interval(x[kept].tolist(), y[kept].tolist(), own)
    return Estimate(float(spearman(x[kept], y[kept])), interval)


def correlation_interval(
    x: Sequence[float], y: Sequence[float], clusters: Sequence[Hashable] | None = None
) -> tuple[float, float] | None:
    """Return the 95 % interval of Spearman's rank correlation ρ, without assumptions about tails or dependence.

    The method is the infinitesimal jackknife. With F and G the ranks of ``x`` and ``y`` in (0, 1), centred and ties at
    their middle, ρ = c(F, G) / √(c(F, F) c(G, G)), where c(F, G) = mean F G. The influence of pair i on c is

        h_i = F_i G_i + mean_j K(x_i, x_j) G_j + mean_j K(y_i, y_j) F_j,   K(a, b) = [a < b] + ½ [a = b].

    The variance of ρ is the variance of the mean influence, with influences first summed over the pairs of a cluster.
    The interval is symmetric around artanh ρ, by Student's t (Efron 1982, chapter 6; Borkowf 2002 for ranks). Unlike
    Bonett and Wright's variance, this assumes no normal distribution.

    Args:
        x: Numbers, ``[pairs]``, infinities allowed, no NaN.
        y: Numbers, ``[pairs]``, infinities allowed, no NaN.
        clusters: The cluster of each pair, ``[pairs]``; None if pairs are independent.

    Returns:
        Lower and upper end in (−1, 1). None for fewer than five pairs or clusters, and for a perfect or an undefined
        correlation.
    """
    from scipy.stats import rankdata, t

    size = len(x)
    named = list(range(size) if clusters is None else clusters)
    places = {each: place for place, each in enumerate(dict.fromkeys(named))}
    groups = np.array([places[each] for each in named], dtype=np.intp)
    number = len(places)
    if number < 5:
        return None
    ranks = [(rankdata(each) - (size + 1) / 2) / size for each in (x, y)]

    def influence(one: int, other: int) -> Any:
        """Return the influence of each pair on the covariance of two rankings."""
        added = ranks[one] * ranks[other]
        for ranked, summed in ((one, other), (other, one)):
            levels = np.unique(ranks[ranked], return_inverse=True)[1]
            sums = np.bincount(levels, ranks[summed])
            added = added + (sums.sum() - np.cumsum(sums) + sums / 2)[levels] / size
        return added - added.mean()

    across, first, second = ((ranks[i] * ranks[j]).mean() for i, j in ((0, 1), (0, 0), (1, 1)))
    if not first * second > 0:
        return None
    rho = across / math.sqrt(first * second)
    if not abs(rho) < 1 - 1e-12:
        return None
    told = influence(0, 1) / math.sqrt(first * second)
    told -= rho / 2 * (influence(0, 0) / first + influence(1, 1) / second)
    spread = math.sqrt((np.bincount(groups, told) ** 2).sum() * number / (number - 1)) / size
    half = float(t.ppf((1 + CONFIDENCE) / 2, number - 1)) * spread / (1 - rho**2)
    middle = math.atanh(rho)
    return math.tanh(middle - half), math.tanh(middle + half)
