"""Power: how often some number of examples decides a check, and how many are needed, by exact sums."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache, partial

from robustfim.statistics.rate import LEVEL, POWER
from robustfim.statistics.spending import chance_to_decide
from robustfim.statistics.tails import exact_tails

__all__ = [
    "Aim",
    "examples_for",
    "examples_to_decide",
    "limit_power",
    "sequential_examples",
]

_MANY = 1_000_000
"""Larger suggested sample sizes are not reported."""
_LONG = 10_000
"""Larger suggested budgets are not reported."""


@dataclass(frozen=True, slots=True)
class Aim:
    """A true failure rate assumed for planning, and the limit with which a check compares the rate.

    Attributes:
        rate: The assumed true failure rate, in [0, 1].
        limit: The limit, in (0, 1), different from the rate.
    """

    rate: float
    limit: float

    @property
    def fails(self) -> bool:
        """Whether the true rate is above the limit."""
        return self.rate > self.limit


@cache
def limit_power(aim: Aim, tested: int, level: float = LEVEL) -> float:
    """Return the probability that a check finds on which side of its limit the true failure rate lies.

    Args:
        aim: The true rate and the limit.
        tested: Examples tested, ≥ 1.
        level: The p-value needed for a verdict: 0.025, or less for a failure (see Holm's correction for several
            checks).

    Returns:
        The probability, in [0, 1], that the Wilson interval lies on the true side and the exact p-value is at most
        ``level``.
    """
    from scipy.special import bdtr, bdtrc

    rate, limit, counts = aim.rate, aim.limit, range(tested + 1)
    if aim.fails:
        least = bisect_left(counts, True, key=lambda k: exact_tails(k, tested, limit)[0] <= level)
        return float(bdtrc(least - 1, tested, rate)) if least <= tested else 0.0
    most = bisect_left(counts, True, key=lambda k: exact_tails(k, tested, limit)[1] > level) - 1
    return float(bdtr(most, tested, rate)) if most >= 0 else 0.0


def examples_for(power: Callable[[int], float], wanted: float) -> int | None:
    """Find how many examples give a test the wanted power (probability of a right verdict).

    Args:
        power: Maps a number of examples to its power, in (0, 1).
        wanted: The power wanted, in (0, 1).

    Returns:
        The number, ≥ 1; None if a million are too few.
    """
    low, high = 0, 16
    while power(high) < wanted:
        if high >= _MANY:
            return None
        low, high = high, min(2 * high, _MANY)
    return bisect_left(range(high), True, lo=low + 1, key=lambda number: power(number) >= wanted)


@lru_cache(maxsize=1024)
def examples_to_decide(
    rate: float, tested: float, limit: float, comparisons: float = 1, *, sequential: bool = False
) -> int | None:
    """Estimate how many more examples a check needs for a clear verdict, with 80 % probability.

    Args:
        rate: The observed failure rate, in [0, 1], taken as the true rate.
        tested: The number of independent examples tested so far, > 0.
        limit: The limit, in [0, 1].
        comparisons: The number of tests for which the p-value is corrected, ≥ 1.
        sequential: Whether the check has a budget and tests repeatedly; the result is then the number of examples to
            draw.

    Returns:
        Examples to add, ≥ 1; None if the rate equals the limit, the limit is 0 or 1, or a million are too few.
    """
    if rate == limit or not 0 < limit < 1:
        return None
    aim = Aim(rate, limit)
    if sequential:
        needed = sequential_examples(aim, [POWER], comparisons)[POWER]
    else:
        needed = examples_for(partial(limit_power, aim, level=LEVEL / comparisons), POWER)
    return None if needed is None else max(1, math.ceil(needed - tested))


def sequential_examples(aim: Aim, powers: Sequence[float], comparisons: float = 1) -> dict[float, int | None]:
    """Find how many examples a check with interim tests needs to reach a verdict with given probabilities.

    Args:
        aim: The true rate and the limit.
        powers: The probabilities of a verdict, each in (0, 1).
        comparisons: The number of comparisons in the suite, for which the p-value is corrected.

    Returns:
        Probability to number of tested examples, exact to 2 %; None if more than ten thousand would be needed.
    """
    level = LEVEL / comparisons if aim.fails else LEVEL
    once = {power: examples_for(partial(limit_power, aim, level=level), power) for power in powers}
    return {
        power: None if number is None or number > _LONG else _with_looks(aim, level, power, number)
        for power, number in once.items()
    }


def _with_looks(aim: Aim, level: float, power: float, once: int) -> int | None:
    """The budget with a power, from four fifths of what one look at the end takes in steps of a fiftieth."""

    def budget(step: int) -> int:
        return math.ceil(once * (40 + step) / 50)

    step = examples_for(lambda step: chance_to_decide(aim.rate, aim.limit, level, budget(step)), power)
    return None if step is None else budget(step)
