"""The page and its figures: nothing in a study is trusted, and points stand where they belong."""

from __future__ import annotations

from html.parser import HTMLParser
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import pytest

from robustfim.exhibit import Figure, Passage, Passages, Series, Table
from robustfim.record import Environment
from robustfim.record.study import Study
from robustfim_drawing import page as document
from robustfim_study.study_output import render

if TYPE_CHECKING:
    from playwright.sync_api import Browser

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
    assert [tag for tag, _ in tags].count("script") == 1, "its own"
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


def test_the_page_opens_with_the_answer_and_the_figure_that_shows_it() -> None:
    figures = [Figure(title=name, across="x", up="y", series=[]) for name in ("lead", "more", "most")]
    table = Table(title="numbers", header=["a"], rows=[["1"]])
    page = render(study(suite="s", findings=["Yes, it does.", "More."], tables=[table], figures=figures))
    order = [
        ">T · s</span>",
        ">Yes, it does.</h1>",
        "<main",
        ">lead<",
        "More.",
        ">numbers<",
        ">more<",
        ">most<",
    ]
    places = [page.index(each) for each in order]
    assert places == sorted(places)
    assert page.count("Yes, it does.") == 1
    assert page.count('class="wide"') == page.count('class="narrow"') == 3


def test_a_dot_leads_to_its_text_by_a_click_and_by_the_keyboard(browser: Browser, tmp_path: Path) -> None:
    dots = Series(name="d", kind="dots", points=[(0, 0), (1, 1)], leads=["x-0", "x-1"])
    texts = [
        Passages(id=f"x-{row}", title=f"text {row}", passages=[Passage(pieces=[("", HOSTILE)])]) for row in range(2)
    ]
    figures = [Figure(title="f", across="x", up="y", series=[dots])]
    path = tmp_path / "page.html"
    path.write_text(document("T", ["A."], [], figures, passages=texts), encoding="utf-8")
    page = browser.new_page()
    page.goto(path.as_uri())
    assert not page.is_visible("#x-1")
    page.click("svg.wide a >> nth=1")
    page.wait_for_selector("#x-1", state="visible")
    assert not page.is_visible("#x-0")
    page.focus("svg.wide a >> nth=0")
    page.keyboard.press("Enter")
    page.wait_for_selector("#x-0", state="visible")
    assert page.locator("body script").count() == 0
    page.close()


@pytest.mark.parametrize(("width", "scheme"), [(390, "light"), (1440, "dark")])
def test_no_accessibility_rule_is_broken_and_nothing_is_wider_than_the_screen(
    browser: Browser, tmp_path: Path, width: int, scheme: Literal["light", "dark"]
) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe is not installed")
    bars = Series(name="easiest", kind="bars", points=[(0, 0.5, 0.4, 0.6), (1, 0.7, 0.6, 0.8)])
    line = Series(name="curve", kind="line", points=[(0, 0.1), (1, 0.9)])
    figures = [Figure(title="f", across="a long title of the axis across", up="y", series=[bars, line])]
    table = Table(title="numbers", header=["a", "b"], rows=[["word" * 30, "1"]], notes=["A note."])
    page = browser.new_page(viewport={"width": width, "height": 900}, color_scheme=scheme)
    path = tmp_path / "page.html"
    path.write_text(render(study(suite="s", findings=["A.", "B."], tables=[table], figures=figures)), encoding="utf-8")
    page.goto(path.as_uri())
    assert [violation["id"] for violation in axe.Axe().run(page).response["violations"]] == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.close()
