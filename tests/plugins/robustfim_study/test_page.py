"""The page and its figures: nothing in a study is trusted, and points stand where they belong."""

from __future__ import annotations

import math
import re
from html.parser import HTMLParser
from typing import Any

from robustfim.record import Environment
from robustfim_study.figure import draw, ticks
from robustfim_study.page import render
from robustfim_study.study import Figure, Series, Study, Table

HOSTILE = "<script>alert(1)</script>\"'&\x00\ud83d"


def study(**parts: Any) -> Study:
    given = {"findings": [], "tables": [], "figures": [], **parts}
    return Study(study="s", title="T", environment=Environment(robustfim="1", python="3"), seed=0, started="", **given)


class Tags(HTMLParser):
    """Every element with its attributes."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))


def test_no_text_of_a_study_becomes_markup() -> None:
    figure = Figure(
        title=HOSTILE, across=HOSTILE, up=HOSTILE, level=1.0, level_name=HOSTILE, notes=[HOSTILE],
        series=[Series(name=HOSTILE, kind="line", points=[(0, 0), (1, 2)]), Series(name="b", kind="dots", points=[])],
    )  # fmt: skip
    table = Table(title=HOSTILE, header=[HOSTILE], rows=[[HOSTILE]], notes=[HOSTILE])
    page = render(study(suite=HOSTILE, findings=[HOSTILE], tables=[table], figures=[figure]))
    tags = Tags(page).found
    assert "script" not in {tag for tag, _ in tags}
    assert page.count("&lt;script&gt;alert(1)&lt;/script&gt;") >= 12
    assert "\x00" not in page
    page.encode("utf-8")


def test_the_page_asks_for_nothing_from_anywhere() -> None:
    page = render(study(figures=[Figure(title="f", across="x", up="y", series=[])]))
    asking = [attrs for _, attrs in Tags(page).found if {"src", "href", "style", "onclick"} & set(attrs)]
    assert not asking
    policies = [attrs["content"] or "" for _, attrs in Tags(page).found if "http-equiv" in attrs]
    assert [policy.split(";")[0] for policy in policies] == ["default-src 'none'"]
    assert "url(" not in page
    assert "@import" not in page


def test_points_stand_in_proportion_to_their_numbers() -> None:
    points: list[tuple[float, ...]] = [(0.0, 0.0), (5.0, 5.0), (10.0, 10.0), (math.nan, 1.0)]
    drawn = draw(Figure(title="", across="", up="", series=[Series(name="", kind="dots", points=points)]))
    places = [(float(x), float(y)) for x, y in re.findall(r'<circle cx="([\d.]+)" cy="([\d.]+)"', drawn)]
    assert len(places) == 3
    (x0, y0), (x1, y1), (x2, y2) = places
    assert math.isclose(x1 - x0, x2 - x1, abs_tol=0.02)
    assert math.isclose(y1 - y0, y2 - y1, abs_tol=0.02)
    assert x2 > x0
    assert y2 < y0  # up is less far from the top


def test_an_arrow_leads_from_its_point_along_its_step() -> None:
    series = Series(name="", kind="arrows", points=[(0.0, 0.0, 1.0, 0.0)])
    drawn = draw(Figure(title="", across="", up="", series=[series]))
    ((x, y, to_x, to_y),) = re.findall(r'<line x1="([\d.]+)" y1="([\d.]+)" x2="([\d.]+)" y2="([\d.]+)" stroke', drawn)
    assert float(to_x) > float(x)
    assert y == to_y
    assert f'<polygon points="{to_x},{to_y} ' in drawn


def test_shades_go_from_light_to_dark() -> None:
    series = Series(name="", kind="dots", points=[(0, 0), (1, 1), (2, 2)], shades=[0.0, 0.5, 1.0])
    fills = re.findall(r'fill="#(\w+)"', draw(Figure(title="", across="", up="", series=[series])))
    lightness = [sum(bytes.fromhex(fill)) for fill in fills]
    assert lightness == sorted(lightness, reverse=True)
    assert len(set(lightness)) == 3


def test_ticks_are_round() -> None:
    assert ticks(0, 10, 5) == [0, 2, 4, 6, 8, 10]
    assert [round(each, 9) for each in ticks(-0.13, 0.21, 6)] == [-0.1, 0, 0.1, 0.2]
