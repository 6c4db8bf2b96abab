"""A rate: a count among tested examples, with its interval and its form as text."""

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
    "limit_of_answered",
    "percent",
    "times_to_decide",
    "wilson",
]

Interval = tuple[float, float]

CONFIDENCE = 0.95
"""The confidence of every interval shown. A verdict is wrong on one side with a probability of at most 2.5 %."""

LEVEL = (1 - CONFIDENCE) / 2
"""The level of every one-sided test: the largest probability of a wrong verdict on its side."""

Z = 1.959963984540054
"""The normal quantile for this confidence."""

POWER = 0.8
"""The power for which needed numbers of examples are computed."""

Z_POWER = 0.8416212335729143
"""The normal quantile for this power."""


def wilson(count: float, tested: float) -> Interval | None:
    """Return the 95 % Wilson score interval of a rate (Wilson 1927).

    Args:
        count: Successes counted, 0 ≤ count ≤ tested.
        tested: Trials; for dependent trials, the effective number, possibly not whole.

    Returns:
        Lower and upper end, each in [0, 1]; None if nothing was tested.
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
    """Find an end of a confidence interval by inverting a test: the outermost value that the test accepts.

    Args:
        rejected: Maps limits, ``[limits]``, to whether the test rejects each limit; from the first accepted limit
            inwards, the test accepts all.
        outside: A limit that the test rejects, or the end of the scale.
        inside: A limit that the test accepts, or the other end.
        among: The number of limits tested at a time, in each of three rounds.

    Returns:
        The end, rounded outwards, to within ``|outside − inside| / (among + 1)³``.
    """
    import numpy as np

    for _ in range(3):
        limits = np.linspace(outside, inside, among + 2)[1:-1]
        if limits[0] == limits[-1]:
            break
        place = int(np.argmin([*rejected(limits), False]))
        outside, inside = ([outside, *limits, inside][place + step] for step in (0, 1))
    return float(outside)


def limit_of_answered(limit: float, unanswered: float) -> float:
    """Return the limit of the answered examples: their rate r becomes r (1 − u) + u if all others fail.

    Args:
        limit: The limit of all examples, in [0, 1].
        unanswered: The fraction u of examples without an answer, in [0, 1).

    Returns:
        (limit − u) / (1 − u); below 0 if the unanswered examples alone exceed the limit.
    """
    return (limit - unanswered) / (1 - unanswered)


@dataclass(frozen=True)
class Rate:
    """A fraction of tested examples. As text: ``40 % [11.8, 76.9] of 5``, or a dash if nothing was tested.

    Attributes:
        count: The number of counted examples, such as failing ones, 0 ≤ count ≤ tested.
        tested: The number of tested examples.
        interval: The 95 % interval, each end in [0, 1]: Wilson's, unless another interval is given; None if nothing was
            tested.
        rate: The rate, in [0, 1]: ``count / tested``, unless a weighted rate or a mean is given; None if nothing was
            tested.
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
        """The 95 % interval of the rate, or [0, 1] if nothing was tested."""
        return self.interval or (0.0, 1.0)

    @property
    def weighted(self) -> bool:
        """Whether the rate is another number than ``count / tested``, such as a weighted mean over arms."""
        return self.rate is not None and self.tested > 0 and not math.isclose(self.rate, self.count / self.tested)

    @property
    def text(self) -> str:
        """The rate with its interval, as text: ``40 % [11.8, 76.9]``, or a dash if nothing was tested."""
        return percent(self.rate, self.interval)

    def __str__(self) -> str:
        return self.text + (f" of {self.tested:,}" if self.tested else "")


def times_to_decide(decides: Callable[[float], bool], most: float = 1_000_000, within: float = 0.01) -> float | None:
    """Find the factor by which the number of examples must grow for a clear verdict, by doubling and bisection.

    Args:
        decides: Returns whether a given factor is enough for a verdict.
        most: The largest factor to try; beyond it the result is None.
        within: The relative error of the factor.
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
        rate: A rate in [0, 1], or a difference of two rates in [−1, 1]; None and non-finite numbers give a dash.
        interval: The interval to write after the rate.
        unit: ``points`` for a difference.
    """
    if rate is None or not math.isfinite(rate):
        return "–"
    text = f"{100 * rate:.1f}".removesuffix(".0") + f" {unit}"
    return text if interval is None else "{} [{:.1f}, {:.1f}]".format(text, *(100 * end for end in interval))
