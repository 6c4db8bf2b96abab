"""A scale for a chart: from a number to a place in percent of the width, and where its ticks are."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from robustfim_html.number import decimal, power

__all__ = ["Axis", "axis_for", "nice_ceiling", "nice_step"]

_END_SLOT = 5.0
"""Percent of the width of a slot beside the axis: zeros of a logarithmic one, and what lies far out."""
_TAIL, _MANY = 0.1, 100
"""The outermost hundredth of so many numbers or more is taken together where it takes more of the width than this."""
_DECADES = (0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100)
"""Widths a bin of a logarithmic axis can have."""
_REACH, _LARGEST = 300, 1e300
"""Numbers further out are drawn at the end of the axis: their differences would not be finite."""


def nice_step(span: float, parts: int) -> float:
    """Return 1, 2 or 5 times a power of ten, such that about ``parts`` of them make ``span`` (> 0)."""
    rough = span / parts
    base = 10.0 ** math.floor(math.log10(rough))
    return next((m * base for m in (1, 2, 5) if rough <= m * base * 1.0000001), 10 * base)


def nice_ceiling(number: float, parts: int) -> tuple[float, float]:
    """Return a round number at or above ``number`` (> 0) and the step of about ``parts`` ticks up to it."""
    step = nice_step(number, parts)
    return math.ceil(number / step - 1e-9) * step, step


@dataclass(frozen=True)
class Axis:
    """A linear or logarithmic scale cut into bins.

    Attributes:
        edges: Ends of the bins, ascending; ``[bins + 1]``.
        log: Whether equal distances are equal ratios.
        zero: Whether a first slot beside the axis holds the zeros that a logarithm has no place for.
        below: Whether a first slot holds all numbers below the axis.
        above: Whether a last slot holds all numbers above it.
    """

    edges: tuple[float, ...]
    log: bool
    zero: bool
    below: bool = False
    above: bool = False

    @property
    def _ends(self) -> tuple[float, float]:
        """Where the axis itself begins and ends, in percent of the width."""
        start = _END_SLOT + 2 if self.zero or self.below else 0.0
        return start, 98 - _END_SLOT if self.above else 100.0

    def place(self, number: float) -> float:
        """Return the place of a number in percent of the width, 0 to 100."""
        low, high = self.edges[0], self.edges[-1]
        if self.above and number > high:
            return 100 - _END_SLOT / 2
        if self.below and number < low:
            return _END_SLOT / 2
        if self.log:
            if number <= 0:
                return _END_SLOT / 2 if self.zero else 0.0
            share = (math.log10(number) - math.log10(low)) / (math.log10(high) - math.log10(low))
        else:
            share = (number - low) / (high - low)
        start, end = self._ends
        return start + (end - start) * min(max(share, 0.0), 1.0)

    def slots(self) -> list[tuple[float, float]]:
        """Return where each bin is drawn, left and right in percent; the slots beside the axis come first and last."""
        first = [(0.0, _END_SLOT)] if self.zero or self.below else []
        last = [(100 - _END_SLOT, 100.0)] if self.above else []
        return [*first, *pairwise(self.place(edge) for edge in self.edges), *last]

    def slot(self, number: float) -> int:
        """Return the index in ``slots()`` that a number belongs to."""
        first = int(self.zero or self.below)
        if (self.zero and number <= 0) or (self.below and number < self.edges[0]):
            return 0
        if self.above and number > self.edges[-1]:
            return first + len(self.edges) - 1
        return first + sum(1 for edge in self.edges[1:-1] if number >= edge)

    def names(self) -> list[str]:
        """Describe each slot for a table: ``0.1 to 0.2``, ``above 5``."""
        first = ["0"] if self.zero else [f"below {decimal(self.edges[0])}"] if self.below else []
        last = [f"above {decimal(self.edges[-1])}"] if self.above else []
        return [*first, *(f"{decimal(a)} to {decimal(b)}" for a, b in pairwise(self.edges)), *last]

    def ticks(self) -> list[tuple[float, str]]:
        """Return up to nine labelled places, those of the slots beside the axis included."""
        low, high = self.edges[0], self.edges[-1]
        first = [(_END_SLOT / 2, "0" if self.zero else f"< {decimal(low)}")] if self.zero or self.below else []
        last = [(100 - _END_SLOT / 2, f"> {decimal(high)}")] if self.above else []
        # The name of a slot needs the room of a neighbour.
        inner = [each for each in self._inner() if not (first and each[0] < 12) and not (last and each[0] > 88)]
        return [*first, *inner, *last]

    def _inner(self) -> list[tuple[float, str]]:
        """The labelled places of the axis itself."""
        low, high = self.edges[0], self.edges[-1]
        if self.log:
            first, last = math.ceil(math.log10(low) - 1e-9), math.floor(math.log10(high) + 1e-9)
            every = max(1, math.ceil((last - first) / 6))
            return [(self.place(10.0**k), power(k)) for k in range(first, last + 1, every)]
        step = nice_step(high - low, 5)
        start = math.ceil(low / step - 1e-9)
        stop = math.floor(high / step + 1e-9)
        places = max(0, -math.floor(math.log10(step)))
        return [
            (self.place(i * step), f"{i * step:,.{places}f}".replace("-", "−") if places < 5 else decimal(i * step))
            for i in range(start, stop + 1)
        ]


def axis_for(numbers: Sequence[float], *, bins: int = 28) -> Axis:
    """Choose a scale for numbers: logarithmic where none is negative and they spread over more than two decades.

    Args:
        numbers: Finite numbers, at least one.
        bins: About how many bins.

    Returns:
        An axis that has a slot for every number; from the 1st to the 99th percentile, with a slot beside it for the
        rest, where the outermost hundredth would take much of the width.
    """
    low, high = max(min(numbers), -_LARGEST), min(max(numbers), _LARGEST)
    positive = [number for number in numbers if number > 0]
    if low >= 0 and positive and math.log10(high) - math.log10(min(positive)) > 2:
        least, most, below, above = _middle([math.log10(min(number, _LARGEST)) for number in positive])
        below = below and low > 0
        least = least if below else math.log10(min(positive))
        unit = next(width for width in _DECADES if most - least <= bins * width)
        first, last = math.floor(least / unit + 1e-9), math.ceil(most / unit - 1e-9)
        exponents = (min(max(i * unit, -_REACH), _REACH) for i in range(first, last + 1))
        edges = tuple(10.0**exponent for exponent in exponents)
        return Axis(edges, log=True, zero=low == 0, below=below and low < edges[0], above=above and high > edges[-1])
    if high - low <= max(1e-12 * max(abs(low), abs(high)), 1 / _LARGEST):
        reach = abs(low) / 2 or 0.5
        return Axis((low - reach, low + reach), log=False, zero=False)
    least, most, below, above = _middle([min(max(number, low), high) for number in numbers])
    step = nice_step(most - least, bins)
    start, stop = math.floor(least / step + 1e-9), math.ceil(most / step - 1e-9)
    edges = tuple(i * step for i in range(start, max(stop, start + 1) + 1))
    return Axis(edges, log=False, zero=False, below=below and low < edges[0], above=above and high > edges[-1])


def _middle(numbers: list[float]) -> tuple[float, float, bool, bool]:
    """Where most numbers lie: the ends of the axis, and whether a tail below and one above are cut off."""
    numbers = sorted(numbers)
    low, high, last = numbers[0], numbers[-1], len(numbers) - 1
    least, most = numbers[math.floor(0.01 * last)], numbers[math.ceil(0.99 * last)]
    if last + 1 < _MANY or most <= least:
        return low, high, False, False
    below, above = least - low > _TAIL * (high - low), high - most > _TAIL * (high - low)
    return least if below else low, most if above else high, below, above
