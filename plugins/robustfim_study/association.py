"""How well one number predicts another, with bootstrap intervals over examples.

Every statistic has the examples on the last axis, so that all resamples are computed together.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from robustfim.statistics import CONFIDENCE

__all__ = ["RESAMPLES", "Array", "auroc", "bootstrap", "pearson", "ratio", "spearman"]

Array: TypeAlias = NDArray[np.float64]

RESAMPLES = 2000
"""Resamples behind an interval."""

_NUMBERS = 2_000_000
"""Numbers drawn at once."""


def auroc(difficulty: Array, failing: Array) -> Array:
    """Return the probability that a failing example is ranked as harder than one that does not fail.

    This is the area under the receiver operating characteristic, by the Mann–Whitney statistic; ties count one half.

    Args:
        difficulty: ``[..., examples]``, larger is harder, infinities allowed.
        failing: ``[..., examples]``, 1 for a failing example, otherwise 0.

    Returns:
        ``[...]`` in [0, 1]; NaN if all or none of the examples fail.
    """
    from scipy.stats import rankdata

    number = failing.sum(-1)
    others = failing.shape[-1] - number
    ranks = rankdata(difficulty, axis=-1)
    above = (ranks * failing).sum(-1) - number * (number + 1) / 2
    return _divide(above, number * others)


def pearson(first: Array, second: Array) -> Array:
    """Return Pearson's correlation.

    Args:
        first: ``[..., examples]``, finite.
        second: ``[..., examples]``, finite.

    Returns:
        ``[...]`` in [−1, 1]; NaN if one of the two is constant.
    """
    a = first - first.mean(-1, keepdims=True)
    b = second - second.mean(-1, keepdims=True)
    squares = (a * a).sum(-1) * (b * b).sum(-1)
    return np.clip(_divide((a * b).sum(-1), np.sqrt(squares)), -1.0, 1.0)


def spearman(first: Array, second: Array) -> Array:
    """Return Spearman's rank correlation, ties at their mean rank.

    Args:
        first: ``[..., examples]``, infinities allowed.
        second: ``[..., examples]``, infinities allowed.

    Returns:
        ``[...]`` in [−1, 1]; NaN if one of the two is constant.
    """
    from scipy.stats import rankdata

    return pearson(rankdata(first, axis=-1), rankdata(second, axis=-1))


def ratio(found: Array, spent: Array) -> Array:
    """Return the number found per unit spent, Σ found / Σ spent, ``[...]``; NaN if nothing was spent.

    Args:
        found: ``[..., examples]``.
        spent: ``[..., examples]``.
    """
    return _divide(found.sum(-1), spent.sum(-1))


def bootstrap(
    statistic: Callable[..., Array], *columns: Array, seed: int, confidence: float = CONFIDENCE
) -> tuple[float, float] | None:
    """Return a percentile bootstrap interval over examples (Efron & Tibshirani 1993, chapter 13).

    Args:
        statistic: A function of the columns, ``[resamples, examples]`` each, that returns ``[resamples]``.
        columns: ``[examples]`` each; they are resampled together.
        seed: The same seed and number of examples give the same resamples.
        confidence: In (0, 1).

    Returns:
        Lower and upper end. None if fewer than nine tenths of the resamples have a defined statistic, or if the
        statistic is the same in all resamples, which says nothing about its error.
    """
    size = len(columns[0])
    if size == 0:
        return None
    random = np.random.default_rng(seed)
    values: list[Array] = []
    step = max(1, _NUMBERS // size)
    for start in range(0, RESAMPLES, step):
        drawn = random.integers(0, size, (min(step, RESAMPLES - start), size))
        values.append(statistic(*(column[drawn] for column in columns)))
    found = np.concatenate(values)
    found = found[np.isfinite(found)]
    if len(found) < 0.9 * RESAMPLES:
        return None
    tail = 100 * (1 - confidence) / 2
    low, high = np.percentile(found, [tail, 100 - tail])
    return (float(low), float(high)) if low < high else None


def _divide(above: Any, below: Any) -> Array:
    """Divide, with NaN where the divisor is 0."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(np.where(below == 0, np.nan, above / below), dtype=np.float64)
