"""Assurance: the probability that a suite ends conclusively, averaged over the uncertainty of its failure rates.

The power of a rate that is known, averaged over what a pilot says that the rate may be (O'Hagan, Stevens and Campbell
2005). Runs are simulated whole, and judged as a run judges: passing by :func:`robustfim.statistics.tails.tail` at full
level each, failing after Holm's correction.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from robustfim.statistics import LEVEL, Z

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["Piloted", "Runs", "grown", "judged", "piloted_rates"]

_LEVELS = tuple(step / 2 for step in range(-10, 4))
"""Means that the log odds of the rates may have, above those of their limits, all as likely."""
_SPREADS = {0.05: 0.1, 0.15: 0.12, 0.3: 0.17, 0.5: 0.22, 0.8: 0.25, 1.2: 0.24, 1.8: 0.14, 2.6: 0.03}
"""Their standard deviations, and how likely each is: half normal, with a scale of 1."""
_BINS = 441
"""Log odds from 7 below those of the limit to 4 above, at which a rate is looked at."""
_DRAWS = 2000
_STEP = 1.05
"""Each number of examples that is tried, to the one before."""
_FIRST = 16
_MANY = 1_000_000
"""Examples beyond which no number is worth telling."""


@dataclass(frozen=True, slots=True)
class Piloted:
    """One comparison of a rate with a limit, with the results of a pilot.

    Attributes:
        limit: The limit, in (0, 1).
        failing: Failing examples of the pilot; of clusters, and of unequal parts, what they are worth.
        tested: Its tested ones, ≥ failing.
        share: How many independent tested examples one drawn example gives, in (0, 1].
        rate: The rate to assume in place of the pilot's; None to use the pilot's.
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
        decided: For each number, the fraction of runs that decide each comparison, ``[numbers, comparisons]``.
        codes: For each number, the fractions of runs with exit codes 0, 1 and 6, ``[numbers, 3]``.
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
        self.rates = piloted_rates(aims, self._random)
        self.counts = np.zeros(self.rates.shape, dtype=np.int64)
        self.tested = np.zeros(len(aims), dtype=np.int64)

    def grow(self, tested: NDArray[np.int64]) -> None:
        self.counts += self._random.binomial(tested - self.tested, self.rates)
        self.tested = tested


def piloted_rates(aims: Sequence[Piloted], random: np.random.Generator) -> NDArray[np.float64]:
    """Draw the rates of a suite from what its pilot leaves open.

    The rates of one model on one set of data resemble each other: their log odds, less those of their limits, are
    normal around a mean that is common to them, and how much they spread they tell themselves (Gelman et al. 2013,
    ch. 5). Mean and spread are drawn from their posterior on a grid, and each rate from its own, given these.

    Args:
        aims: The comparisons of the suite, at least one.
        random: Draws.

    Returns:
        2,000 draws of the rates, each in (0, 1), ``[draws, comparisons]``; a rate that is feared is itself.
    """
    import numpy as np
    from scipy.special import expit, logit

    rates = np.empty((_DRAWS, len(aims)))
    above = np.linspace(-7.0, 4.0, _BINS)
    means, spreads = (part.ravel() for part in np.meshgrid(_LEVELS, list(_SPREADS), indexing="ij"))
    known = np.exp(-(((above - means[:, None]) / spreads[:, None]) ** 2) / 2)
    known /= known.sum(axis=1, keepdims=True)
    logs = np.log(np.tile(list(_SPREADS.values()), len(_LEVELS)))
    likely = {}
    for place, aim in enumerate(aims):
        if aim.rate is not None:
            rates[:, place] = aim.rate
            continue
        odds = above + logit(aim.limit)
        log = aim.failing * odds - aim.tested * np.logaddexp(0, odds)
        likely[place] = known * np.exp(log - log.max())
        logs = logs + np.log(np.maximum(likely[place].sum(axis=1), 1e-300))
    weights = np.exp(logs - logs.max())
    drawn = random.choice(len(logs), _DRAWS, p=weights / weights.sum())
    for place, each in likely.items():
        upto = np.cumsum(each, axis=1)[drawn]
        found = (upto < random.random((_DRAWS, 1)) * upto[:, -1:]).sum(axis=1)
        jitter = (random.random(_DRAWS) - 0.5) * (above[1] - above[0])
        rates[:, place] = expit(above[found] + jitter + logit(aims[place].limit))
    return rates


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
    above, p_values = counts / tested > limits + spread, np.ones(counts.shape)
    where = above.nonzero()[1]  # few lie there
    p_values[above] = bdtrc(counts[above] - 1.0, tested[where], limits[where])
    order = np.argsort(p_values, axis=1)
    number = len(limits)
    stands = np.take_along_axis(p_values, order, axis=1) <= LEVEL / (number - np.arange(number))
    fails = np.zeros(counts.shape, dtype=bool)
    np.put_along_axis(fails, order, np.logical_and.accumulate(stands, axis=1), axis=1)
    sides: NDArray[np.int8] = fails.astype(np.int8) - (counts <= most)
    return sides


def grown(aims: Sequence[Piloted], drawn: Sequence[int] = (), *, until: float = 1.0, seed: int = 0) -> Runs:
    """Simulate runs of a suite, judged at growing numbers of drawn examples.

    Given their rates, which are drawn together, the comparisons fail independently of each other. A run of more
    examples is one of fewer, gone on with.

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
