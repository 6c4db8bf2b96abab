"""Power: how often so many examples decide, and how many it takes. Exact, by summing over all counts."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache, partial

from robustfim.statistics.rate import LEVEL, POWER, Z
from robustfim.statistics.spending import chance_to_decide

__all__ = [
    "Aim",
    "examples_for",
    "examples_to_decide",
    "limit_power",
    "sequential_examples",
]

_MANY = 1_000_000
"""Examples beyond which no number is worth telling."""
_LONG = 10_000
"""Examples beyond which no budget is worth telling."""


@dataclass(frozen=True, slots=True)
class Aim:
    """What one comparison is to decide.

    Attributes:
        rate: The true failure rate that is feared or hoped for, in [0, 1].
        limit: The limit, in (0, 1), not the rate itself.
    """

    rate: float
    limit: float

    @property
    def fails(self) -> bool:
        """Whether the rate is above the limit."""
        return self.rate > self.limit


@cache
def limit_power(aim: Aim, tested: int, level: float = LEVEL) -> float:
    """Tell how often a check is decided on the true side of its limit.

    Args:
        aim: The true rate and the limit.
        tested: Examples tested, ≥ 1.
        level: The p-value that its verdict needs: 0.025; of one that fails, over the number that Holm's procedure
            leaves.

    Returns:
        The probability, in [0, 1]: that the Wilson interval lies on that side and the exact p-value is small enough.
    """
    from scipy.special import bdtr, bdtrc

    rate, limit, counts = aim.rate, aim.limit, range(tested + 1)
    spread = Z * math.sqrt(limit * (1 - limit) / tested)
    if aim.fails:
        # The smallest count k with P(K ≥ k | limit) ≤ level; Wilson's lower end is above it where k/n > L + spread.
        least = bisect_left(counts, True, key=lambda k: bdtrc(k - 1, tested, limit) <= level)
        least = max(least, math.floor(tested * (limit + spread)) + 1)
        return float(bdtrc(least - 1, tested, rate)) if least <= tested else 0.0
    # The largest count k with P(K ≤ k | limit) ≤ level.
    most = bisect_left(counts, True, key=lambda k: bdtr(k, tested, limit) > level) - 1
    most = min(most, math.ceil(tested * (limit - spread)) - 1)
    return float(bdtr(most, tested, rate)) if most >= 0 else 0.0


def examples_for(power: Callable[[int], float], wanted: float) -> int | None:
    """Find how many examples have a power, by doubling and bisection.

    Args:
        power: The power of a number of examples; it may fall a little from one number to the next.
        wanted: The power wanted, in (0, 1).

    Returns:
        The number, ≥ 1; None where a million are too few.
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
    """Find how many more examples decide in 80 % of cases, were the true rate the one that was found.

    Args:
        rate: The failure rate found, in [0, 1].
        tested: Independent examples that it was found in, > 0.
        limit: The limit, in [0, 1].
        comparisons: The comparisons among which this one must stand, ≥ 1.
        sequential: Whether the check looks again and again, as with a budget; then they are the examples that it draws.

    Returns:
        Examples to add, ≥ 1; None where the rate is the limit itself, the limit is 0 or 1, or a million are too few.
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
    """Find the budget with which a check is certain so often.

    Args:
        aim: The true rate and the limit.
        powers: How often, each in (0, 1).
        comparisons: The comparisons of the suite: where it fails, it has to be certain whatever the others say.

    Returns:
        Tested examples by power, to 2 %; None where one look at the end takes more than ten thousand.
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
