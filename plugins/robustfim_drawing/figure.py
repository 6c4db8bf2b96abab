"""A figure as SVG, in a wide and a narrow form: axes, lines, dots, arrows and bars."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from types import MappingProxyType
from typing import TYPE_CHECKING

from markupsafe import Markup, escape

from robustfim_drawing import number as written
from robustfim_drawing.axis import ticks

if TYPE_CHECKING:
    from robustfim.exhibit import Figure, Series

__all__ = ["NARROW", "NOTHING", "WIDE", "Size", "direct", "draw", "swatch"]

NOTHING: Mapping[str, str] = MappingProxyType({})
"""No texts."""
_COLOURS = 8
"""Colours of series, in the style sheet; they begin again after the last."""


@dataclass(frozen=True)
class Size:
    """The size of a drawing and its margins, in CSS pixels. Text has the same size in all drawings.

    Attributes:
        parts: The approximate numbers of ticks of the horizontal and the vertical axis.
    """

    name: str
    width: float
    height: float
    left: float
    right: float
    top: float
    bottom: float
    parts: tuple[int, int]


WIDE = Size("wide", 720.0, 420.0, 74.0, 20.0, 16.0, 52.0, (6, 6))
NARROW = Size("narrow", 340.0, 300.0, 62.0, 12.0, 16.0, 48.0, (4, 5))
_GROUP = 0.7
"""How much of the room between two neighbours on the horizontal axis their bars fill."""
_DOTTED = 50
"""A line with more points is drawn without dots."""
_SLANT = 0.77
"""How far a slanted name reaches to the left, in its length: the cosine of 40°."""
_CUT = 28
"""Characters of a name on the horizontal axis."""
_NAMED = 34
"""Likewise beside the end of a line."""
_LETTER, _LINE = 7.0, 13.0
"""About the width of a letter and the height of a line beside a dot."""


def direct(figure: Figure) -> bool:
    """Return whether a figure shows the names of its series at the ends of their lines.

    True if there are two or more series, all drawn as lines.
    """
    return len(figure.series) > 1 and all(series.kind == "line" for series in figure.series)


@dataclass(frozen=True)
class _Frame:
    """Where a point of the figure stands in the drawing."""

    size: Size
    edge: float
    """Where the axis ends on the right: what is named beside it takes its room from the drawing."""
    bottom: float
    slanted: bool
    left: float
    right: float
    low: float
    high: float
    least: tuple[float, float]
    """The least number of each axis."""

    @classmethod
    def of(cls, figure: Figure, size: Size) -> _Frame:
        """Make a frame around all drawn points, with a margin.

        Bars begin at 0, and each bar takes half a unit on both sides.
        """
        across, up = [], []
        for series in figure.series:
            for point in _finite(series):
                if series.kind == "bars":
                    across += [point[0] - 0.5, point[0] + 0.5]
                    up += [0.0, *point[1:]]
                else:
                    across.append(point[0])
                    up += point[1:]
        least = min(across, default=0.0), min(up, default=0.0)
        if figure.names:
            across += [-0.5, len(figure.names) - 0.5]
        across += figure.along or ()
        if figure.level is not None and math.isfinite(figure.level):
            up.append(figure.level)
        if figure.diagonal:
            across, up = across + up, across + up
        left, right, low, high = *_reach(across), *_reach(up)
        if any(series.kind == "bars" for series in figure.series) and min(up, default=0.0) >= 0:
            low = 0.0
        if figure.shares:
            low, high = 0.0, 1.0
        if figure.across_shares:
            left, right = 0.0, min(right, 1.0)
        # Names that do not fit beside one another are slanted, and take their room from the drawing.
        longest = _LETTER * max((len(_cut(name)) for name in figure.names), default=0)
        edge = size.width - max(size.right, _beside(figure, size))
        slanted = longest > (edge - size.left) / max(len(figure.names), 1)
        bottom = size.height - size.bottom - (0.6 * longest if slanted else 0.0)
        if figure.equal:
            left, right, low, high = _equal(left, right, low, high, size)
        return cls(size, edge, bottom, slanted, left, right, low, high, least)

    def x(self, number: float) -> float:
        """Return the distance of a number from the left, in units of the drawing."""
        fraction = (number - self.left) / (self.right - self.left)
        return round(self.size.left + fraction * (self.edge - self.size.left), 2)

    def y(self, number: float) -> float:
        """Return the distance of a number from the top, in units of the drawing."""
        fraction = (number - self.low) / (self.high - self.low)
        return round(self.bottom - fraction * (self.bottom - self.size.top), 2)


def _colour(row: int) -> str:
    """The class that gives a series its colour, in the drawing and in the legend."""
    return f"s{row % _COLOURS}"


def swatch(figure: Figure, row: int) -> Markup:
    """Draw the mark of a series in the legend."""
    series = figure.series[row]
    mark = {
        "line": Markup('<path d="M1 6H11" stroke="currentColor" stroke-width="2.5"/>'),
        "dots": _dot(6, 6, 5),
        "bars": Markup('<rect x="1.5" y="1.5" width="9" height="9" fill="currentColor" class="dot"/>'),
    }[series.kind]
    return Markup('<svg viewBox="0 0 12 12" class="{}" aria-hidden="true">{}</svg>').format(_colour(row), mark)


def draw(figure: Figure, size: Size = WIDE, shown: Mapping[str, str] = NOTHING) -> Markup:
    """Draw a figure.

    Args:
        figure: The figure; its texts are escaped. Points that are not finite are left out.
        size: The size of the drawing; the style sheet shows the drawing that fits the page.
        shown: The titles of texts on the page, by id. Dots and bars become links only if their text is on the page.

    Returns:
        An ``svg`` element without scripts and styles; its only links are those of dots and bars, within the page.
    """
    frame = _Frame.of(figure, size)
    parts = [*_axes(figure, frame)]
    sets = [index for index, series in enumerate(figure.series) if series.kind == "bars"]
    for index, series in enumerate(figure.series):
        if series.kind == "bars":
            parts += _bars(figure, frame, index, (sets.index(index), len(sets)), shown)
        else:
            parts += _series(series, frame, _colour(index), shown)
    parts += _labels(figure, frame)
    parts += _named_ends(figure, frame)
    label = escape(f"{figure.title}: {figure.up} by {figure.across}")
    body = Markup("").join(parts)
    # What is one image has nothing inside that could be followed.
    role = "group" if any(lead in shown for series in figure.series for lead in series.leads) else "img"
    return Markup('<svg viewBox="0 0 {} {}" class="{}" role="{}" aria-label="{}">{}</svg>').format(
        round(size.width), round(size.height), size.name, role, label, body
    )


def _reach(numbers: list[float]) -> tuple[float, float]:
    low, high = min(numbers, default=0.0), max(numbers, default=1.0)
    room = 0.04 * (high - low) or abs(high) / 2 or 0.5
    return low - room, high + room


def _equal(left: float, right: float, low: float, high: float, size: Size) -> tuple[float, float, float, float]:
    """Widen one of two ranges until a unit is as long on both axes."""
    wide, tall = size.width - size.left - size.right, size.height - size.top - size.bottom
    unit = max((right - left) / wide, (high - low) / tall)
    across, up = (unit * wide - (right - left)) / 2, (unit * tall - (high - low)) / 2
    return left - across, right + across, low - up, high + up


def _axes(figure: Figure, frame: _Frame) -> Iterator[Markup]:
    size, bottom, right = frame.size, frame.bottom, frame.edge
    for row, name in enumerate(figure.names):
        if frame.slanted:
            slanted = Markup('<text x="{0}" y="{1}" text-anchor="end" transform="rotate(-40 {0} {1})">{2}</text>')
            yield slanted.format(frame.x(row) + 4, bottom + 14, _cut(name, int(frame.x(row) / _SLANT / _LETTER)))
        else:
            yield _text(frame.x(row), bottom + 20, "middle", _cut(name))
    for place, text in _places(figure, frame):
        yield _line(frame.x(place), bottom, frame.x(place), bottom + 5, "axis")
        yield _text(frame.x(place), bottom + 20, "middle", text)
    numbers = ticks(frame.low, frame.high, size.parts[1])
    for number in _whole(numbers, frame.least[1]) if figure.counts and figure.diagonal else numbers:
        yield _line(size.left, frame.y(number), right, frame.y(number), "grid")
        yield _text(size.left - 8, frame.y(number) + 4, "end", _written(number, figure.shares))
    yield _line(size.left, bottom, right, bottom, "axis")
    yield _text((size.left + right) / 2, size.height - 8, "middle", _fitting(figure.across, right - size.left))
    middle = (size.top + bottom) / 2
    yield Markup('<text x="14" y="{}" text-anchor="middle" transform="rotate(-90 14 {})">{}</text>').format(
        middle, middle, _fitting(figure.up, bottom - size.top)
    )
    if figure.diagonal:
        start, end = max(frame.left, frame.low), min(frame.right, frame.high)
        yield _line(frame.x(start), frame.y(start), frame.x(end), frame.y(end), "level")
    level = _level(figure)
    if level is not None:
        place = frame.y(level)
        yield _line(size.left, place, right, place, "level")
        if not _beside(figure, size):
            yield _text(right - 4, place - 6, "end", figure.level_name)
    if figure.upright is not None:
        yield _line(frame.x(figure.upright), size.top, frame.x(figure.upright), bottom, "level")
        late = frame.x(figure.upright) > (size.left + right) / 2
        yield _text(
            frame.x(figure.upright) + (-4 if late else 4), size.top - 3, "end" if late else "start", figure.upright_name
        )


def _places(figure: Figure, frame: _Frame) -> list[tuple[float, str]]:
    """What is written at the horizontal axis: the ends first, then what does not cover what is there."""
    if not figure.places:
        numbers = [] if figure.names else ticks(frame.left, frame.right, frame.size.parts[0])
        numbers = _whole(numbers, frame.least[0]) if figure.counts else numbers
        return [(number, _written(number, figure.across_shares)) for number in numbers]
    free: list[tuple[float, str]] = []
    for place, text in [figure.places[0], figure.places[-1], *figure.places[1:-1]]:
        reach = _LETTER * len(text) / 2 + 4
        if all(abs(frame.x(place) - frame.x(other)) > reach + _LETTER * len(name) / 2 for other, name in free):
            free.append((place, text))
    return free


def _level(figure: Figure) -> float | None:
    """The level, where it can be drawn."""
    return figure.level if figure.level is not None and math.isfinite(figure.level) else None


def _beside(figure: Figure, size: Size) -> float:
    """The room that names at the right end take; 0 on a narrow page, where they stand in the legend and the drawing."""
    names = [series.name for series in figure.series] if direct(figure) else []
    if _level(figure) is not None and (names or any(series.kind == "bars" for series in figure.series)):
        names.append(figure.level_name)
    longest = min(_NAMED, max(map(len, names), default=0))
    return 1.1 * _LETTER * longest + 14 if size.name == WIDE.name and longest else 0.0


def _named_ends(figure: Figure, frame: _Frame) -> Iterator[Markup]:
    """Name lines, and the level, where they end on the right, none over another."""
    if not _beside(figure, frame.size):
        return
    ends = [
        (frame.y(points[-1][1]), series.name, _colour(row))
        for row, series in enumerate(figure.series)
        if direct(figure) and (points := _finite(series))
    ]
    level = _level(figure)
    if level is not None:
        ends.append((frame.y(level), figure.level_name, "quiet"))
    place = -math.inf
    below = frame.bottom - _LINE * len(ends)
    for row, (end, name, colour) in enumerate(sorted(ends)):
        place = max(min(end, below + _LINE * row), place + _LINE)
        yield Markup('<text x="{}" y="{}" class="name {}">{}</text>').format(
            frame.edge + 8, round(place + 4, 2), colour, name if len(name) <= _NAMED else f"{name[: _NAMED - 1]}…"
        )


def _whole(places: list[float], least: float) -> list[float]:
    """Keep the ticks at whole numbers; the first one stands at the least number where it would be less."""
    return [max(place, least) for place in places if place == round(place)]


def _cut(name: str, room: int = _CUT) -> str:
    most = min(_CUT, room)
    return name if len(name) <= most else name[: most - 1] + "…"


def _fitting(title: str, room: float) -> str:
    """Cut the title of an axis where it is longer than the axis by far; the figure's title and notes say it whole."""
    most = int(1.1 * room / _LETTER * 1.15)
    return title if len(title) <= most else title[: most - 1] + "…"


def _dot(x: float, y: float, radius: float, title: Markup | str = "") -> Markup:
    form = Markup('<circle cx="{}" cy="{}" r="{}" fill="currentColor" class="dot">{}</circle>')
    return form.format(x, y, radius, title)


def _line(x: float, y: float, to_x: float, to_y: float, kind: str) -> Markup:
    return Markup('<line x1="{}" y1="{}" x2="{}" y2="{}" class="{}"/>').format(x, y, to_x, to_y, kind)


def _text(x: float, y: float, anchor: str, text: str) -> Markup:
    return Markup('<text x="{}" y="{}" text-anchor="{}">{}</text>').format(x, y, anchor, text)


def _finite(series: Series) -> list[tuple[float, ...]]:
    """The points that can be drawn; a bar or dot without an interval is only its height."""
    return [point for _, point in _numbered(series)]


def _numbered(series: Series) -> Iterator[tuple[int, tuple[float, ...]]]:
    """The points that can be drawn, with their rows."""
    for row, point in enumerate(series.points):
        if series.kind in ("bars", "dots") and not _all_finite(point[2:]):
            point = point[:2]
        if _all_finite(point):
            yield row, tuple(float(each) for each in point if each is not None)


def _all_finite(numbers: Sequence[float | None]) -> bool:
    return all(number is not None and math.isfinite(number) for number in numbers)


def _bars(
    figure: Figure, frame: _Frame, index: int, place: tuple[int, int], shown: Mapping[str, str]
) -> Iterator[Markup]:
    """Draw bars beside those of the figure's other sets, each with its interval and its count."""
    series, width = figure.series[index], _GROUP / place[1]
    for row, point in _numbered(series):
        left = point[0] - _GROUP / 2 + place[0] * width
        x, to_x = frame.x(left + 0.04 * width), frame.x(left + 0.96 * width)
        top, foot = sorted((frame.y(point[1]), frame.y(0.0)))
        said = _spoken(figure, series, row, point)
        bar = _rect(x, top, to_x - x, foot - top, _colour(index), _title(series, row, shown, said))
        yield _leading(series, row, bar, shown)
        middle = (x + to_x) / 2
        if len(point) > 3:
            low, high = frame.y(point[2]), frame.y(point[3])
            yield _line(middle, low, middle, high, "whisker")
            for end in (low, high):
                yield _line(middle - 5, end, middle + 5, end, "whisker")
            top = min(top, high)
        if series.counts:
            yield _count(middle, top - 4, to_x - x, series.counts[row])


def _rect(x: float, y: float, width: float, height: float, colour: str, title: Markup | str) -> Markup:
    return Markup('<rect x="{}" y="{}" width="{}" height="{}" class="{} bar" fill="currentColor">{}</rect>').format(
        x, y, round(width, 2), round(height, 2), colour, title
    )


def _count(x: float, y: float, width: float, count: int) -> Markup:
    """Write of how many a bar is; upwards where it is too thin."""
    text = written.count(count)
    turned = Markup(' transform="rotate(-90 {} {})"').format(round(x + 3.5, 2), y) if 6 * len(text) > width - 1 else ""
    return Markup('<text x="{}" y="{}" class="n" text-anchor="{}"{}>{}</text>').format(
        round(x + 3.5 if turned else x, 2), round(y, 2), "start" if turned else "middle", turned, text
    )


def _spoken(figure: Figure, series: Series, row: int, point: tuple[float, ...]) -> str:
    """Say a bar in words: its name, number, interval and count."""
    place = int(point[0])
    name = figure.names[place] if 0 <= place < len(figure.names) and place == point[0] else ""
    parts = [name, series.name if len(figure.series) > 1 else "", _written(point[1], figure.shares)]
    interval = "[{}, {}]".format(*(_written(end, figure.shares) for end in point[2:])) if len(point) > 3 else ""
    sentence = ", ".join(filter(None, parts)) + f" {interval}".rstrip()
    return sentence + (f", n = {written.count(series.counts[row])}" if series.counts else "")


def _told(series: Series, row: int, shown: Mapping[str, str]) -> str:
    """Say what a mark is: its own name, or the title of the texts that it leads to."""
    if series.labels:
        return series.labels[row]
    return shown.get(series.leads[row], "") if series.leads else ""


def _title(series: Series, row: int, shown: Mapping[str, str], said: str = "") -> Markup | str:
    told = _told(series, row, shown) or said
    return Markup("<title>{}</title>").format(told) if told else ""


def _leading(series: Series, row: int, mark: Markup, shown: Mapping[str, str]) -> Markup:
    """Make a mark the link to its texts, where they are shown."""
    lead = series.leads[row] if series.leads else ""
    label = _told(series, row, shown) or "its texts"
    return Markup('<a href="#{}" aria-label="{}">{}</a>').format(lead, label, mark) if lead in shown else mark


def _series(series: Series, frame: _Frame, colour: str, shown: Mapping[str, str]) -> Iterator[Markup]:
    points = list(_numbered(series))
    yield Markup('<g class="{}">').format(colour)
    if series.kind == "line":
        for _, run in groupby(enumerate(points), lambda pair: pair[1][0] - pair[0]):  # anew after a missing point
            path = " ".join(f"{frame.x(point[0])},{frame.y(point[1])}" for _, (_, point) in run)
            yield Markup('<polyline points="{}" fill="none" stroke="currentColor" stroke-width="2"/>').format(path)
    if series.kind == "dots" or len(points) <= _DOTTED:
        for _, (x, _, *ends) in points:
            if ends:
                yield _line(frame.x(x), frame.y(ends[0]), frame.x(x), frame.y(ends[1]), "span")
        for row, point in points:
            mark = _dot(frame.x(point[0]), frame.y(point[1]), 3, _title(series, row, shown))
            yield _leading(series, row, mark, shown)
    yield Markup("</g>")


def _labels(figure: Figure, frame: _Frame) -> Iterator[Markup]:
    """Write what the dots are beside them where no axis says it, the first ones first, as far as there is room."""
    taken: list[tuple[float, float, float]] = []
    right_end = frame.edge
    dots = [
        (frame.x(point[0]), frame.y(point[1]))
        for series in figure.series if series.kind == "dots" for point in _finite(series)
    ]  # fmt: skip
    level = _level(figure)
    if level is not None:  # its name stands there
        taken.append((right_end - 4 - _LETTER * len(figure.level_name), right_end, frame.y(level) - 6))
    for series in figure.series:
        for row, point in _numbered(series) if series.labels and series.kind == "dots" and not figure.names else ():
            label = series.labels[row]
            x, y = frame.x(point[0]) + 6, frame.y(point[1]) - 5
            right = x + _LETTER * len(label)
            free = all(right < a or b < x or abs(y - other) >= _LINE for a, b, other in taken) and right < right_end
            if label and free and not any(x - 3 < a < right and y - 10 < b < y + 4 for a, b in dots):
                taken.append((x, right, y))
                yield _text(x, y, "start", label)


def _written(number: float, share: bool = False) -> str:
    if share:
        return f"{100 * number:.6g}\u202f%"
    small = number and not 1e-4 <= abs(number) < 1e7
    return written.decimal(number) if small else f"{number:,.6g}".replace("-", "−")
