"""What is drawn: charts, tables, the head and the look of every page, each written once.

Open to plugins: what this package exports, how numbers, axes and bars are written; ``number``, all ways to write one;
``page``, a page of exhibits; and ``exhibits``, tables and figures within another page. The last two have a template
engine, and are imported where they are used.
"""

from __future__ import annotations

from robustfim.drawing.axis import Bins, bins_for, nice_ceiling
from robustfim.drawing.bar import rate_bar, share_bar, svg_length
from robustfim.drawing.number import count, decimal, duration, interval, moment, percent

__all__ = [
    "Bins",
    "bins_for",
    "count",
    "decimal",
    "duration",
    "interval",
    "moment",
    "nice_ceiling",
    "percent",
    "rate_bar",
    "share_bar",
    "svg_length",
]
