"""The card to pass on: SVG, PNG and Markdown."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING
from xml.etree import ElementTree

import pytest

from robustfim.errors import UsageError
from robustfim.exhibit import Figure, Section, Series
from robustfim.judge import first_failures
from robustfim.record import Record
from robustfim_html.card import HEIGHT, MARGIN, WIDTH, lines, markdown, svg
from robustfim_html.card_file import CardReport
from robustfim_html.page import render
from robustfim_html.verdict import answer
from tests.plugins.robustfim_html.hostile import hostile
from tests.plugins.robustfim_html.synthetic import build

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

Opened = Callable[..., "Page"]


def words(record: Record) -> str:
    """What the picture says, in the order of its lines."""
    root = ElementTree.fromstring(str(svg(record, first_failures(record))))  # noqa: S314  # made here
    rows = ["".join(row.itertext()) for row in root.iter() if row.tag.endswith("text")]
    return " ".join(" ".join(rows).split())


def test_the_card_says_verdict_evidence_and_the_first_failing_text(small: Record) -> None:
    said, (failure,) = words(small), first_failures(small, 1)
    assert answer(small).verdict in said
    assert all(" ".join(each.split()) in said for each in answer(small).evidence)
    assert f"{failure.before.label} {100 * max(failure.before.probabilities):.1f} % →" in said
    assert all(edit.after.strip() in said for edit in failure.edits)


def test_no_line_leaves_the_card_or_lies_on_another() -> None:
    for record in (build(examples=150, difficult=30, control=30), hostile()):
        rows = lines(record, first_failures(record))
        assert all(0 < row.y < HEIGHT for row in rows)
        assert all(after.y - before.y > 0.8 * after.size for before, after in pairwise(rows))


def test_letters_fit_the_width(browser: Browser, small: Record, tmp_path: Path) -> None:
    path = CardReport(tmp_path / "card.svg").write(small, tmp_path)
    page = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT})
    page.goto(path.as_uri())
    ends = page.evaluate(
        "[...document.querySelectorAll('text')].map((each) => each.getBBox().x + each.getBBox().width)"
    )
    page.close()
    assert max(ends) <= WIDTH - MARGIN / 2


def test_what_a_record_says_is_text_in_the_picture_and_in_markdown() -> None:
    record = hostile()
    root = ElementTree.fromstring(str(svg(record, first_failures(record))))  # noqa: S314  # made here
    assert {each.tag.rpartition("}")[2] for each in root.iter()} == {"svg", "rect", "text", "tspan"}
    assert not any(name.startswith("on") or "href" in name for each in root.iter() for name in each.attrib)
    ticked = record.model_copy(update={"suite": "a ```` b"})
    block = markdown(ticked, first_failures(ticked))
    first, *body, last = block.splitlines()
    assert first == "`````text"
    assert last == "`````"
    assert not any(each.startswith("`````") for each in body)


@pytest.mark.parametrize(("name", "begin"), [("a.svg", b"<svg"), ("a.md", b"```text"), ("a.png", b"\x89PNG")])
def test_the_ending_of_the_file_decides_what_is_written(small: Record, tmp_path: Path, name: str, begin: bytes) -> None:
    path = CardReport(tmp_path / name).write(small, tmp_path)
    assert path.read_bytes().startswith(begin)


def test_a_png_has_the_size_that_chats_show(small: Record, tmp_path: Path) -> None:
    image = pytest.importorskip("PIL.Image", reason="Pillow is not installed")
    path = CardReport(tmp_path / "card.png").write(small, tmp_path)
    with image.open(path) as picture:
        assert picture.size == (WIDTH, HEIGHT)
        assert len(picture.convert("RGB").getcolors(1 << 20)) > 20, "letters were drawn"


def test_another_ending_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"a \.svg, \.png or \.md file, not to 'card\.jpg'"):
        CardReport(Path("card.jpg"))


def test_the_page_saves_the_card_and_copies_the_block(opened: Opened, small: Record) -> None:
    page = opened(render(small))
    page.get_by_text("Share", exact=True).click()
    for button, begin in (("Save as SVG", b"<svg"), ("Save as PNG", b"\x89PNG")):
        with page.expect_download() as waiting:
            page.get_by_role("button", name=button).click()
        kept = Path(waiting.value.path())
        assert kept.read_bytes().startswith(begin)
        assert waiting.value.suggested_filename == f"sentiment.{button[-3:].lower()}"
    page.get_by_role("button", name="Copy as Markdown").click()
    page.get_by_role("button", name="Copied").wait_for()
    assert page.evaluate("navigator.clipboard.readText()") == markdown(small, first_failures(small))


def test_the_page_saves_each_figure_as_it_looks_with_the_names_of_its_series(opened: Opened, small: Record) -> None:
    points: list[tuple[float | None, ...]] = [(0, 0.5), (1, 0.25)]
    series = [Series(name=name, kind="bars", points=points) for name in ("before <b>", "after")]
    figure = Figure(title="Failures, by kind", across="kind", up="share", names=["a", "b"], series=series)
    section = Section(name="kinds", title="Kinds", figures=[figure])
    page = opened(render(small.model_copy(update={"sections": [section]})))
    shown = page.locator("#section-kinds")
    with page.expect_download() as waiting:
        shown.get_by_role("button", name="Save figure").click()
    assert waiting.value.suggested_filename == "Failures-by-kind.svg"
    drawn = ElementTree.fromstring(Path(waiting.value.path()).read_text("utf-8"))  # noqa: S314  # the page's own
    names = [each.text for each in drawn.iter("{http://www.w3.org/2000/svg}text")]
    assert names[-2:] == ["■ before <b>", "■ after"]
    assert {"kind", "share"} <= {*names}
    fills = {each.get("fill", "") for each in drawn.iter("{http://www.w3.org/2000/svg}rect")}
    assert len(fills) >= 3, "the ground and the bars of each series have a colour of their own"
    assert all(fill.startswith("rgb(") for fill in fills)
