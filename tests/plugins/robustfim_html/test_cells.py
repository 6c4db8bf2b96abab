"""The tables of capabilities and of slices."""

from __future__ import annotations

import pytest

from robustfim.judge.matrix import capability_matrix
from robustfim.record import Record, SliceRecord
from robustfim.statistics import Rate
from robustfim_html.page import render
from tests.plugins.robustfim_html.document import Element, parse
from tests.plugins.robustfim_html.hostile import HOSTILE

PLACES = {"synonyms": ("Vocabulary", "INV"), "typos": ("Robustness", "INV"), "people": ("Vocabulary", "MFT")}


def rate(count: int, tested: int) -> Rate:
    return Rate(count, tested)


def sliced(name: str, count: int, tested: int, **definition: object) -> SliceRecord:
    return SliceRecord(
        name=name,
        definition=definition,
        examples=tested,
        accuracy=rate(tested - count, tested),
        failures=rate(count, tested),
    )


@pytest.fixture(scope="module")
def told(record: Record) -> Record:
    """The synthetic record with capabilities and slices."""
    checks = [
        check.model_copy(update=dict(zip(("capability", "type"), PLACES.get(check.name, (None, None)), strict=True)))
        for check in record.checks
    ]
    slices = [
        sliced("few", 3, 3),
        sliced("long", 60, 100, words=[25, None], contains=["not"]),
        sliced("none", 0, 0, label=["positive"]),
    ]
    return record.model_copy(update={"checks": checks, "slices": slices})


def rows(section: Element) -> list[list[str]]:
    return [[cell.words for cell in row.content if isinstance(cell, Element)] for row in section.one("tbody").all("tr")]


def test_the_matrix_has_a_row_for_each_capability(told: Record) -> None:
    section = parse(render(told)).by_id("capabilities")
    matrix = capability_matrix(told.checks)
    assert matrix is not None
    assert [element.words for element in section.one("thead").all("th")] == [
        "Capability",
        "MFT minimum functionality",
        "INV invariance",
    ]
    shown = rows(section)
    assert [row[0] for row in shown] == ["Vocabulary", "Robustness"]
    for row, (_, cells) in zip(shown, matrix.rows, strict=True):
        for text, cell in zip(row[1:], cells, strict=True):
            if cell is None or cell.rate.rate is None:
                assert text == "–"
                continue
            low, high = cell.rate.ends
            assert f"{100 * cell.rate.rate:.1f} % [{100 * low:.1f}–{100 * high:.1f} %]" in text
            assert f"{cell.rate.count} of {cell.rate.tested} in 1 check" in text


def test_the_slices_stand_worst_first_with_what_they_are(told: Record) -> None:
    shown = rows(parse(render(told)).by_id("slices"))
    assert [row[0] for row in shown] == ["long words: [25, null], contains: [not]", "few", "none label: [positive]"]
    assert "60.0 % [50.2–69.1 %]" in shown[0][1]
    assert "60 of 100" in shown[0][1]
    assert "40 of 100" in shown[0][2]
    assert shown[2][1:] == ["–", "–"]


def test_a_bar_is_as_long_as_its_rate(told: Record) -> None:
    row = parse(render(told)).by_id("slices").one("tbody").all("tr")[0]
    fills = [element for element in row.all("rect") if "fill" in element.attributes["class"].split()]
    assert [fill.attributes["width"] for fill in fills] == ["60%", "40%"]


def test_a_run_without_them_shows_neither(document: Element) -> None:
    assert not {"capabilities", "slices"} & set(document.ids)
    assert not [
        element for element in document.all("a") if element.attributes.get("href") in ("#slices", "#capabilities")
    ]


def test_hostile_names_are_shown_as_they_are(small: Record) -> None:
    check = small.checks[0]
    checks = [
        check.model_copy(update={"id": f"{check.id}{n}", "name": f"check {n}", "capability": text, "type": "MFT"})
        for n, text in enumerate(HOSTILE)
    ]
    slices = [sliced(text, 1, 2, contains=[text]) for text in HOSTILE]
    document = parse(render(small.model_copy(update={"checks": checks, "slices": slices})))
    for section in ("slices", "capabilities"):
        assert len(document.by_id(section).one("tbody").all("tr")) == len(HOSTILE)
    assert len(document.scripts) == 1
