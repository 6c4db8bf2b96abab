"""Axes: round numbers for ticks, and bins for many numbers."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from robustfim_drawing.number import decimal, power

__all__ = ["Bins", "bins_for", "nice_ceiling", "nice_step", "ticks"]

_TAIL, _MANY = 0.1, 100
"""The outermost hundredth of so many numbers or more is taken together where it takes more of the width than this."""
_DECADES = (0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100)
"""Widths a bin of a logarithmic axis can have."""
_MOST = 28
"""The approximate number of bins."""
_REACH, _LARGEST = 300, 1e300
"""Numbers further out are drawn at the end of the axis: their differences would not be finite."""


def nice_step(span: float, parts: int) -> float:
    """Return a round step, 1, 2 or 5 times a power of ten, that divides ``span`` (> 0) into about ``parts`` parts."""
    rough = span / parts
    base = 10.0 ** math.floor(math.log10(rough))
    return next((m * base for m in (1, 2, 5) if rough <= m * base * (1 + 1e-9)), 10 * base)


def nice_ceiling(number: float, parts: int) -> tuple[float, float]:
    """Return a round number at or above ``number`` (> 0), and the step of about ``parts`` ticks up to it."""
    step = nice_step(number, parts)
    return math.ceil(number / step - 1e-9) * step, step


def ticks(low: float, high: float, parts: int = 6) -> list[float]:
    """Return about ``parts`` round numbers in a range: multiples of 1, 2 or 5 times a power of ten.

    Args:
        low: The lower end.
        high: The upper end, > ``low``.
        parts: The approximate number of ticks.
    """
    step = nice_step(high - low, parts)
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return [index * step for index in range(first, last + 1)]


@dataclass(frozen=True)
class Bins:
    """A linear or logarithmic axis divided into bins of equal width.

    A place on the axis is a number of bins from the left end.

    Attributes:
        edges: Edges of the bins, ascending; ``[bins + 1]``.
        log: Whether the axis is logarithmic.
        zero: Whether an extra first bin holds the zeros, which have no place on a logarithmic axis.
        below: Whether an extra first bin holds all numbers below the axis.
        above: Whether an extra last bin holds all numbers above the axis.
    """

    edges: tuple[float, ...]
    log: bool
    zero: bool
    below: bool = False
    above: bool = False

    @property
    def _first(self) -> int:
        """The bins before the axis itself."""
        return int(self.zero or self.below)

    def __len__(self) -> int:
        """Count the bins, those beside the axis included."""
        return self._first + len(self.edges) - 1 + self.above

    def place(self, number: float) -> float:
        """Return the place of a number on the axis, from 0 to the number of bins."""
        low, high = self.edges[0], self.edges[-1]
        if self.above and number > high:
            return len(self) - 0.5
        if (self.below and number < low) or (self.zero and number <= 0):
            return 0.5
        if self.log:
            fraction = (
                (math.log10(number) - math.log10(low)) / (math.log10(high) - math.log10(low)) if number > 0 else 0
            )
        else:
            fraction = (number - low) / (high - low)
        return self._first + (len(self.edges) - 1) * min(max(fraction, 0.0), 1.0)

    def slot(self, number: float) -> int:
        """Return the index of the bin of a number."""
        if (self.zero and number <= 0) or (self.below and number < self.edges[0]):
            return 0
        if self.above and number > self.edges[-1]:
            return len(self) - 1
        return self._first + sum(1 for edge in self.edges[1:-1] if number >= edge)

    def names(self) -> list[str]:
        """Describe each bin: ``0.1 to 0.2``, ``above 5``."""
        first = ["0"] if self.zero else [f"below {decimal(self.edges[0])}"] if self.below else []
        last = [f"above {decimal(self.edges[-1])}"] if self.above else []
        return [*first, *(f"{decimal(a)} to {decimal(b)}" for a, b in pairwise(self.edges)), *last]

    def ticks(self) -> list[tuple[float, str]]:
        """Return up to nine places with their labels, including the extra bins at both ends."""
        low, high = self.edges[0], self.edges[-1]
        first = [(0.5, "0" if self.zero else f"< {decimal(low)}")] if self._first else []
        last = [(len(self) - 0.5, f"> {decimal(high)}")] if self.above else []
        return [*first, *self._inner(), *last]

    def _inner(self) -> list[tuple[float, str]]:
        """The labelled places of the axis itself."""
        low, high = self.edges[0], self.edges[-1]
        if self.log:
            first, last = math.ceil(math.log10(low) - 1e-9), math.floor(math.log10(high) + 1e-9)
            every = max(1, math.ceil((last - first) / 6))
            return [(self.place(10.0**k), power(k)) for k in range(first, last + 1, every)]
        places = max(0, -math.floor(math.log10(nice_step(high - low, 5))))
        return [
            (self.place(tick), f"{tick:,.{places}f}".replace("-", "−") if places < 5 else decimal(tick))
            for tick in ticks(low, high, 5)
        ]


def bins_for(numbers: Sequence[float]) -> Bins:
    """Choose bins for numbers; logarithmic bins if no number is negative and the numbers span more than two decades.

    Args:
        numbers: Finite numbers, at least one.

    Returns:
        An axis with a bin for every number. If the outermost hundredth of the numbers would take much of the width, the
        axis runs from the 1st to the 99th percentile, and an extra bin holds the rest.
    """
    low, high = max(min(numbers), -_LARGEST), min(max(numbers), _LARGEST)
    positive = [number for number in numbers if number > 0]
    if low >= 0 and positive and math.log10(high) - math.log10(min(positive)) > 2:
        start, end, below, above = _middle([math.log10(min(number, _LARGEST)) for number in positive])
        below = below and low > 0
        start = start if below else math.log10(min(positive))
        unit = next(width for width in _DECADES if end - start <= _MOST * width)
        first, last = math.floor(start / unit + 1e-9), math.ceil(end / unit - 1e-9)
        exponents = (min(max(i * unit, -_REACH), _REACH) for i in range(first, last + 1))
        edges = tuple(10.0**exponent for exponent in exponents)
        return Bins(edges, log=True, zero=low == 0, below=below and low < edges[0], above=above and high > edges[-1])
    if high - low <= max(1e-12 * max(abs(low), abs(high)), 1 / _LARGEST):
        reach = abs(low) / 2 or 0.5
        return Bins((low - reach, low + reach), log=False, zero=False)
    start, end, below, above = _middle([min(max(number, low), high) for number in numbers])
    step = nice_step(end - start, _MOST)
    first, last = math.floor(start / step + 1e-9), math.ceil(end / step - 1e-9)
    edges = tuple(i * step for i in range(first, max(last, first + 1) + 1))
    return Bins(edges, log=False, zero=False, below=below and low < edges[0], above=above and high > edges[-1])


def _middle(numbers: list[float]) -> tuple[float, float, bool, bool]:
    """Where most numbers lie: the ends of the axis, and whether a tail below and one above are cut off."""
    numbers = sorted(numbers)
    low, high, last = numbers[0], numbers[-1], len(numbers) - 1
    least, most = numbers[math.floor(0.01 * last)], numbers[math.ceil(0.99 * last)]
    if last + 1 < _MANY or most <= least:
        return low, high, False, False
    below, above = least - low > _TAIL * (high - low), high - most > _TAIL * (high - low)
    return least if below else low, most if above else high, below, above
