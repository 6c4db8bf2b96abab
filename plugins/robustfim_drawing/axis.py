"""Axes: round numbers for ticks."""

from __future__ import annotations

import math

__all__ = ["nice_ceiling", "ticks"]


def _nice_step(span: float, parts: int) -> float:
    """Return a round step, 1, 2 or 5 times a power of ten, that divides ``span`` (> 0) into about ``parts`` parts."""
    rough = span / parts
    base = 10.0 ** math.floor(math.log10(rough))
    return next((m * base for m in (1, 2, 5) if rough <= m * base * (1 + 1e-9)), 10 * base)


def nice_ceiling(number: float, parts: int) -> tuple[float, float]:
    """Return a round number at or above ``number`` (> 0), and the step of about ``parts`` ticks up to it."""
    step = _nice_step(number, parts)
    return math.ceil(number / step - 1e-9) * step, step


def ticks(low: float, high: float, parts: int = 6) -> list[float]:
    """Return about ``parts`` round numbers in a range: multiples of 1, 2 or 5 times a power of ten.

    Args:
        low: The lower end.
        high: The upper end, > ``low``.
        parts: The approximate number of ticks.
    """
    step = _nice_step(high - low, parts)
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return [index * step for index in range(first, last + 1)]
