"""Assurance: how often a suite will end decided, with the uncertainty of the rates that are planned for.

The power of a rate that is known, averaged over what a pilot says that the rate may be (O'Hagan, Stevens and Campbell
2005). Runs are simulated whole, and judged as a run judges: passing by :func:`robustfim.statistics.tails.tail` at full
level each, failing after Holm's correction.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from robustfim.statistics.rate import LEVEL, Z

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["Piloted", "Runs", "grown", "judged"]

_PRIOR = 1 / 3
"""The neutral prior Beta(⅓, ⅓): the median of its posterior is all but the share itself (Kerman 2011)."""
_DRAWS = 2000
_STEP = 1.05
"""Each number of examples that is tried, to the one before."""
_FIRST = 16
_MANY = 1_000_000
"""Examples beyond which no number is worth telling."""


@dataclass(frozen=True, slots=True)
class Piloted:
    """What one comparison is to decide, as a pilot tells it.

    Attributes:
        limit: The limit, in (0, 1).
        failing: Failing examples of the pilot; of clusters, and of unequal parts, what they are worth.
        tested: Its tested ones, ≥ failing.
        share: How many independent tested examples one drawn example gives, in (0, 1].
        rate: The rate that is feared in place of the pilot's; None for that.
    """

    limit: float
    failing: float
    tested: float
    share: float = 1.0
    rate: float | None = None


@dataclass(frozen=True)
class Runs:
    """Simulated runs of a suite, of growing size.

    Attributes:
        drawn: Numbers of drawn examples, ascending, ``[numbers]``.
        decided: For each of them the share of runs that decide each comparison, ``[numbers, comparisons]``.
        codes: For each the shares that end with 0, 1 and 6, ``[numbers, 3]``.
    """

    drawn: NDArray[np.int64]
    decided: NDArray[np.float64]
    codes: NDArray[np.float64]

    def first(self, comparison: int, power: float) -> int | None:
        """Tell how many drawn examples decide one comparison so often; None where a million are too few.

        Args:
            comparison: Its place.
            power: How often, in (0, 1).
        """
        enough = self.decided[:, comparison] >= power
        return int(self.drawn[enough.argmax()]) if enough.any() else None


class _Growing:
    """Examples that are tested one after the other, in many simulated runs at once."""

    def __init__(self, aims: Sequence[Piloted], seed: int) -> None:
        import numpy as np

        self._random = np.random.default_rng(seed)
        self.rates = np.column_stack([self._rates(each) for each in aims])
        self.counts = np.zeros(self.rates.shape, dtype=np.int64)
        self.tested = np.zeros(len(aims), dtype=np.int64)

    def _rates(self, aim: Piloted) -> Any:
        import numpy as np

        if aim.rate is not None:
            return np.full(_DRAWS, aim.rate)
        return self._random.beta(aim.failing + _PRIOR, aim.tested - aim.failing + _PRIOR, _DRAWS)

    def grow(self, tested: NDArray[np.int64]) -> None:
        self.counts += self._random.binomial(tested - self.tested, self.rates)
        self.tested = tested


def judged(counts: NDArray[np.int64], tested: NDArray[np.int64], limits: NDArray[np.float64]) -> NDArray[np.int8]:
    """Compare counts of many runs with their limits, as :func:`tail` and Holm's correction do those of one.

    Args:
        counts: Failing examples, ``[runs, comparisons]``.
        tested: Tested ones, each ≥ 1, ``[comparisons]``.
        limits: Each in (0, 1), ``[comparisons]``.

    Returns:
        1 where a comparison fails, −1 where it passes, else 0, ``[runs, comparisons]``.
    """
    import numpy as np
    from scipy.special import bdtr, bdtrc, bdtrik

    spread = Z * np.sqrt(limits * (1 - limits) / tested)
    most = np.floor(bdtrik(LEVEL, tested, limits) + 1e-9)
    most = np.where(bdtr(0, tested, limits) > LEVEL, -1, most - (bdtr(most, tested, limits) > LEVEL))
    most = np.minimum(most, np.ceil(tested * (limits - spread)) - 1)
    p_values = np.where(counts / tested > limits + spread, bdtrc(counts - 1.0, tested, limits), 1.0)
    order = np.argsort(p_values, axis=1)
    number = len(limits)
    stands = np.take_along_axis(p_values, order, axis=1) <= LEVEL / (number - np.arange(number))
    fails = np.zeros(counts.shape, dtype=bool)
    np.put_along_axis(fails, order, np.logical_and.accumulate(stands, axis=1), axis=1)
    sides: NDArray[np.int8] = fails.astype(np.int8) - (counts <= most)
    return sides


def grown(aims: Sequence[Piloted], drawn: Sequence[int] = (), *, until: float = 1.0, seed: int = 0) -> Runs:
    """Simulate runs of a suite, judged at growing numbers of drawn examples.

    The comparisons are taken to fail independently of each other. A run of more examples is one of fewer, gone on with.

    Args:
        aims: The comparisons of the suite, at least one.
        drawn: The numbers, ascending; all of those from 16 to a million in steps of 5 % by default.
        until: The share of runs, in (0, 1], that is to decide each comparison before a default stops.
        seed: Seeds the simulation.
    """
    import numpy as np

    growing = _Growing(aims, seed)
    limits, shares = (np.array([getattr(each, name) for each in aims]) for name in ("limit", "share"))
    steps = round(math.log(_MANY / _FIRST) / math.log(_STEP))
    numbers = drawn or sorted({round(_FIRST * _STEP**step) for step in range(steps + 1)})
    decided, codes = [], []
    for number in numbers:
        tested = np.maximum(1, np.rint(number * shares)).astype(np.int64)
        growing.grow(tested)
        sides = judged(growing.counts, tested, limits)
        failed, passed = (sides > 0).any(axis=1), (sides < 0).all(axis=1)
        decided.append((sides != 0).mean(axis=0))
        codes.append((passed.mean(), failed.mean(), (~(failed | passed)).mean()))
        if not drawn and (decided[-1] >= until).all():
            break
    return Runs(np.array(numbers[: len(decided)]), np.array(decided), np.array(codes))
