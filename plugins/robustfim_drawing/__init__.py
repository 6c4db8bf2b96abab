"""Draws charts and tables, and the head and style of every HTML page.

Plugins may use what this package exports: functions that format numbers, axes and bars, edits within a line of a
terminal, a page of tables and figures, and tables and figures within another page. The template engine is imported when
a page is written.
"""

from __future__ import annotations

from robustfim.printable import counted, signed
from robustfim_drawing.axis import nice_ceiling
from robustfim_drawing.bar import rate_bar, share_bar, svg_length
from robustfim_drawing.diff import field_diffs, inline_diff
from robustfim_drawing.exhibits import closed, document, exhibits_html, page_style, part
from robustfim_drawing.headline import against_labels, headline, outcome_counts
from robustfim_drawing.number import MISSING, count, decimal, duration, interval, moment, percent, share
from robustfim_drawing.pages import OTHERS, page, policy_of, write_page
from robustfim_drawing.rates import area_text, rate_lines, reach_lines

__all__ = [
    "MISSING",
    "OTHERS",
    "against_labels",
    "area_text",
    "closed",
    "count",
    "counted",
    "decimal",
    "document",
    "duration",
    "exhibits_html",
    "field_diffs",
    "headline",
    "inline_diff",
    "interval",
    "moment",
    "nice_ceiling",
    "outcome_counts",
    "page",
    "page_style",
    "part",
    "percent",
    "policy_of",
    "rate_bar",
    "rate_lines",
    "reach_lines",
    "share",
    "share_bar",
    "signed",
    "svg_length",
    "write_page",
]
