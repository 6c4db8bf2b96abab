"""Association: whether a model's answers are related to the gold labels at all, even if some labels are rare."""

from __future__ import annotations

import math
import sys
from collections import Counter
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from robustfim.outcome import Outcome
from robustfim.statistics.mean import Mean
from robustfim.statistics.odds import odds_tail
from robustfim.statistics.rate import LEVEL, Interval, Z

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["Association", "association"]

_TABLES = 10_000
"""Random tables with the same margins, which show what chance alone gives."""
_ADDED = 1.0
"""Unrelated examples that are added, so that the interval of a perfect model is not a single point."""
_BESIDE_0 = 1e-6
"""The distance from 0 of an end that is moved to just beside 0."""
_CELLS = 20_000_000
"""The largest size of all random tables together, in numbers."""

_STEPS = 200
"""The number of steps to which the mean of a cluster, in [0, 1], is rounded."""


@dataclass(frozen=True)
class Association:
    """The correlation of a model's answers with the gold labels: Matthews' correlation coefficient.

    Attributes:
        coefficient: The correlation, in [−1, 1]: 1 if all answers are right, 0 if answers and labels are unrelated.
        interval: An interval of about 95 %; it contains 0 exactly if both p-values are above 0.025.
        p_positive: The probability that unrelated answers are right at least as often, in (0, 1].
        p_negative: The probability that unrelated answers are right at most as often, in (0, 1].
    """

    coefficient: float
    interval: Interval
    p_positive: float
    p_negative: float


def association(
    gold: NDArray[np.int64], answers: NDArray[np.int64], clusters: NDArray[Any] | None = None, *, seed: int = 0
) -> Association | None:
    """Measure the correlation of a model's answers with the gold labels, with an interval and p-values.

    Let a be the fraction of right answers, g and p the fractions of each label among gold labels and answers, and e = Σ
    g p the accuracy expected by chance. The coefficient is R = (a − e) / √((1 − Σ g²)(1 − Σ p²)) (Matthews 1975; for
    several labels Gorodkin 2004). So R > 0 exactly if a > e, whatever the label frequencies are.

    The p-values are the fractions of random tables with the same label counts (margins) that have at least, or at most,
    as many right answers. This test is valid however rare a label is.

    The interval uses the delta method on the scale of Fisher's z, with one unrelated example added, so that the
    interval of a perfect model is not a single point. The test decides whether the interval contains 0, and an end that
    disagrees with the test is moved to, or just before, 0. If the added example moves an end past the coefficient, the
    end is set to the coefficient.

    Examples in clusters are tested as in every other test of clusters, by :class:`Mean`. The mean of the numbers 1{p_i
    = g_i} − p(g_i) − g(p_i) + e over the examples i is a − e. Mapped to [0, 1], it is compared with the image of 0. The
    interval of this mean, divided by the denominator of R, is the interval of R.

    Args:
        gold: The gold label of each example as a number from 0, ``[examples]``.
        answers: The model's label as a number, ``[examples]``.
        clusters: The cluster (group of dependent examples) of each example, as a number or name, ``[examples]``; None
            if all are independent.
        seed: The seed of the random tables.

    Returns:
        The coefficient with interval and p-values; None with fewer than two gold labels, or fewer than two different
        answers.
    """
    import numpy as np

    labels = int(max(gold.max(initial=-1), answers.max(initial=-1))) + 1
    counts = np.zeros((labels, labels))
    np.add.at(counts, (gold, answers), 1)
    rows, columns = counts.sum(axis=1), counts.sum(axis=0)
    if (rows > 0).sum() < 2 or (columns > 0).sum() < 2:
        return None
    number = len(gold)
    g, p = rows / number, columns / number
    right, chance = np.trace(counts) / number, float(g @ p)
    coefficient = (right - chance) / math.sqrt((1 - g @ g) * (1 - p @ p))
    coefficient = float(np.clip(coefficient, -1, 1))
    _, places, sizes = np.unique(gold[:0] if clusters is None else clusters, return_inverse=True, return_counts=True)
    if 0 < len(sizes) < number:
        found = (np.eye(labels) - p[:, None] - g + chance)[np.ix_(rows > 0, columns > 0)]
        low, high = float(found.min()), float(found.max())
        terms = ((gold == answers) - p[gold] - g[answers] + chance - low) / (high - low)
        zero = -low / (high - low)
        # Few kinds of clusters make the test fast.
        rounded = np.round(np.bincount(places, weights=terms) / sizes * _STEPS) / _STEPS * sizes
        mean = Mean(Counter(zip(rounded, sizes, strict=True)), usual=zero)
        p_positive, p_negative = (mean.p_value(zero, side) for side in (Outcome.FAILED, Outcome.PASSED))
        scale = math.sqrt((1 - g @ g) * (1 - p @ p))
        ends = [(end - zero) * (high - low) / scale for end in mean.interval]
    else:
        p_positive, p_negative = _chances(rows, columns, np.trace(counts), seed)
        ends = [*_interval(counts, p_positive, p_negative)]
    return Association(
        coefficient=coefficient,
        interval=(min(max(ends[0], -1.0), coefficient), max(min(ends[1], 1.0), coefficient)),
        p_positive=p_positive,
        p_negative=p_negative,
    )


def _chances(rows: NDArray[np.float64], columns: NDArray[np.float64], right: float, seed: int) -> tuple[float, float]:
    """How often chance alone is right as often, and as seldom."""
    import numpy as np

    gold, said = np.flatnonzero(rows), np.flatnonzero(columns)
    same = np.isin(gold, said)
    cells = np.flatnonzero(same), np.searchsorted(said, gold[same])
    exact = len(gold) == len(said) == 2 and same.any()
    chances = (_of_two if exact else partial(_drawn, seed=seed))(rows[gold], columns[said], cells, right)
    positive, negative = (min(max(chance, sys.float_info.min), 1.0) for chance in chances)
    return positive, negative


_Cells = tuple["NDArray[np.int64]", "NDArray[np.int64]"]


def _of_two(rows: NDArray[np.float64], columns: NDArray[np.float64], cells: _Cells, right: float) -> list[float]:
    """Sum the probabilities of tables of two labels by two, by the count in a cell where answer and label agree."""
    row, column, number = int(rows[cells[0][0]]), int(columns[cells[1][0]]), int(rows.sum())
    count = int(right) if len(cells[0]) == 1 else (int(right) + row + column - number) // 2
    sides = ((count, column), (row - count, number - column))
    return [odds_tail((inside, row), (whole - inside, number - row)) for inside, whole in sides]


def _drawn(
    rows: NDArray[np.float64], columns: NDArray[np.float64], cells: _Cells, right: float, *, seed: int
) -> list[float]:
    """Draw tables: with more labels there are too many to list."""
    import numpy as np
    from scipy.special import ndtr
    from scipy.stats import random_table

    tables = max(1_000, min(_TABLES, _CELLS // (len(rows) * len(columns))))
    draws = random_table.rvs(rows.astype(np.int64), columns.astype(np.int64), size=tables, random_state=seed)
    by_chance = draws[:, cells[0], cells[1]].sum(axis=1)
    chances = []
    for extreme in (by_chance >= right, by_chance <= right):
        p_value = (1 + int(extreme.sum())) / (1 + tables)
        if not extreme.any() and (spread := float(by_chance.std())) > 0:  # farther out than so many tables show
            p_value = min(p_value, float(ndtr(-abs(right - by_chance.mean()) / spread)))
        chances.append(p_value)
    return chances


def _interval(counts: NDArray[np.float64], p_positive: float, p_negative: float) -> Interval:
    import numpy as np

    number = counts.sum()
    g, p = counts.sum(axis=1) / number, counts.sum(axis=0) / number
    total = number + _ADDED
    shares = (counts + _ADDED * np.outer(g, p)) / total
    chance, gg, pp = g @ p, g @ g, p @ p
    right = np.trace(shares)
    scale = math.sqrt((1 - gg) * (1 - pp))
    center = (right - chance) / scale
    # ∂R towards an example of gold label i and answer j.
    slope = (np.eye(len(g)) - right - (p - chance)[:, None] - (g - chance)[None, :]) / scale
    slope += center * ((g - gg)[:, None] / (1 - gg) + (p - pp)[None, :] / (1 - pp))
    spread = Z * math.sqrt(float((shares * slope**2).sum()) / total) / (1 - center**2)
    low, high = (math.tanh(math.atanh(center) + end) for end in (-spread, spread))
    return (
        max(low, _BESIDE_0) if p_positive <= LEVEL else min(low, 0.0),
        min(high, -_BESIDE_0) if p_negative <= LEVEL else max(high, 0.0),
    )
