"""Power: how often so many examples decide, and how many it takes. Exact, by summing over all counts."""

from __future__ import annotations

import math
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

    rate, limit = aim.rate, aim.limit
    spread = Z * math.sqrt(limit * (1 - limit) / tested)
    if rate > limit:
        # The smallest count k with P(K ≥ k | limit) ≤ level; Wilson's lower end is above it where k/n > L + spread.
        least = _near(1 - level, tested, limit)
        least += next(step for step in range(tested + 2) if bdtrc(least + step - 1, tested, limit) <= level)
        least = max(least, math.floor(tested * (limit + spread)) + 1)
        return float(bdtrc(least - 1, tested, rate)) if least <= tested else 0.0
    # The largest count k with P(K ≤ k | limit) ≤ level.
    most = _near(level, tested, limit) + 1
    most -= next(step for step in range(most + 2) if most < step or bdtr(most - step, tested, limit) <= level)
    most = min(most, math.ceil(tested * (limit - spread)) - 1)
    return float(bdtr(most, tested, rate)) if most >= 0 else 0.0


def _near(probability: float, tested: int, rate: float) -> int:
    """A count from 0 on at or just below a binomial quantile."""
    from scipy.special import bdtrik

    quantile = float(bdtrik(probability, tested, rate))
    return max(0, math.floor(quantile)) if quantile > 0 else 0


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
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if power(middle) >= wanted else (middle, high)
    return high


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
    level = LEVEL / comparisons if aim.rate > aim.limit else LEVEL
    numbers: dict[float, int | None] = {}
    for power in powers:
        once = examples_for(partial(limit_power, aim, level=level), power)

        def decides(step: int, once: int = once or 1) -> float:
            return chance_to_decide(aim.rate, aim.limit, level, math.ceil(once * (0.8 + step / 50)))

        step = None if once is None or once > _LONG else examples_for(decides, power)
        numbers[power] = None if step is None or once is None else math.ceil(once * (0.8 + step / 50))
    return numbers
