"""A rate: how many of those that were tested, with its interval, and how it is written."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = [
    "CONFIDENCE",
    "LEVEL",
    "POWER",
    "Z_POWER",
    "Interval",
    "Rate",
    "Z",
    "last_rejected",
    "percent",
    "times_to_decide",
    "wilson",
]

Interval = tuple[float, float]

CONFIDENCE = 0.95
"""The confidence of every interval shown; a verdict errs on one side with at most half of its complement."""

LEVEL = (1 - CONFIDENCE) / 2
"""The level of every one-sided test: how often a verdict may err on its side."""

Z = 1.959963984540054
"""The normal quantile of that confidence."""

POWER = 0.8
"""How often the examples decide that are said to: their number is told for this power."""

Z_POWER = 0.8416212335729143
"""The normal quantile of that power."""


def wilson(count: float, tested: float) -> Interval | None:
    """Wilson score interval of a rate (Wilson 1927), at 95 %.

    Args:
        count: Successes counted, 0 ≤ count ≤ tested.
        tested: Trials; of clusters, what they are worth in independent ones, not always a whole number.

    Returns:
        Lower and upper end, each in [0, 1]; None where nothing was tested.
    """
    if tested == 0:
        return None
    rate = count / tested
    centre = (rate + Z * Z / (2 * tested)) / (1 + Z * Z / tested)
    half = Z / (1 + Z * Z / tested) * math.sqrt(rate * (1 - rate) / tested + Z * Z / (4 * tested * tested))
    return (0.0 if count == 0 else max(0.0, centre - half)), (1.0 if count == tested else min(1.0, centre + half))


def last_rejected(
    rejected: Callable[[NDArray[np.float64]], NDArray[np.bool_]], outside: float, inside: float, *, among: int
) -> float:
    """Seek an end of an interval: the last limit that a test rejects on the way into it.

    Args:
        rejected: Which of some limits, ``[limits]``, the test rejects; none beyond one that it does not.
        outside: A limit that it rejects, or the end of the scale.
        inside: One that it does not, or the other end.
        among: Limits that it is asked about at a time; three times, each time between two of the last.

    Returns:
        The end, on the outer side, to within ``|outside − inside| / (among + 1)³``.
    """
    import numpy as np

    for _ in range(3):
        limits = np.linspace(outside, inside, among + 2)[1:-1]
        if limits[0] == limits[-1]:
            break
        place = int(np.argmin([*rejected(limits), False]))
        outside, inside = ([outside, *limits, inside][place + step] for step in (0, 1))
    return float(outside)


@dataclass(frozen=True)
class Rate:
    """A share of what was tested. As text: ``40 % [11.8, 76.9] of 5``, a dash where nothing was tested.

    Attributes:
        count: How many, 0 ≤ count ≤ tested.
        tested: Of how many.
        interval: Its 95 % interval, each end in [0, 1]: Wilson's unless another is given; None without a test.
        rate: In [0, 1]: ``count / tested`` unless another is given, as of arms that are weighted or of a mean; None
            where nothing was tested.
    """

    count: int
    tested: int
    interval: Interval | None = None
    rate: float | None = None

    def __post_init__(self) -> None:
        if self.interval is None:
            object.__setattr__(self, "interval", wilson(self.count, self.tested))
        if self.rate is None and self.tested:
            object.__setattr__(self, "rate", self.count / self.tested)

    @property
    def ends(self) -> Interval:
        """The interval, or all of [0, 1]: where nothing was tested, the rate may be any."""
        return self.interval or (0.0, 1.0)

    def __str__(self) -> str:
        return percent(self.rate, self.interval) + (f" of {self.tested:,}" if self.tested else "")


def times_to_decide(decides: Callable[[float], bool], most: float = 1_000_000, within: float = 0.01) -> float | None:
    """Find how many times the examples there are decide, by doubling and bisection.

    Args:
        decides: Whether so many times the examples do.
        most: The times beyond which no number is worth telling.
        within: The relative error.
    """
    low, high = 1.0, 2.0
    while not decides(high):
        low, high = high, 2 * high
        if high > most:
            return None
    while high - low > within * low:
        middle = (low + high) / 2
        low, high = (low, middle) if decides(middle) else (middle, high)
    return high


def percent(rate: float | None, interval: Interval | None = None, *, unit: str = "%") -> str:
    """Write a rate as a percentage: ``12.5 %``, or ``12.5 % [9.0, 16.2]``.

    Args:
        rate: In [0, 1], or a difference of two in [−1, 1]; a dash stands for None and what is not finite.
        interval: Its interval, to be written behind it.
        unit: ``points`` for a difference.
    """
    if rate is None or not math.isfinite(rate):
        return "–"
    text = f"{100 * rate:.1f}".removesuffix(".0") + f" {unit}"
    return text if interval is None else "{} [{:.1f}, {:.1f}]".format(text, *(100 * end for end in interval))
