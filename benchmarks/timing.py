"""Timings of several functions in turn, so that a drift of the machine's speed affects all of them equally."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

__all__ = ["Spread", "interleave", "ratios", "seconds"]


@dataclass(frozen=True)
class Spread:
    """A summary of repetitions of one measurement.

    Attributes:
        low: The lower quartile.
        median: The median.
        high: The upper quartile.
        count: The number of repetitions, at least 1.
    """

    low: float
    median: float
    high: float
    count: int

    @classmethod
    def of(cls, values: Sequence[float]) -> Spread:
        """Summarise the values of a measurement.

        Args:
            values: One number for each repetition, at least one.
        """
        if len(values) == 1:
            return cls(values[0], values[0], values[0], 1)
        low, median, high = statistics.quantiles(values, n=4, method="inclusive")
        return cls(low, median, high, len(values))

    def __format__(self, form: str) -> str:
        """Write the median, with the quartiles in brackets, all in one format."""
        return f"{self.median:{form}} [{self.low:{form}}, {self.high:{form}}]"


def seconds(work: Callable[[], object]) -> float:
    """Measure the time of one call, in seconds."""
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def interleave(sides: Mapping[str, Callable[[], object]], repeats: int, *, warm: int = 0) -> dict[str, list[float]]:
    """Time several functions (sides) in turn; each repetition begins with another function.

    Args:
        sides: The functions to time, by name.
        repeats: The number of timings of each function, at least 1.
        warm: The number of calls of each function before the first timing.

    Returns:
        For each name the seconds of its timings. Timings with the same index were made directly after each other.
    """
    for _ in range(warm):
        for work in sides.values():
            work()
    names = list(sides)
    times: dict[str, list[float]] = {name: [] for name in names}
    for repeat in range(repeats):
        first = repeat % len(names)
        for name in names[first:] + names[:first]:
            times[name].append(seconds(sides[name]))
    return times


def ratios(above: Sequence[float], below: Sequence[float]) -> Spread:
    """Summarise the ratios of paired timings.

    Args:
        above: The numerators, in seconds, ``[repetitions]``.
        below: The denominators, in seconds, each measured next to its numerator, ``[repetitions]``.
    """
    return Spread.of([a / b for a, b in zip(above, below, strict=True)])
