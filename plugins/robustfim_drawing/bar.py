"""A rate as a small bar, with a whisker for the interval and a tick for the limit; widths are in percent."""

from __future__ import annotations

from markupsafe import Markup

from robustfim.statistics import Interval

__all__ = ["rate_bar", "share_bar", "svg_length"]


def svg_length(share: float) -> str:
    """Write a fraction of the width as an SVG length, clipped to 0 to 100 %."""
    return f"{100 * min(max(share, 0.0), 1.0):.2f}".rstrip("0").rstrip(".") + "%"


def _line(kind: str, x1: float, x2: float, y1: float, y2: float) -> Markup:
    return Markup('<line class="{}" x1="{}" x2="{}" y1="{}" y2="{}"/>').format(
        kind, svg_length(x1), svg_length(x2), y1, y2
    )


def _whisker(ends: Interval | None, top: float, y: float, reach: float) -> Markup:
    if ends is None:
        return Markup("")
    low, high = ends[0] / top, ends[1] / top
    return Markup("").join(
        [
            _line("whisker", low, high, y, y),
            _line("whisker", low, low, y - reach, y + reach),
            _line("whisker", high, high, y - reach, y + reach),
        ]
    )


def rate_bar(
    rate: float | None, ends: Interval | None, limit: float | None, *, top: float, kind: str, height: int = 16
) -> Markup:
    """Return an SVG bar that shows a rate, its interval and its limit.

    Args:
        rate: The rate in [0, 1]; None draws no bar.
        ends: The confidence interval of the rate, in [0, 1].
        limit: Where to mark the limit.
        top: The rate at the right end of the scale.
        kind: A CSS class that sets the colour: an outcome, such as ``failed``, or the name of a group of examples.
        height: In CSS pixels.

    Returns:
        An ``<svg>`` without text; the page must give the numbers in words.
    """
    half = height / 2
    parts = [Markup('<rect class="track" y="{0}" width="100%" height="{1}" rx="2"/>').format(half - 3, 6)]
    if rate is not None:
        parts.append(
            Markup('<rect class="fill {}" y="{}" width="{}" height="6" rx="2"/>').format(
                kind, half - 3, svg_length(rate / top)
            )
        )
        parts.append(_whisker(ends, top, half, 3))
    if limit is not None:
        parts.append(_line("limit", limit / top, limit / top, 0, height))
    return Markup('<svg class="bar" height="{}" aria-hidden="true" focusable="false">{}</svg>').format(
        height, Markup("").join(parts)
    )


def share_bar(share: float, kind: str) -> Markup:
    """Draw a fraction as a plain bar.

    Args:
        share: The fraction, in [0, 1].
        kind: A CSS class that sets the colour.
    """
    return Markup(
        '<svg class="bar" height="8" aria-hidden="true" focusable="false">'
        '<rect class="fill {}" width="{}" height="8" rx="2"/></svg>'
    ).format(kind, svg_length(share))
