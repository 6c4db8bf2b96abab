"""A rate as a bar, its interval as a whisker, its limit as a tick; all in percent of whatever width it gets."""

from __future__ import annotations

from collections.abc import Iterable

from markupsafe import Markup

from robustfim.record import CheckRecord, Interval
from robustfim_html.axis import nice_ceiling

__all__ = ["dot", "length", "limits", "rate_bar", "scale"]


def length(share: float) -> str:
    """Write a share of the width as an SVG length, kept between 0 and 100 %."""
    return f"{100 * min(max(share, 0.0), 1.0):.2f}".rstrip("0").rstrip(".") + "%"


def limits(check: CheckRecord) -> dict[str | None, float]:
    """Return a check's limits by arm; the key None is the limit of all arms together."""
    known: dict[str | None, float] = {}
    if isinstance(check.limit, dict):
        known.update(check.limit)
    elif check.limit is not None:
        known[None] = check.limit
    return known


def scale(checks: Iterable[CheckRecord]) -> tuple[float, float]:
    """Choose one scale for the rates of all checks, so that bars can be compared.

    Returns:
        The rate at the right end, in (0, 1], and the step between ticks.
    """
    highest = 0.0
    for check in checks:
        highest = max(highest, check.rate or 0.0, check.interval[1] if check.interval else 0.0, *limits(check).values())
        for arm in check.arms.values():
            highest = max(highest, arm.rate or 0.0, arm.interval[1] if arm.interval else 0.0)
    top, step = nice_ceiling(min(max(highest, 0.05), 1.0), 5)
    return min(top, 1.0), step


def _line(kind: str, x1: float, x2: float, y1: float, y2: float) -> Markup:
    return Markup('<line class="{}" x1="{}" x2="{}" y1="{}" y2="{}"/>').format(kind, length(x1), length(x2), y1, y2)


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
    """Draw a rate as a bar.

    Args:
        rate: The rate in [0, 1]; no bar when None.
        ends: Its interval.
        limit: Where its limit is marked.
        top: The rate at the right end.
        kind: A class that gives the colour: an outcome or an arm.
        height: In CSS pixels.

    Returns:
        An ``<svg>`` without text: what it shows stands beside it in words.
    """
    half = height / 2
    parts = [Markup('<rect class="track" y="{0}" width="100%" height="{1}" rx="2"/>').format(half - 3, 6)]
    if rate is not None:
        parts.append(
            Markup('<rect class="fill {}" y="{}" width="{}" height="6" rx="2"/>').format(
                kind, half - 3, length(rate / top)
            )
        )
        parts.append(_whisker(ends, top, half, 3))
    if limit is not None:
        parts.append(_line("limit", limit / top, limit / top, 0, height))
    return Markup('<svg class="bar" height="{}" aria-hidden="true" focusable="false">{}</svg>').format(
        height, Markup("").join(parts)
    )


def dot(rate: float | None, ends: Interval | None, limit: float | None, *, top: float, kind: str, y: float) -> Markup:
    """Draw a rate as a dot on its interval, at height ``y`` of a chart's row; a dash marks its limit."""
    parts: list[Markup] = []
    if limit is not None:
        parts.append(_line("limit", limit / top, limit / top, y - 8, y + 8))
    if rate is not None:
        if ends is not None:
            parts.append(_line(f"span {kind}", ends[0] / top, ends[1] / top, y, y))
        place = length(rate / top)
        if kind == "control":
            parts.append(Markup('<circle class="dot control" cx="{}" cy="{}" r="4.5"/>').format(place, y))
        else:
            # A square turned by 45° about its own middle: told from the control's ring by shape, not colour.
            parts.append(
                Markup(
                    '<svg x="{}" y="{}" overflow="visible"><path class="dot {}" d="M0-6L6 0L0 6L-6 0Z"/></svg>'
                ).format(place, y, kind)
            )
    return Markup("").join(parts)
