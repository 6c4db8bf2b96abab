"""A fit: how numbers of judges go together, and how well the result tells good pairs from bad ones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["Weights", "Within", "fit", "within"]

_RIDGE = 1.0
"""The weight of the penalty on squared weights, of standardised numbers."""
_ROUNDS = 50
_DRAWS = 2000


@dataclass(frozen=True)
class Weights:
    """How numbers are added up to the logarithm of the odds that a pair is good.

    Attributes:
        slopes: A weight for each judge.
        intercept: What is added.
    """

    slopes: tuple[float, ...]
    intercept: float

    def number(self, numbers: Sequence[float]) -> float:
        """Add the numbers of one pair up, ``[judges]``; −inf where one is, since its judge gave no verdict."""
        if any(number == -float("inf") for number in numbers):
            return -float("inf")
        return self.intercept + sum(slope * number for slope, number in zip(self.slopes, numbers, strict=True))


def fit(rows: Sequence[Sequence[float]], good: Sequence[bool]) -> Weights:
    """Fit a logistic regression with a ridge of 1 on standardised numbers, by Newton's method.

    Args:
        rows: The numbers of each pair, ``[pairs][judges]``, finite.
        good: Whether it is good; both kinds occur.
    """
    import numpy as np

    numbers, wanted = np.asarray(rows, float), np.asarray(good, float)
    middle, spread = numbers.mean(0), numbers.std(0)
    spread[spread == 0] = 1.0
    x = np.column_stack([(numbers - middle) / spread, np.ones(len(numbers))])
    penalty = np.diag([*[_RIDGE] * numbers.shape[1], 0.0])
    weights = np.zeros(x.shape[1])
    for _ in range(_ROUNDS):
        share = 1 / (1 + np.exp(-np.clip(x @ weights, -500, 500)))
        curvature = (x.T * (share * (1 - share) + 1e-9)) @ x + penalty
        step = np.linalg.solve(curvature, x.T @ (wanted - share) - penalty @ weights)
        weights += step
        if abs(step).max() < 1e-9:
            break
    slopes = weights[:-1] / spread
    return Weights(tuple(map(float, slopes)), float(weights[-1] - slopes @ middle))


@dataclass(frozen=True)
class Within:
    """How often, of a good and a bad pair of one perturbation, the good one has the larger number; ties count one half.

    Attributes:
        auroc: That share, over all such couples of pairs, in [0, 1].
        interval: 95 %, by drawing the pairs of each perturbation anew, 2,000 times from a fixed seed.
        p_value: How often it is as large where numbers are dealt out anew within each perturbation.
        pairs: Pairs of perturbations that have both kinds.
    """

    auroc: float
    interval: tuple[float, float]
    p_value: float
    pairs: int


def within(numbers: Sequence[float], good: Sequence[bool], groups: Sequence[str]) -> Within | None:
    """Measure how well numbers tell good from bad pairs within perturbations.

    Args:
        numbers: A number for each pair.
        good: Whether it is good.
        groups: Its perturbation.

    Returns:
        None where no perturbation has both kinds.
    """
    import numpy as np

    random = np.random.default_rng(0)
    above, drawn, dealt = 0.0, np.zeros(_DRAWS), np.zeros(_DRAWS)
    couples, drawn_couples, pairs = 0, np.zeros(_DRAWS), 0
    for group in dict.fromkeys(groups):
        its = [(number, is_good) for number, is_good, name in zip(numbers, good, groups, strict=True) if name == group]
        first = np.asarray([number for number, is_good in its if is_good])
        other = np.asarray([number for number, is_good in its if not is_good])
        if not (first.size and other.size):
            continue
        pairs += len(its)
        couples += first.size * other.size
        above += _above(first, other).sum()
        chosen = [_times(random, kind.size) for kind in (first, other)]
        drawn += ((chosen[0] @ _above(first, other)) * chosen[1]).sum(1)
        drawn_couples += first.size * other.size
        ranks = _ranks(np.concatenate([first, other]))
        shuffled = random.permuted(np.tile(ranks, (_DRAWS, 1)), axis=1)[:, : first.size].sum(1)
        dealt += shuffled - first.size * (first.size + 1) / 2  # Mann and Whitney's U
    if not couples:
        return None
    low, high = np.quantile(drawn / drawn_couples, [0.025, 0.975])
    reached = int((dealt >= above - 1e-9).sum())
    return Within(above / couples, (float(low), float(high)), (1 + reached) / (1 + _DRAWS), pairs)


def _above(first: NDArray[Any], other: NDArray[Any]) -> NDArray[Any]:
    result: NDArray[Any] = (first[:, None] > other[None, :]) + 0.5 * (first[:, None] == other[None, :])
    return result


def _times(random: Any, size: int) -> NDArray[Any]:
    """How often each is drawn, ``[draws, size]``."""
    result: NDArray[Any] = random.multinomial(size, [1 / size] * size, _DRAWS)
    return result


def _ranks(numbers: NDArray[Any]) -> NDArray[Any]:
    from scipy.stats import rankdata

    result: NDArray[Any] = rankdata(numbers)
    return result
