"""Format numbers for the page; an undefined number is a dash."""

from __future__ import annotations

import math
from calendar import month_name
from datetime import UTC, datetime

from robustfim.printable import MISSING
from robustfim.statistics import Interval

__all__ = ["MISSING", "count", "decimal", "duration", "interval", "moment", "percent", "share"]

_SUPERSCRIPT = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def _defined(number: float | None) -> bool:
    return number is not None and math.isfinite(number)


def count(number: int | None) -> str:
    """Write a count with separators: ``12,345``."""
    return MISSING if number is None else f"{number:,}"


def percent(rate: float | None) -> str:
    """Write a rate in [0, 1] with one decimal: ``21.0 %``."""
    if rate is None or not _defined(rate):
        return MISSING
    return f"{100 * rate:.1f}\u00a0%"


def share(rate: float) -> str:
    """Write a rate in [0, 1] for a sentence: ``21 %``. Only a rate of exactly 0 or 1 is written as 0 % or 100 %."""
    value = 100 * rate
    if 0 < value < 1 or 99 < value < 100:
        bounded = min(max(value, 0.1), 99.9)
        return f"{bounded:.1f}\u00a0%"
    return f"{value:.0f}\u00a0%"


def interval(ends: Interval | None) -> str:
    """Write an interval of a rate: ``17.1–30.2 %``."""
    if ends is None or not all(map(_defined, ends)):
        return MISSING
    return f"{100 * ends[0]:.1f}–{100 * ends[1]:.1f}\u00a0%"


def decimal(number: float | None) -> str:
    """Write a number of any size with three significant digits: ``4.12``, ``0.0312``, ``1.2×10⁻⁶``."""
    if number is None or not _defined(number):
        return MISSING
    if number == 0:
        return "0"
    exponent = math.floor(math.log10(abs(number)))
    if -4 <= exponent < 6:
        text = f"{number:,.{max(0, 2 - exponent)}f}"
        return text.replace("-", "−")
    mantissa, _, digits = f"{number:.1e}".partition("e")
    return f"{mantissa}×10{str(int(digits)).translate(_SUPERSCRIPT)}".replace("-", "−")


def duration(seconds: float) -> str:
    """Write a time span: ``0.4 s``, ``12 s``, ``4 min 12 s``, ``1 h 03 min``."""
    if not _defined(seconds):
        return MISSING
    if seconds < 10:
        return f"{seconds:.1f}\u00a0s" if seconds >= 0.1 or seconds == 0 else "<\u00a00.1\u00a0s"
    whole = round(seconds)
    if whole < 60:
        return f"{whole}\u00a0s"
    if whole < 3600:
        return f"{whole // 60}\u00a0min {whole % 60:02d}\u00a0s"
    minutes = round(seconds / 60)
    return f"{minutes // 60}\u00a0h {minutes % 60:02d}\u00a0min"


def moment(iso: str) -> str:
    """Write an ISO 8601 time for a reader: ``20 November 2026, 21:03 UTC``.

    Text in any other form is returned unchanged.
    """
    try:
        parsed = datetime.fromisoformat(iso)
    except ValueError:
        return iso
    if parsed.tzinfo is not None:
        parsed = parsed.astimezone(UTC)
    zone = "" if parsed.tzinfo is None else " UTC"
    return f"{parsed.day} {month_name[parsed.month]} {parsed.year}, {parsed:%H:%M}{zone}"
