"""Timings: of several sides in turn, so that a machine whose speed drifts touches all of them alike."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

__all__ = ["Spread", "interleave", "ratios", "seconds"]


@dataclass(frozen=True)
class Spread:
    """What repetitions of one measurement say.

    Attributes:
        low: The lower quartile.
        median: The median.
        high: The upper quartile.
        count: Repetitions, at least 1.
    """

    low: float
    median: float
    high: float
    count: int

    @classmethod
    def of(cls, values: Sequence[float]) -> Spread:
        """Summarise values.

        Args:
            values: One number a repetition, at least one.
        """
        if len(values) == 1:
            return cls(values[0], values[0], values[0], 1)
        low, median, high = statistics.quantiles(values, n=4, method="inclusive")
        return cls(low, median, high, len(values))


def seconds(work: Callable[[], object]) -> float:
    """Time one call."""
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def interleave(sides: Mapping[str, Callable[[], object]], repeats: int, *, warm: int = 0) -> dict[str, list[float]]:
    """Time sides in turn; each repetition begins with another side.

    Args:
        sides: What to time, by name.
        repeats: Timings of each side, at least 1.
        warm: Calls of each side before the first timing.

    Returns:
        Seconds by side; entries of one index were measured next to each other.
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
        above: Seconds, ``[repetitions]``.
        below: Seconds measured next to them, ``[repetitions]``.
    """
    return Spread.of([a / b for a, b in zip(above, below, strict=True)])
