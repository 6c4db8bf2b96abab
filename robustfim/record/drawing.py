"""A figure as SVG: axes, lines, dots, arrows and bars."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from markupsafe import Markup, escape

from robustfim.exhibit import Figure, Series

__all__ = ["colour", "draw", "ticks"]

_COLOURS = ("#4352c6", "#c2572b", "#1d7a47", "#8a33a8", "#b08900", "#0f7f93", "#c2397c", "#5c616c")
"""Of the series, in their order; they begin again after the last."""

_WIDTH, _HEIGHT = 720.0, 420.0
_LEFT, _RIGHT, _TOP, _BOTTOM = 70.0, 20.0, 16.0, 52.0
_GROUP = 0.7
"""How much of the room between two neighbours on the horizontal axis their bars fill."""
_DOTTED = 50
"""A line with more points is drawn without dots."""
_CUT = 28
"""Characters of a name on the horizontal axis."""
_LETTER, _LINE = 7.0, 13.0
"""About the width of a letter and the height of a line beside a dot."""


def ticks(low: float, high: float, parts: int = 6) -> list[float]:
    """Return round numbers in a range, about ``parts`` of them: multiples of 1, 2 or 5 times a power of ten.

    Args:
        low: The lower end.
        high: The upper end, > ``low``.
        parts: About how many.
    """
    rough = (high - low) / parts
    base = 10.0 ** math.floor(math.log10(rough))
    step = next((times * base for times in (1, 2, 5) if rough <= times * base * (1 + 1e-9)), 10 * base)
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return [index * step for index in range(first, last + 1)]


@dataclass(frozen=True)
class _Frame:
    """Where a point of the figure stands in the drawing."""

    left: float
    right: float
    low: float
    high: float

    @classmethod
    def of(cls, figure: Figure) -> _Frame:
        """Hold every point that is drawn, with a margin; bars stand on zero, and names have half a place each side."""
        across, up = [], []
        for series in figure.series:
            for point in _finite(series):
                if series.kind == "bars":
                    across += [point[0] - 0.5, point[0] + 0.5]
                    up += [0.0, *point[1:]]
                else:
                    across += [point[0], point[0] + sum(point[2:3])]
                    up += [point[1], point[1] + sum(point[3:4])]
        if figure.names:
            across += [-0.5, len(figure.names) - 0.5]
        if figure.level is not None and math.isfinite(figure.level):
            up.append(figure.level)
        if figure.diagonal:
            across, up = across + up, across + up
        left, right, low, high = *_reach(across), *_reach(up)
        if figure.within is not None:
            low, high = max(low, figure.within[0]), min(high, figure.within[1])
        if figure.equal:
            left, right, low, high = _equal(left, right, low, high)
        return cls(left, right, low, high)

    def x(self, number: float) -> float:
        """Return the place across, in units of the drawing."""
        return round(_LEFT + (number - self.left) / (self.right - self.left) * (_WIDTH - _LEFT - _RIGHT), 2)

    def y(self, number: float) -> float:
        """Return the place from the top, likewise."""
        share = (number - self.low) / (self.high - self.low)
        return round(_HEIGHT - _BOTTOM - share * (_HEIGHT - _TOP - _BOTTOM), 2)


def colour(figure: Figure, row: int) -> str:
    """Return the colour that stands for a series in the legend.

    Args:
        figure: The figure.
        row: The place of the series in it.
    """
    return _shade(1.0) if figure.series[row].shades else _COLOURS[row % len(_COLOURS)]


def draw(figure: Figure) -> Markup:
    """Draw a figure.

    Args:
        figure: The figure; no text in it is trusted. Points that are not finite are left out.

    Returns:
        An ``svg`` element without scripts, styles or links.
    """
    frame = _Frame.of(figure)
    parts = [*_axes(figure, frame)]
    sets = [index for index, series in enumerate(figure.series) if series.kind == "bars"]
    for index, series in enumerate(figure.series):
        if series.kind == "bars":
            parts += _bars(series, frame, colour(figure, index), sets.index(index), len(sets))
        else:
            parts += _series(series, frame, colour(figure, index))
    parts += _labels(figure, frame)
    label = escape(f"{figure.title}: {figure.up} by {figure.across}")
    body = Markup("").join(parts)
    return Markup('<svg viewBox="0 0 {} {}" role="img" aria-label="{}">{}</svg>').format(
        round(_WIDTH), round(_HEIGHT), label, body
    )


def _reach(numbers: list[float]) -> tuple[float, float]:
    low, high = min(numbers, default=0.0), max(numbers, default=1.0)
    room = 0.04 * (high - low) or abs(high) / 2 or 0.5
    return low - room, high + room


def _equal(left: float, right: float, low: float, high: float) -> tuple[float, float, float, float]:
    """Widen one of two ranges until a unit is as long on both axes."""
    wide, tall = _WIDTH - _LEFT - _RIGHT, _HEIGHT - _TOP - _BOTTOM
    unit = max((right - left) / wide, (high - low) / tall)
    across, up = (unit * wide - (right - left)) / 2, (unit * tall - (high - low)) / 2
    return left - across, right + across, low - up, high + up


def _axes(figure: Figure, frame: _Frame) -> Iterator[Markup]:
    bottom, right = _HEIGHT - _BOTTOM, _WIDTH - _RIGHT
    for row, name in enumerate(figure.names):
        yield _text(frame.x(row), bottom + 20, "middle", name if len(name) <= _CUT else name[: _CUT - 1] + "…")
    places = [] if figure.names else ticks(frame.left, frame.right)
    for place in places if not figure.counts else [each for each in places if each == round(each)]:
        yield _line(frame.x(place), bottom, frame.x(place), bottom + 5, "axis")
        yield _text(frame.x(place), bottom + 20, "middle", _written(place))
    for number in ticks(frame.low, frame.high):
        yield _line(_LEFT, frame.y(number), right, frame.y(number), "grid")
        yield _text(_LEFT - 8, frame.y(number) + 4, "end", _written(number))
    yield _line(_LEFT, bottom, right, bottom, "axis")
    yield _text((_LEFT + right) / 2, _HEIGHT - 10, "middle", figure.across)
    middle = (_TOP + bottom) / 2
    yield Markup('<text x="16" y="{}" text-anchor="middle" transform="rotate(-90 16 {})">{}</text>').format(
        middle, middle, figure.up
    )
    if figure.diagonal:
        start, end = max(frame.left, frame.low), min(frame.right, frame.high)
        yield _line(frame.x(start), frame.y(start), frame.x(end), frame.y(end), "level")
    if figure.level is not None and math.isfinite(figure.level):
        place = frame.y(figure.level)
        yield _line(_LEFT, place, right, place, "level")
        yield _text(right - 4, place - 6, "end", figure.level_name)


def _line(x: float, y: float, to_x: float, to_y: float, kind: str) -> Markup:
    return Markup('<line x1="{}" y1="{}" x2="{}" y2="{}" class="{}"/>').format(x, y, to_x, to_y, kind)


def _text(x: float, y: float, anchor: str, text: str) -> Markup:
    return Markup('<text x="{}" y="{}" text-anchor="{}">{}</text>').format(x, y, anchor, text)


def _finite(series: Series) -> list[tuple[float, ...]]:
    """The points that can be drawn; a bar without an interval is only its height."""
    return [point for _, point in _numbered(series)]


def _numbered(series: Series) -> Iterator[tuple[int, tuple[float, ...]]]:
    """The points that can be drawn, with their rows."""
    for row, point in enumerate(series.points):
        if series.kind == "bars" and not _all_finite(point[2:]):
            point = point[:2]
        if _all_finite(point):
            yield row, tuple(float(each) for each in point if each is not None)


def _all_finite(numbers: Sequence[float | None]) -> bool:
    return all(each is not None and math.isfinite(each) for each in numbers)


def _bars(series: Series, frame: _Frame, colour: str, place: int, sets: int) -> Iterator[Markup]:
    """Draw bars beside those of the figure's other sets, each with its interval."""
    width = _GROUP / sets
    for point in _finite(series):
        left = point[0] - _GROUP / 2 + place * width
        x, to_x = frame.x(left + 0.04 * width), frame.x(left + 0.96 * width)
        top, foot = sorted((frame.y(point[1]), frame.y(0.0)))
        yield Markup('<rect x="{}" y="{}" width="{}" height="{}" fill="{}" fill-opacity="0.75"/>').format(
            x, top, round(to_x - x, 2), round(foot - top, 2), colour
        )
        if len(point) > 3:
            middle, low, high = (x + to_x) / 2, frame.y(point[2]), frame.y(point[3])
            yield _line(middle, low, middle, high, "whisker")
            for end in (low, high):
                yield _line(middle - 5, end, middle + 5, end, "whisker")


def _series(series: Series, frame: _Frame, colour: str) -> Iterator[Markup]:
    points = [(point, series.shades[row] if series.shades else None) for row, point in _numbered(series)]
    if series.kind == "line":
        path = " ".join(f"{frame.x(point[0])},{frame.y(point[1])}" for point, _ in points)
        yield Markup('<polyline points="{}" fill="none" stroke="{}" stroke-width="2"/>').format(path, colour)
        if len(points) > _DOTTED:
            return
    if series.kind == "arrows":
        for point, _ in points:
            yield from _arrow(frame.x(point[0]), frame.y(point[1]), frame.x(point[0] + point[2]),
                              frame.y(point[1] + point[3]), colour)  # fmt: skip
        return
    labels = [series.labels[row] for row, _ in _numbered(series)] if series.labels else [""] * len(points)
    for (point, shade), label in zip(points, labels, strict=True):
        fill = colour if shade is None else _shade(shade)
        title = Markup("<title>{}</title>").format(label) if label else ""
        yield Markup('<circle cx="{}" cy="{}" r="3" fill="{}" fill-opacity="0.8">{}</circle>').format(
            frame.x(point[0]), frame.y(point[1]), fill, title
        )


def _labels(figure: Figure, frame: _Frame) -> Iterator[Markup]:
    """Write what the dots are beside them, the first ones first, as far as there is room."""
    taken: list[tuple[float, float, float]] = []
    for series in figure.series:
        for row, point in _numbered(series) if series.labels else ():
            label = series.labels[row]
            x, y = frame.x(point[0]) + 6, frame.y(point[1]) - 5
            right = x + _LETTER * len(label)
            if all(right < a or b < x or abs(y - other) >= _LINE for a, b, other in taken) and right < _WIDTH:
                taken.append((x, right, y))
                yield _text(x, y, "start", label)


def _arrow(x: float, y: float, to_x: float, to_y: float, colour: str) -> Iterator[Markup]:
    """Draw a line with a head of 6 units."""
    yield Markup('<line x1="{}" y1="{}" x2="{}" y2="{}" stroke="{}" stroke-width="1.5"/>').format(
        x, y, to_x, to_y, colour
    )
    length = math.hypot(to_x - x, to_y - y)
    if length:
        across, down = 6 * (to_x - x) / length, 6 * (to_y - y) / length
        head = " ".join(
            f"{round(a, 2)},{round(b, 2)}"
            for a, b in (
                (to_x, to_y),
                (to_x - across - down / 2, to_y - down + across / 2),
                (to_x - across + down / 2, to_y - down - across / 2),
            )
        )
        yield Markup('<polygon points="{}" fill="{}"/>').format(head, colour)


def _shade(share: float) -> str:
    """Mix light yellow (0) and dark red (1)."""
    share = min(max(share, 0.0), 1.0)
    mixed = (round(light + share * (dark - light)) for light, dark in zip((246, 214, 110), (120, 8, 40), strict=True))
    return "#" + "".join(f"{each:02x}" for each in mixed)


def _written(number: float) -> str:
    return f"{number:.6g}".replace("-", "−")
