"""A figure as SVG: points stand where they belong."""

from __future__ import annotations

import math
import re
from itertools import pairwise

import pytest

from robustfim.exhibit import Figure, Series
from robustfim_drawing.figure import NARROW, draw

Rect = tuple[float, float, float, float]


def dots(figure: Figure) -> list[tuple[float, float]]:
    """Every dot: its centre."""
    return [(float(x), float(y)) for x, y in re.findall(r'<circle cx="([\d.]+)" cy="([\d.]+)"', draw(figure))]


def test_points_stand_in_proportion_to_their_numbers() -> None:
    points: list[tuple[float, ...]] = [(0.0, 0.0), (5.0, 5.0), (10.0, 10.0), (math.nan, 1.0)]
    series = Series(name="", kind="dots", points=points)
    (x0, y0), (x1, y1), (x2, y2) = dots(Figure(title="", across="", up="", series=[series]))
    assert math.isclose(x1 - x0, x2 - x1, abs_tol=0.02)
    assert math.isclose(y1 - y0, y2 - y1, abs_tol=0.02)
    assert x2 > x0
    assert y2 < y0  # up is less far from the top


def bars(figure: Figure) -> list[Rect]:
    """Every bar: left, top, width, height."""
    found = re.findall(r'<rect x="([\d.]+)" y="([\d.]+)" width="([\d.]+)" height="([\d.]+)"', draw(figure))
    return [(float(x), float(y), float(width), float(height)) for x, y, width, height in found]


def test_bars_stand_on_zero_as_high_as_their_numbers_and_beside_one_another() -> None:
    easy = Series(name="easy", kind="bars", points=[(0, 0.8, 0.7, 0.9), (1, 0.4, 0.3, 0.5)])
    hard = Series(name="hard", kind="bars", points=[(0, 0.4, None, None)])
    figure = Figure(title="", across="", up="", names=["a", "b"], series=[easy, hard])
    first, second, third = bars(figure)
    assert {round(y + height, 1) for _, y, _, height in (first, second, third)} == {round(first[1] + first[3], 1)}
    assert first[3] == pytest.approx(2 * second[3], abs=0.05)
    assert third[3] == pytest.approx(second[3], abs=0.05)
    assert first[0] + first[2] <= third[0] < second[0]
    assert draw(figure).count('class="whisker"') == 6  # a line and two ends, twice: one bar has no interval


def test_a_bar_below_zero_hangs_from_it() -> None:
    down, up = bars(Figure(title="", across="", up="", series=[Series(name="", kind="bars", points=[(0, -1), (1, 1)])]))
    assert down[1] == pytest.approx(up[1] + up[3], abs=0.02)


def test_names_stand_in_place_of_numbers_and_long_ones_are_cut() -> None:
    figure = Figure(title="", across="", up="", names=["short", "x" * 40], series=[])
    written = re.findall(r">([^<]+)</text>", draw(figure))
    assert written[:2] == ["short", "x" * 27 + "…"]


@pytest.mark.parametrize(("points", "dots"), [(20, 20), (200, 0)])
def test_a_line_of_many_points_has_no_dots(points: int, dots: int) -> None:
    series = Series(name="", kind="line", points=[(n, n) for n in range(points)])
    drawn = draw(Figure(title="", across="", up="", series=[series]))
    assert drawn.count("<circle") == dots
    assert drawn.count("<polyline") == 1


def test_dots_are_named_and_their_names_do_not_overlap() -> None:
    points: list[tuple[float, ...]] = [(0, 0), (0.001, 0), (1, 1), (math.nan, 0)]
    series = Series(name="", kind="dots", points=points, labels=["was", "hidden", "<went>", "nowhere"])
    drawn = draw(Figure(title="", across="", up="", series=[series]))
    assert re.findall(r"<title>(.*?)</title>", drawn) == ["was", "hidden", "&lt;went&gt;"]
    beside = re.findall(r'text-anchor="start">(.*?)<', drawn)
    assert "was" in beside
    assert "hidden" not in beside, "it would cover the first"
    assert "nowhere" not in beside


def lines(figure: Figure, kind: str) -> list[tuple[float, ...]]:
    """The ends of every line of a kind."""
    pattern = rf'<line x1="([\d.]+)" y1="([\d.]+)" x2="([\d.]+)" y2="([\d.]+)" class="{kind}"/>'
    return [tuple(map(float, each)) for each in re.findall(pattern, draw(figure))]


def written(figure: Figure, anchor: str) -> list[float]:
    """The numbers beside an axis."""
    found = re.findall(rf'text-anchor="{anchor}">(−?[\d.]+)</text>', draw(figure))
    return [float(each.replace("−", "-")) for each in found]


@pytest.mark.parametrize("wide", [0.5, 1.0, 40.0])
def test_with_equal_units_a_unit_is_as_long_across_as_up(wide: float) -> None:
    series = Series(name="", kind="dots", points=[(0.0, 0.0), (1.0, 1.0), (wide, 0.0)])
    (x, y), (to_x, to_y), _ = dots(Figure(title="", across="", up="", series=[series], equal=True))
    assert math.isclose(to_x - x, y - to_y, abs_tol=0.02)


def test_a_missing_point_breaks_a_line() -> None:
    series = Series(name="", kind="line", points=[(0, 0), (1, 1), (None, 2), (3, 3), (4, 4)])
    lines = re.findall(r'<polyline points="([^"]+)"', draw(Figure(title="", across="", up="", series=[series])))
    assert [len(line.split()) for line in lines] == [2, 2]


def test_an_axis_of_shares_ends_at_0_and_1() -> None:
    series = Series(name="", kind="line", points=[(1.0, 1.0), (2.0, 1.0)])
    figure = Figure(title="", across="", up="", series=[series])
    assert max(written(figure, "end")) > 1
    shares = re.findall(r'text-anchor="end">(\d+)\u202f%<', draw(figure.model_copy(update={"shares": True})))
    assert shares == ["0", "20", "40", "60", "80", "100"]


def test_an_axis_that_counts_has_whole_numbers_alone() -> None:
    series = Series(name="", kind="line", points=[(1.0, 0.2), (2.0, 0.4)])
    figure = Figure(title="", across="", up="", series=[series])
    assert any(each != round(each) for each in written(figure, "middle"))
    counted = written(figure.model_copy(update={"counts": True}), "middle")
    assert counted == [1.0, 2.0]


def test_the_diagonal_goes_where_both_numbers_are_equal() -> None:
    series = Series(name="", kind="dots", points=[(0.0, 3.0), (4.0, 4.0), (10.0, 2.0)])
    figure = Figure(title="", across="", up="", series=[series], diagonal=True)
    ((x, y, to_x, to_y),) = lines(figure, "level")
    places = dots(figure)
    (over, on, under) = [place[1] - (y + (place[0] - x) * (to_y - y) / (to_x - x)) for place in places]
    assert over < 0 < under, "above the line is nearer to the top"
    assert math.isclose(on, 0, abs_tol=0.05)


def test_a_narrow_page_has_a_drawing_of_its_own_with_letters_as_large() -> None:
    figure = Figure(
        title="", across="", up="", names=["one", "another name", "a third name that is long"],
        series=[Series(name="", kind="bars", points=[(0, 1), (1, 2), (2, 3)])],
    )  # fmt: skip
    wide, narrow = draw(figure), draw(figure, NARROW)
    assert 'viewBox="0 0 720 420" class="wide"' in wide
    assert 'viewBox="0 0 340 300" class="narrow"' in narrow
    assert narrow.count("<rect") == wide.count("<rect") == 3
    assert "rotate(-40" in narrow, "names that do not fit beside one another are slanted"
    assert "rotate(-40" not in wide


def test_the_name_of_a_dot_does_not_cover_that_of_the_level() -> None:
    series = Series(name="", kind="dots", points=[(0, 0.5), (0.9, 0.5)], labels=["the", "a"])
    figure = Figure(title="", across="", up="", series=[series], level=0.5, level_name="tells nothing")
    beside = re.findall(r'text-anchor="start">(.*?)<', draw(figure))
    assert beside == ["the"]


def test_the_name_of_a_dot_covers_no_other_dot() -> None:
    near = Series(name="", kind="dots", points=[(0, 0), (0.1, 0.02), (1, 1)], labels=["covering", "", "free"])
    beside = re.findall(r'text-anchor="start">(.+?)<', draw(Figure(title="", across="", up="", series=[near])))
    assert beside == []  # the last one has no room before the edge
    apart = Series(name="", kind="dots", points=[(0, 0), (0.1, 0.5), (1, 1)], labels=["free", "too", ""])
    beside = re.findall(r'text-anchor="start">(.+?)<', draw(Figure(title="", across="", up="", series=[apart])))
    assert beside == ["free", "too"]


def test_dots_and_bars_lead_to_the_texts_that_are_shown_and_to_no_other() -> None:
    dots = Series(name="", kind="dots", points=[(0, 0), (math.nan, 1), (2, 2)], leads=["a", "b", "c"])
    bars = Series(name="", kind="bars", points=[(0, 1), (1, 2)], leads=["", "d"])
    figure = Figure(title="", across="", up="", series=[dots, bars])
    assert "<a " not in draw(figure)
    assert 'role="img"' in draw(figure)
    linked = draw(figure, NARROW, {"c": "C & co", "d": "D", "b": "B"})
    found = re.findall(r'<a href="#(.)" aria-label="(.+?)"><(circle|rect) [^>]*><title>(.+?)</title>', linked)
    assert found == [("c", "C &amp; co", "circle", "C &amp; co"), ("d", "D", "rect", "D")]
    assert 'role="group"' in linked


def test_a_horizontal_axis_of_shares_begins_at_0_and_is_in_per_cent() -> None:
    series = Series(name="", kind="dots", points=[(0.1, 0.5), (0.42, 0.5)])
    figure = Figure(title="", across="", up="", series=[series], shares=True, across_shares=True)
    written = re.findall(r'text-anchor="middle">([^<]+)<', draw(figure))
    assert written == ["0\u202f%", "10\u202f%", "20\u202f%", "30\u202f%", "40\u202f%"]


def test_figures_side_by_side_can_have_one_axis() -> None:
    figures = [
        Figure(title="", across="", up="", along=(0.0, 10.0), series=[Series(name="", kind="dots", points=points)])
        for points in ([(1.0, 0.0), (2.0, 1.0)], [(0.0, 0.0), (10.0, 1.0)])
    ]
    first, second = (re.findall(r'text-anchor="middle">(\d+)<', draw(figure)) for figure in figures)
    assert first == second == ["0", "2", "4", "6", "8", "10"]


def test_a_dot_with_an_interval_is_drawn_with_it_and_one_without_is_not() -> None:
    series = Series(name="", kind="dots", points=[(0, 0.5, 0.2, 0.9), (1, 0.5, None, None), (2, 0.5)])
    drawn = draw(Figure(title="", across="", up="", series=[series], shares=True))
    ((x, low, to_x, high),) = re.findall(r'x1="([\d.]+)" y1="([\d.]+)" x2="([\d.]+)" y2="([\d.]+)" class="span"', drawn)
    dots = re.findall(r'<circle cx="([\d.]+)" cy="([\d.]+)"', drawn)
    assert len(dots) == 3
    assert x == to_x == dots[0][0]
    middle = float(dots[0][1])
    assert float(low) - middle == pytest.approx(3 / 4 * (middle - float(high)), abs=0.05)


def test_ranks_begin_at_1_on_both_axes() -> None:
    points = [(rank, 81 - rank) for rank in range(1, 81)]
    figure = Figure(title="", across="", up="", counts=True, diagonal=True,
                    series=[Series(name="", kind="dots", points=points)])  # fmt: skip
    for anchor in ("middle", "end"):
        written = re.findall(rf'text-anchor="{anchor}">(−?[\d.]+)</text>', draw(figure))
        assert written == ["1", "20", "40", "60", "80"]


def test_a_slanted_name_does_not_begin_left_of_the_drawing() -> None:
    names = ["a rather long name indeed"] * 9
    written = draw(Figure(title="", across="", up="", names=names, series=[]), NARROW)
    slanted = re.findall(r'<text x="([\d.]+)" [^>]*rotate\(-40[^>]*>([^<]+)</text>', written)
    assert len(slanted) == 9
    assert slanted[0][1].endswith("…")
    assert slanted[8][1] == names[8]
    assert all(float(x) - 0.77 * 7 * len(name) > -8 for x, name in slanted)


def test_a_text_at_the_axis_does_not_cover_another() -> None:
    figure = Figure(title="", across="", up="", along=(0, 3), series=[],
                    places=[(0, "0"), (1.5, "much too near"), (1.6, "the other"), (3, "3")])  # fmt: skip
    drawn = draw(figure)
    assert [text in drawn for text in (">0<", ">much too near<", ">the other<", ">3<")] == [True, True, False, True]


def test_a_bar_says_of_how_many_it_is() -> None:
    series = Series(name="", kind="bars", points=[(0, 0.5, 0.4, 0.6), (1, 0.25)], counts=[12, 3456])
    drawn = draw(Figure(title="", across="", up="", names=["a", "b"], shares=True, series=[series]))
    assert re.findall(r'class="n"[^>]*>([\d,]+)<', drawn) == ["12", "3,456"]
    assert re.findall(r"<title>(.*?)</title>", drawn) == [
        "a, 50\u202f% [40\u202f%, 60\u202f%], n = 12", "b, 25\u202f%, n = 3,456"
    ]  # fmt: skip


def test_lines_are_named_at_their_ends_and_no_name_covers_another() -> None:
    series = [Series(name=name, kind="line", points=[(0, 0), (1, end)]) for name, end in (("up", 1), ("near", 0.99))]
    figure = Figure(title="", across="", up="", series=series, level=0.98, level_name="level")
    named = re.findall(r'<text x="([\d.]+)" y="([\d.]+)" class="name \w+">(\w+)</text>', draw(figure))
    assert [name for *_, name in named] == ["up", "near", "level"]
    heights = [float(y) for _, y, _ in named]
    assert all(low - high >= 13 for high, low in pairwise(heights))
    ends = [float(line[2]) for line in lines(figure, "grid")]
    assert all(float(x) > max(ends) for x, *_ in named), "beside the drawing, not in it"
    assert 'class="name' not in draw(figure, NARROW), "there is no room: its legend names them"
