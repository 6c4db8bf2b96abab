"""The comment, read by cmark-gfm, which is GitHub's own parser."""

from __future__ import annotations

import re
from pathlib import Path

import cmarkgfm
import pytest
from cmarkgfm.cmark import Options

from robustfim.outcome import Outcome
from robustfim.printable import printable
from robustfim.record import CandidateCounts, Record
from robustfim_ci import junit
from robustfim_ci.markdown import MarkdownReport, escaped, render
from tests.plugins.robustfim_ci.hostile import HOSTILE
from tests.plugins.robustfim_html.document import Element, parse

OURS = {"#document", "h3", "p", "table", "thead", "tbody", "tr", "th", "td", "code", "br", "sub", "strong", "pre"}
OURS |= {"details", "summary"}
"""Every element that the report writes."""


def page(text: str) -> Element:
    """What GitHub makes of a text, before it takes out what it does not allow."""
    html = cmarkgfm.github_flavored_markdown_to_html(text, options=Options.CMARK_OPT_UNSAFE)
    return parse("<!doctype html>\n" + html.replace("<!-- -->", ""))


def rows(document: Element) -> list[list[str]]:
    return [[cell.words for cell in row.all("td")] for row in document.one("tbody").all("tr")]


@pytest.fixture(scope="module")
def document(record: Record) -> Element:
    return page(render(record, 65_535))


def test_the_table_has_a_row_for_each_check_the_worst_first(record: Record, document: Element) -> None:
    by_name = {row[0]: row for row in rows(document)}
    assert set(by_name) == {check.name for check in record.checks}
    assert list(by_name)[:4] == ["synonyms", "eigenvector", "typos", "neighbours"]
    assert list(by_name)[-1] in {check.name for check in record.checks if check.outcome is Outcome.PASSED}
    for check in record.checks:
        _, outcome, rate, limit = by_name[check.name]
        assert outcome.split()[1] == check.outcome
        if check.rate is None:
            assert rate == "–"
        elif not isinstance(check.limit, dict):
            found = re.fullmatch(r"([\d.]+) % \[([\d.]+), ([\d.]+)\] of (\d+) changed", rate)
            assert found is not None
            shown, low, high, tested = map(float, found.groups())
            assert check.interval is not None
            assert (shown, low, high) == pytest.approx([100 * each for each in (check.rate, *check.interval)], abs=0.06)
            assert tested == check.tested
            assert limit == f"{100 * float(str(check.limit)):.0f} %"


def test_arms_with_limits_of_their_own_have_a_line_each(document: Element) -> None:
    rate, limit = next(row[2:] for row in rows(document) if row[0] == "typos")
    assert re.fullmatch(r"control [\d.]+ % \[.*\] of 100 changed difficult [\d.]+ % \[.*\] of 100 changed", rate)
    assert limit == "difficult 20 %, control 5 %"


def test_the_worst_failures_of_a_check_are_folded_diffs(record: Record, document: Element) -> None:
    folds = {fold.one("summary").one("code").text: fold for fold in document.all("details")}
    assert set(folds) == {"synonyms", "eigenvector", "typos", "neighbours", "numbers"}
    blocks = folds["synonyms"].all("pre")
    assert [block.attributes["lang"] for block in blocks] == [*["diff"] * 5, "shell"]
    assert all(re.fullmatch(r"- .*\n\+ .*\n", block.text) for block in blocks[:5])
    worst = max(
        (failure for failure in record.failures if failure.check.endswith("synonyms")),
        key=lambda failure: failure.margin,
    )
    assert blocks[-1].text == f"{worst.reproduce}\n"
    assert f"… and {record.checks[0].failing - 5} more failing examples" in folds["synonyms"].text
    assert "FileNotFoundError" in folds["neighbours"].one("pre").text
    assert "the text is unchanged" in folds["eigenvector"].all("pre")[0].text


def test_the_head_says_what_was_tested(record: Record, document: Element) -> None:
    assert document.one("h3").text == (
        "sentiment: 3 of 9 checks failed, 1 broken, 1 inconclusive, 2 passed, 1 skipped, 1 failed as expected"
    )
    assert "Model reference/cnn on 600 examples of reviews, accuracy" in document.all("p")[0].words


def test_a_run_that_broke_says_why(record: Record) -> None:
    document = page(render(record.model_copy(update={"message": "no model *here*"}), 65_535))
    assert document.one("strong").text == "no model *here*"


def test_a_run_without_checks_has_no_table(record: Record) -> None:
    document = page(render(record.model_copy(update={"checks": [], "failures": []}), 65_535))
    assert document.one("h3").text == "sentiment: no check ran"
    assert not document.all("table")


@pytest.mark.parametrize("checks", [10, 300, 1000])
def test_a_comment_stays_below_githubs_limit_and_counts_what_it_leaves_out(
    record: Record, tmp_path: Path, checks: int
) -> None:
    many = [record.checks[0].model_copy(update={"id": f"{n}", "name": f"check {n}"}) for n in range(checks)]
    failures = [failure.model_copy(update={"check": check.id}) for check in many for failure in record.failures[:6]]
    large = record.model_copy(update={"checks": many, "failures": failures})
    text = MarkdownReport().write(large, tmp_path).read_text(encoding="utf-8")
    assert len(text) < 65_536
    document = page(text)
    shown, folded = len(rows(document)), len(document.all("details"))
    assert 0 < shown <= checks
    if shown < checks:
        assert f"… and {checks - shown:,} more checks: see the other reports." in document.text
        assert folded == 0
    elif folded < checks:
        assert f"… and {checks - folded} more checks with failures: see the other reports." in document.text
        assert len(text) > 55_000
    assert {element.tag for element in document.walk()} <= OURS


@pytest.mark.parametrize("room", [0, 100, 400, 1000, 2000, 5000])
def test_no_room_is_exceeded(record: Record, room: int) -> None:
    assert len(render(record, room)) <= room
    assert len(render(record, room, size=lambda text: len(text.encode())).encode()) <= room


@pytest.mark.parametrize("text", HOSTILE)
def test_an_escaped_text_reads_as_it_was(text: str) -> None:
    for around in ("{}", "| {} | b |\n| --- | --- |\n| c | {} |\n", "<code>{}</code>", "### {}", "- {}"):
        document = page(around.replace("{}", escaped(text)))
        assert document.text.count(printable(text).strip()) == around.count("{}")
        assert not document.all("a")
        assert {element.tag for element in document.walk()} <= OURS | {"ul", "li"}


def test_nothing_is_left_that_a_site_takes_for_a_mention(record: Record) -> None:
    html = cmarkgfm.github_flavored_markdown_to_html(escaped("@team #12"), options=Options.CMARK_OPT_UNSAFE)
    nodes = re.split(r"<[^>]*>", html)
    assert not [node for node in nodes if re.search(r"[@#]\w", node)]


def test_a_fence_in_a_traceback_does_not_end_its_block(record: Record) -> None:
    text = "before\n```\n<b>x</b>\n`````\n# after"
    check = record.checks[0].model_copy(update={"outcome": Outcome.ERROR, "traceback": text})
    document = page(render(record.model_copy(update={"checks": [check], "failures": []}), 65_535))
    assert document.one("pre").text == f"{text}\n"


def test_hostile_texts_survive_as_text(hostile_record: Record) -> None:
    document = page(render(hostile_record, 1_000_000))
    assert {element.tag for element in document.walk()} <= OURS
    names = [row[0] for row in rows(document)]
    assert sorted(names) == sorted(" ".join(printable(check.name).split()) for check in hostile_record.checks)
    folds = {fold.one("summary").one("code").text: fold for fold in document.all("details")}
    for check in hostile_record.checks:
        fold = folds[printable(check.name)]
        text = printable(check.message)
        assert fold.one("summary").text == f"{printable(check.name)}: {text}"
        assert fold.all("pre")[-2].text.endswith(f"{text}\n")
        assert f"{text[-30:]}{text}\n" in fold.all("pre")[-2].text
        assert len(fold.all("pre")) == (3 if check.outcome is Outcome.ERROR else 2)


def test_a_change_that_the_model_does_not_see_is_told_in_every_report(record: Record) -> None:
    passed = next(check for check in record.checks if check.outcome is Outcome.PASSED)
    blind = passed.model_copy(update={"candidates": CandidateCounts(tested=9, unmoved=9)})
    alone = record.model_copy(update={"checks": [blind], "failures": [], "comparisons": []})
    comment = render(alone, 65_535)
    assert "1 check passed (1 not seen by the model)" in comment
    assert "✅ passed, not seen by the model" in comment
    assert 'name="unseen_by_model" value="true"' in junit.JUnitReport().text(alone)
    assert "unseen_by_model" not in junit.JUnitReport().text(record)
