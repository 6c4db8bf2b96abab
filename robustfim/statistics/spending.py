"""Exact tests of a rate at several interim looks at the data, with a known last look: error spending.

This module computes exactly, look after look, the probability that the counts cross a boundary if the rate equals its
limit. Each look may spend a part of the total error (Lan and DeMets 1983), including error that an earlier look could
not spend; its boundary is as close as this part allows. The time of a look may depend on which examples can be tested,
not on which of them fail. (With a limit for each arm, the arm that fails most is asked next, so its looks come sooner.
In 4,000 simulated runs with both rates at a limit of 10 %, 240 examples each, one arm failed in 2.3 % and passed in 2.2
%, of 2.5 % each.)
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache, partial
from typing import TYPE_CHECKING

from robustfim.outcome import Outcome
from robustfim.statistics.rate import LEVEL, Interval, last_rejected
from robustfim.statistics.strata import LOOK
from robustfim.statistics.tails import BESIDE

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

__all__ = ["Spending", "chance_to_decide", "ladder", "spending_interval", "spent"]

_EARLY = 0.7
"""The fraction of the error that is spent on a logarithmic scale of the draw, for early decisions; the rest is kept for
the end (O'Brien and Fleming 1979), so that the last look has nearly the power of a single test."""
_STEP = 1.2
_LEAST = 1e-7
_RIVALS = 24
_NEVER = 1e-17
_GRID = 32


def spent(level: Array, drawn: float, planned: float) -> Array:
    """Return how much of a sequential test's total error may be used up to an interim test (alpha spending).

    Args:
        level: The total error α, in (0, 1).
        drawn: Examples drawn up to the interim test, d in (0, planned].
        planned: The most examples to draw, D.

    Returns:
        With Φ the normal distribution and z its quantile of 1 − α / 2, α (0.7 log(1 + d / 32) / log(1 + D / 32) + 0.3 ·
        2 (1 − Φ(z / √(d / D))) / α). The result rises with d, up to α.
    """
    from scipy.special import ndtr, ndtri

    early = math.log1p(drawn / LOOK) / math.log1p(planned / LOOK)
    late: Array = 2 * ndtr(ndtri(level / 2) / math.sqrt(drawn / planned))
    return _EARLY * early * level + (1 - _EARLY) * late


@lru_cache(maxsize=1)
def ladder() -> Array:
    """Return the significance levels, descending, at which sequential tests are run to find a p-value.

    The levels are 0.025 divided by 1.1 to 24.1 (for 1 to 24 comparisons and the test of the gold labels), and further
    levels down to 1e-7, each smaller by a fifth.
    """
    import numpy as np

    steps = np.arange(math.ceil(math.log(LEVEL / _LEAST) / math.log(_STEP)) + 1.0)
    return np.unique(np.concatenate([LEVEL / (np.arange(1.0, _RIVALS + 1) + BESIDE), LEVEL * _STEP**-steps]))[::-1]


class Spending:
    """A sequential test of a failure rate against a limit, with exact interim tests (alpha spending).

    Args:
        limits: The limits, each in (0, 1): one, or ``[rows]``.
        levels: The significance level of each row, ``[rows]``; for a single limit descending.
        side: FAILED tests whether the rate is above the limit, PASSED whether it is below.
        planned: The most examples that may be drawn, ≥ 1.
    """

    def __init__(self, limits: float | Array, levels: Array, side: Outcome, planned: int) -> None:
        import numpy as np

        self._limits, self._levels = np.broadcast_to(np.asarray(limits, float), levels.shape), levels
        self._above, self._planned, self._nested = side is Outcome.FAILED, planned, np.ndim(limits) == 0
        self._mass, self._low, self._tested = np.ones((len(levels), 1)), 0, 0
        self._used = np.zeros(len(levels))
        self.rejected = np.zeros(len(levels), bool)
        """Whether any look so far rejected each row, ``[rows]``."""

    def take(self, drawn: int, tested: int, failing: int) -> NDArray[np.int64]:
        """Do an interim test with the counts so far.

        Args:
            drawn: Examples drawn so far, more than before, ≤ planned.
            tested: Drawn examples that could be tested.
            failing: Tested examples that fail.

        Returns:
            For each row the number of failing examples at which this interim test rejects: the least count above the
            limit, or the largest below; −1 if no count would.
        """
        import numpy as np
        from scipy.special import bdtr

        more = tested - self._tested
        upto = bdtr(np.arange(more + 1.0)[:, None], more, self._limits)
        chances = np.diff(upto, axis=0, prepend=0.0)
        width = self._mass.shape[1]
        mass = np.zeros((len(self._levels), width + more))
        for count, chance in enumerate(chances):
            if chance.max() > _NEVER:
                mass[:, count : count + width] += chance[:, None] * self._mass
        left = spent(self._levels, drawn, self._planned) - self._used
        way = slice(None, None, -1 if self._above else 1)
        beyond = (np.cumsum(mass[:, way], axis=1) <= left[:, None]).sum(axis=1)
        beyond = np.minimum.accumulate(beyond) if self._nested else beyond
        over = (np.arange(mass.shape[1]) < beyond[:, None])[:, way]
        place = mass.shape[1] - beyond if self._above else beyond - 1
        self._used = self._used + np.where(over, mass, 0.0).sum(axis=1)
        bounds = np.where(self._above | (place >= 0), place + self._low, -1)
        self.rejected |= (failing >= bounds) if self._above else (failing <= bounds)
        mass[over] = 0.0
        likely = np.flatnonzero(mass.max(axis=0) > _NEVER)
        first, last = (int(likely[0]), int(likely[-1]) + 1) if len(likely) else (0, 1)
        self._mass, self._low, self._tested = mass[:, first:last], self._low + first, tested
        return bounds

    @property
    def p_value(self) -> float:
        """The smallest level that any look rejected, for one limit; 1 if none did."""
        return float(self._levels[self.rejected].min(initial=1.0))


def spending_interval(looks: Sequence[tuple[int, int, int]], planned: int) -> Interval | None:
    """Return the 95 % interval of a failure rate after several interim tests, valid after each of them.

    The interval contains the limits that neither one-sided test rejects at 2.5 %, to 1e-5.

    Args:
        looks: Drawn, tested and failing examples at each interim test.
        planned: The most examples to draw.

    Returns:
        Lower and upper end, each in [0, 1], with the rate between them; None if nothing was tested.
    """
    import numpy as np

    if not looks or not looks[-1][1]:
        return None

    def rejected(limits: Array, side: Outcome) -> NDArray[np.bool_]:
        test = Spending(limits, np.full(_GRID, LEVEL), side, planned)
        for look in looks:
            test.take(*look)
        return test.rejected

    rate = looks[-1][2] / looks[-1][1]
    low = last_rejected(partial(rejected, side=Outcome.FAILED), 0.0, rate, among=_GRID)
    return low, last_rejected(partial(rejected, side=Outcome.PASSED), 1.0, rate, among=_GRID)


@lru_cache(maxsize=1024)
def chance_to_decide(rate: float, limit: float, level: float, examples: int) -> float:
    """Return the probability that a check with interim tests reaches a verdict within its budget of examples.

    Args:
        rate: The true rate, in [0, 1], other than the limit.
        limit: The limit, in (0, 1).
        level: The p-value that the verdict needs.
        examples: The budget: the most examples to test, ≥ 1.
    """
    import numpy as np
    from scipy.special import bdtr

    above = rate > limit
    test = Spending(limit, np.array([level]), Outcome.FAILED if above else Outcome.PASSED, examples)
    chances, certain, before = np.ones(1), 0.0, 0
    for number in [*range(LOOK, examples, LOOK), examples]:
        bound = int(test.take(number, number, 0)[0])
        chances = np.convolve(
            chances, np.diff(bdtr(np.arange(number - before + 1.0), number - before, rate), prepend=0)
        )
        over = slice(bound, None) if above else slice(0, bound + 1)
        certain += float(chances[over].sum())
        chances[over], before = 0.0, number
    return certain
