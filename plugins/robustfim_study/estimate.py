"""An estimate: a number with its interval, and functions that write both."""

from __future__ import annotations

import math
from dataclasses import dataclass

__all__ = ["MISSING", "UNDEFINED", "Estimate", "decimal", "named", "shown", "signed"]

MISSING = "–"
"""What stands for a number that is not defined."""


@dataclass(frozen=True)
class Estimate:
    """A number that was estimated from examples.

    Attributes:
        value: The estimate; NaN if undefined.
        interval: The interval of the estimate, at 95 % unless stated otherwise; None for none.
    """

    value: float = math.nan
    interval: tuple[float, float] | None = None


UNDEFINED = Estimate()
"""What there was nothing to estimate from."""


def decimal(number: float, places: int = 2) -> str:
    """Write a number with fixed decimals: ``0.71``; ``–`` for an undefined number."""
    if not math.isfinite(number):
        return MISSING
    return f"{number:.{places}f}".replace("-", "−")


def signed(number: float, places: int = 2) -> str:
    """Write a number with its sign: ``+0.05``."""
    return f"{number:+.{places}f}".replace("-", "−") if math.isfinite(number) else MISSING


def shown(estimate: Estimate, places: int = 2, *, sign: bool = False) -> str:
    """Return an estimate and its interval as text: ``0.71 [0.63, 0.79]``; with ``sign`` as a signed difference."""
    write = signed if sign else decimal
    if estimate.interval is None:
        return write(estimate.value, places)
    low, high = estimate.interval
    return f"{write(estimate.value, places)} [{write(low, places)}, {write(high, places)}]"


def named(score: str) -> str:
    """Return the name of a score for sentences, tables and figures: λmax for ``fisher``."""
    return "λmax" if score == "fisher" else score
