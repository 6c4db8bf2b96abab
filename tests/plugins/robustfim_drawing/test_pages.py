"""A page of exhibits in a real browser: whatever stands in it, in whichever place, is text."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING
from xml.etree import ElementTree

from robustfim.exhibit import Figure, Passage, Passages, Series, Table
from robustfim_drawing.pages import page, write_page
from tests.plugins.robustfim_html.vectors import VECTORS

if TYPE_CHECKING:
    from playwright.sync_api import Browser


ONE = """
    [...document.querySelectorAll("*")].filter((each) =>
      each.matches("body script, iframe, object, embed, img, image, link, base, form, math, animate, set, template")
      || each.matches("use")
      || each.getAttributeNames().some((name) => name.startsWith("on"))
      || (each.getAttribute("href") || "#").match(/^[^#]/)).map((each) => each.outerHTML)
"""
"""Every element that no page of exhibits has."""


def attacked(first: int) -> str:
    """A page with three texts in every place that takes one, in figures of all kinds."""
    one, two, three = (VECTORS[(first + place) % len(VECTORS)] for place in range(3))
    points: list[tuple[float | None, ...]] = [(0, 0.5, 0.4, 0.6), (1, 0.25, None, None)]
    figure = partial(Figure, across=one, up=two, notes=[three])
    figures = [
        figure(title=one, names=[two, three], level=0.5, level_name=one, series=[
            Series(name=two, kind="bars", points=points, counts=[1, 2], leads=["texts", ""]),
            Series(name=three, kind="bars", points=points, labels=[one, two], leads=["texts", "texts"]),
        ]),
        figure(title=two, series=[
            Series(name=one, kind="dots", points=points, labels=[three, one]),
        ]),
        figure(title=three, series=[
            Series(name=one, kind="line", points=points), Series(name=two, kind="line", points=points),
        ]),
        figure(title=one, along=(0, 2), places=[(0, two), (2, three)], upright=1, upright_name=three,
               series=[Series(name=two, kind="bars", points=[(0.5, 1), (1.5, 2)], labels=[one, three])]),
    ]  # fmt: skip
    table = Table(title=one, header=[two, three], rows=[[three, one], [one, two]], notes=[two], texts=[1])
    passages = [
        Passages(
            id="texts", title=three, passages=[Passage(note=one, pieces=[("", two), ("del", three), ("ins", one)])]
        )
    ]
    return page(one, [two, three], [table], figures, passages=passages, about=three)


def test_no_text_in_any_place_runs_a_script_sends_a_request_or_makes_an_element(
    browser: Browser, tmp_path: Path
) -> None:
    said: list[str] = []
    shown = browser.new_page()
    shown.on("dialog", lambda dialog: said.append(dialog.message))
    shown.on("console", lambda message: said.append(message.text))
    shown.on("request", lambda request: said.extend([request.url] * (not request.url.startswith("file:"))))
    for first in range(0, len(VECTORS), 3):
        path = tmp_path / "page.html"
        path.write_text(attacked(first), encoding="utf-8")
        shown.goto(path.as_uri())
        assert shown.evaluate(ONE) == [], VECTORS[first : first + 3]
        assert VECTORS[first].encode("utf-8", "replace").decode().replace("\x00", "\ufffd") in shown.evaluate(
            "[...document.querySelectorAll('td')].map((each) => each.textContent).join()"
        )
    shown.close()
    assert said == []


def test_each_figure_of_a_page_is_saved_as_a_file_that_needs_no_page(browser: Browser, tmp_path: Path) -> None:
    points: list[tuple[float | None, ...]] = [(0, 0.5, 0.4, 0.6)]
    figures = [
        Figure(title=title, across="x", up="y", series=[Series(name="one", kind="bars", points=points, counts=[9])])
        for title in ("First rate", "Second rate")
    ]
    path = write_page(tmp_path / "page.html", page("Asked", ["answer"], [], figures))
    shown = browser.new_page()
    shown.goto(path.as_uri())
    with shown.expect_download() as download:
        shown.get_by_role("button", name="Save figure").nth(1).click()
    assert download.value.suggested_filename == "Second-rate.svg"
    root = ElementTree.parse(download.value.path()).getroot()  # noqa: S314  # our own file
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert root.findall(".//{*}rect")
    assert not root.findall(".//*[@class]")
    shown.close()


def test_a_page_without_figures_has_no_script_and_each_says_of_what_and_when_it_was_made() -> None:
    written = page("Asked", ["answer"], [], [], about="seed 7", made="2026-11-20T21:03:00+00:00")
    assert "<script" not in written
    assert "script-src" not in written
    assert " · seed 7 · 20 November 2026, 21:03 UTC" in written


def test_a_page_links_to_the_others_by_their_titles_which_are_text(tmp_path: Path) -> None:
    for name, title in (("first", "Plan of s."), ("<b>", "<img src=x>")):
        write_page(tmp_path / f"{name}.html", page(title, ["answer"], [], []))
    written = write_page(tmp_path / "last.html", page("last", [], [], [])).read_text(encoding="utf-8")
    assert '<a href="first.html">Plan of s</a>' in written
    assert '<a href="%3Cb%3E.html">&lt;img src=x&gt;</a>' in written
