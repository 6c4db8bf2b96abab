"""Spans on the page: marked in both texts, whatever these hold."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

import robustfim
from robustfim import Example
from robustfim.record import EditRecord, RecallRecord
from robustfim.spans import Span, written_spans
from robustfim.statistics import Rate
from robustfim_html.spans import decision, span_tints
from robustfim_html.tint import Tint
from robustfim_html.verdict import recalls
from tests.plugins.robustfim_html.synthetic import build
from tests.plugins.robustfim_html.test_browser import Opened
from tests.plugins.robustfim_html.test_live import SEEN


@pytest.mark.parametrize(
    ("label", "shown"),
    [("positive", "positive"), ("⟦⟧", "0 spans"), ("⟦0:3 a⟧", "1 span"), ("⟦0:3@0.5 a⟧ ⟦4:5 b⟧", "2 spans")],
)
def test_a_decision_is_a_label_or_a_number_of_spans(label: str, shown: str) -> None:
    assert decision(label) == shown


TEXT = "Ann Lee flew to Paris with Bob."
GOLD = written_spans([Span(0, 7, "person"), Span(16, 21, "place"), Span(27, 30, "person")])


def edit(before: str, after: str) -> EditRecord:
    start = TEXT.index(before)
    return EditRecord(field="text", start=start, end=start + len(before), before=before, after=after)


def shown(text: str, tints: Sequence[Tint]) -> list[tuple[str, str, str]]:
    return [(text[tint.start : tint.end], tint.kind, tint.title) for tint in tints]


def test_gold_spans_are_marked_in_both_texts_as_found_missed_and_lost() -> None:
    before = written_spans([Span(0, 7, "person", 0.9), Span(16, 21, "place")])
    after = TEXT.replace("flew", "went off")
    old, new = span_tints(
        TEXT, GOLD, before, written_spans([Span(0, 7, "person"), Span(31, 34, "person")]), [edit("flew", "went off")]
    )
    expected = [("Ann Lee", "gold", "person"), ("Paris", "lost", "place, lost"), ("Bob", "missed", "person, not found")]
    assert shown(TEXT, old) == shown(after, new) == expected


def test_a_span_of_other_words_is_marked_where_its_label_is_carried_and_one_that_left_in_the_source_alone() -> None:
    kim, moved = (
        edit("Ann Lee", "Kim"),
        written_spans([Span(0, 3, "person"), Span(12, 17, "place"), Span(23, 26, "person")]),
    )
    carried = span_tints(TEXT, GOLD, GOLD, written_spans([Span(12, 17, "place"), Span(23, 26, "person")]), [kim], moved)
    assert shown(TEXT, carried[0])[0] == ("Ann Lee", "lost", "person, lost")
    assert shown("Kim flew to Paris with Bob.", carried[1])[0] == ("Kim", "lost", "person, lost")
    left = span_tints(TEXT, GOLD, GOLD, written_spans([]), [kim])
    assert shown(TEXT, left[0])[0] == ("Ann Lee", "gold", "person"), "it is in no count"
    assert shown("Kim flew to Paris with Bob.", left[1])[0] == ("Paris", "lost", "place, lost")


@pytest.mark.parametrize(("gold", "found"), [("positive", "negative"), (None, "⟦⟧"), (GOLD, "negative")])
def test_without_gold_and_found_spans_nothing_is_marked(gold: str | None, found: str) -> None:
    assert span_tints(TEXT, gold, found, found) == ([], [])


def test_of_overlapping_spans_the_first_is_marked_and_a_moved_label_of_another_text_is_not_believed() -> None:
    gold = written_spans([Span(0, 7, "a"), Span(4, 12, "b")])
    assert shown(TEXT, span_tints(TEXT, gold, gold, gold)[0]) == [("Ann Lee", "gold", "a")]
    assert span_tints(TEXT, GOLD, GOLD, GOLD, moved="⟦0:3 a⟧") == span_tints(TEXT, GOLD, GOLD, GOLD)


class Capitals:
    """Calls every word in capitals a name."""

    fingerprint = "capitals of the page"

    def tag(self, examples: Sequence[Example]) -> list[Any]:
        return [
            [(*found.span(), "name") for found in re.finditer(r"\b[A-Z]{2,}\b", example.text)] for example in examples
        ]


def test_a_page_marks_the_gold_spans_of_both_texts_says_the_loss_and_shows_the_recall(tmp_path: Path) -> None:
    run = robustfim.run(
        model=Capitals(),
        data=[Example({"text": "ANN & BOB <met>."}, "⟦0:3 name⟧")],
        checks={"lower": {"perturb": {"use": "case", "kinds": ["lower"]}}},
    )
    run.report(tmp_path / "report.html")
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    marks = [
        f'<span class="imp lost" title="{title}">{text}</span>' for title, text in (("", "ANN"), ("name, lost", "ann"))
    ]
    assert f"<del>{marks[0]}</del><ins>{marks[1]}</ins> &amp; BOB" in page, (
        "one label for both, and the edit that lost it"
    )
    assert page.count("&#39;ann&#39; is no longer found as name") == 2, "the first screen and the list"
    rows = re.findall(r"<tr><th scope=\"row\"><bdi>name</bdi></th>.*?</tr>", page)
    assert len(rows) == 1
    assert [re.sub(r"<[^>]*>", "", each) for each in re.findall(r"<td.*?</td>", rows[0])] == [
        "100.0\u00a0%", "0.0\u00a0% of 1", "lower",
    ]  # fmt: skip
    assert "⟦" not in re.sub(r"<script.*?</script>", "", page, flags=re.DOTALL)


@pytest.mark.parametrize(("width", "height"), [(1440, 900), (390, 844)])
def test_the_first_screen_of_a_tagger_stays_short_and_its_list_marks_the_spans_too(
    opened: Opened, tmp_path: Path, width: int, height: int
) -> None:
    texts = [
        "ANN met BOB at the station in the old town on Friday.",
        "They called CARL twice.",
        "We wrote to DORA today.",
    ]
    golds = ["⟦0:3 name⟧ ⟦8:11 name⟧", "⟦12:16 name⟧", "⟦12:16 name⟧"]
    run = robustfim.run(
        model=Capitals(),
        data=[Example({"text": text}, gold) for text, gold in zip(texts, golds, strict=True)],
        checks={kind: {"perturb": {"use": "case", "kinds": [kind]}} for kind in ("lower", "title")},
    )
    run.report(tmp_path / "report.html")
    page = opened((tmp_path / "report.html").read_text(encoding="utf-8"))
    page.set_viewport_size({"width": width, "height": height})
    assert page.evaluate(SEEN) <= 150
    assert page.locator(".live .variant.current .turned").first.inner_text().endswith("as name")
    listed = page.locator("#list article").first
    assert set(listed.locator(".lost").all_inner_texts()) & {"ANN", "CARL", "DORA"}
    assert "⟦" not in page.locator("body").inner_text()


def test_the_recall_of_a_label_is_that_under_the_check_that_takes_most_of_it() -> None:
    def recall(label: str, before: int, after: int, tested: int = 10) -> RecallRecord:
        return RecallRecord(label=label, before=Rate(before, tested), after=Rate(after, tested))

    record = build(examples=20, difficult=5, control=5)
    first, second, *rest = record.checks
    checks = [
        first.model_copy(update={"yardstick": False, "recall": [recall("a", 9, 8), recall("b", 9, 3)]}),
        second.model_copy(update={"yardstick": False, "recall": [recall("a", 9, 1), recall("c", 0, 0, 0)]}),
        *(check.model_copy(update={"yardstick": True, "recall": [recall("a", 9, 0)]}) for check in rest[:1]),
    ]
    found = recalls(record.model_copy(update={"checks": checks}))
    assert [(name, recall_record.label, recall_record.after.count) for name, recall_record in found] == [
        (second.name, "a", 1),
        (first.name, "b", 3),
    ]
