"""A scale for a chart: from a number to a place in percent of the width, and where its ticks are."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from robustfim_html.number import decimal, power

__all__ = ["Axis", "axis_for", "nice_ceiling", "nice_step"]

_ZERO_SLOT = 5.0
"""Percent of a logarithmic axis' width that holds the numbers equal to 0."""
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
    """

    edges: tuple[float, ...]
    log: bool
    zero: bool

    def place(self, number: float) -> float:
        """Return the place of a number in percent of the width, 0 to 100."""
        low, high = self.edges[0], self.edges[-1]
        if self.log:
            if number <= 0:
                return _ZERO_SLOT / 2 if self.zero else 0.0
            share = (math.log10(number) - math.log10(low)) / (math.log10(high) - math.log10(low))
        else:
            share = (number - low) / (high - low)
        start = _ZERO_SLOT + 2 if self.zero else 0.0
        return start + (100 - start) * min(max(share, 0.0), 1.0)

    def slots(self) -> list[tuple[float, float]]:
        """Return where each bin is drawn, left and right in percent; the slot of the zeros comes first."""
        places = [self.place(edge) for edge in self.edges]
        slots = list(pairwise(places))
        return [(0.0, _ZERO_SLOT), *slots] if self.zero else slots

    def slot(self, number: float) -> int:
        """Return the index in ``slots()`` that a number belongs to."""
        if self.zero and number <= 0:
            return 0
        inner = sum(1 for edge in self.edges[1:-1] if number >= edge)
        return inner + int(self.zero)

    def names(self) -> list[str]:
        """Describe each slot for a table: ``0.1 to 0.2``."""
        named = [f"{decimal(a)} to {decimal(b)}" for a, b in pairwise(self.edges)]
        return ["0", *named] if self.zero else named

    def ticks(self) -> list[tuple[float, str]]:
        """Return up to seven labelled places."""
        low, high = self.edges[0], self.edges[-1]
        zero = [(_ZERO_SLOT / 2, "0")] if self.zero else []
        if self.log:
            first, last = math.ceil(math.log10(low) - 1e-9), math.floor(math.log10(high) + 1e-9)
            every = max(1, math.ceil((last - first) / 6))
            return zero + [(self.place(10.0**k), power(k)) for k in range(first, last + 1, every)]
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
        An axis that has a slot for every number.
    """
    low, high = max(min(numbers), -_LARGEST), min(max(numbers), _LARGEST)
    positive = [number for number in numbers if number > 0]
    if low >= 0 and positive and math.log10(high) - math.log10(min(positive)) > 2:
        least, most = math.log10(min(positive)), math.log10(high)
        unit = next(width for width in _DECADES if most - least <= bins * width)
        first, last = math.floor(least / unit + 1e-9), math.ceil(most / unit - 1e-9)
        exponents = (min(max(i * unit, -_REACH), _REACH) for i in range(first, last + 1))
        return Axis(tuple(10.0**exponent for exponent in exponents), log=True, zero=low == 0)
    if high - low <= max(1e-12 * max(abs(low), abs(high)), 1 / _LARGEST):
        reach = abs(low) / 2 or 0.5
        return Axis((low - reach, low + reach), log=False, zero=False)
    step = nice_step(high - low, bins)
    start, stop = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    return Axis(tuple(i * step for i in range(start, max(stop, start + 1) + 1)), log=False, zero=False)
