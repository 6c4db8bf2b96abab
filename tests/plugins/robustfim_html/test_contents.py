"""What the page says is what the record holds."""

from __future__ import annotations

import re

import pytest

from robustfim.judge import ordered_failures
from robustfim.judge.harm import harm_of
from robustfim.outcome import Outcome
from robustfim.record import Record, ResidualRecord, ShiftRecord
from robustfim.statistics import Rate
from robustfim_html.page import render
from robustfim_html.verdict import answer
from tests.plugins.robustfim_html.document import Element, parse
from tests.plugins.robustfim_html.synthetic import build
from tests.plugins.robustfim_html.unpacked import told


def row(document: Element, number: int) -> Element:
    return document.by_id(f"check-{number + 1}")


def test_the_head_names_the_run(record: Record, document: Element) -> None:
    head = document.one("header")
    assert head.one(css="eyebrow").words.startswith(record.suite)
    assert head.one("h1").words == answer(record).verdict
    assert "reference/cnn 2 classes" in head.words
    assert "reviews 600 examples" in head.words
    assert "20 November 2026, 21:03 UTC" in head.words
    assert "4 min 12 s" in head.words
    assert "Exit code 1" in head.words


def test_every_check_has_a_row_with_its_numbers(record: Record, document: Element) -> None:
    for number, check in enumerate(record.checks):
        found = row(document, number)
        assert found.one(css="name").text == check.name
        assert found.one(css="pill").text == str(check.outcome)
        if check.rate is None or check.interval is None:
            assert "%" not in found.one(css="c-rate").text
            continue
        low, high = check.interval
        words = found.one(css="c-rate").words
        assert f"{100 * check.rate:.1f} %" in words
        assert f"[{100 * low:.1f}–{100 * high:.1f} %]" in words
        assert f"{check.failing} of {check.tested}" in found.one(css="c-examples").words
        for arm in ("difficult", "control"):
            assert f"{arm} {100 * (check.arms[arm].rate or 0):.1f} %" in found.one(css="c-arms").words


def test_a_bar_is_as_long_as_its_rate(record: Record, document: Element) -> None:
    top = 0.6
    for number, check in enumerate(record.checks):
        bars = [e for e in row(document, number).one(css="c-rate").all("rect") if "fill" in e.attributes["class"]]
        if check.rate is None:
            assert not bars
            continue
        (bar,) = bars
        assert abs(float(bar.attributes["width"].rstrip("%")) - 100 * check.rate / top) < 0.01
        assert str(check.outcome) in bar.attributes["class"].split()
    assert "Bars end at 60 %" in document.by_id("checks").words


def test_candidates_are_accounted_for(record: Record, document: Element) -> None:
    for number, check in enumerate(record.checks):
        lines = {li.content[0].text: li for li in row(document, number).one(css="funnel").all("li")}  # type: ignore[union-attr]  # each line begins with its name
        told = {name: int(re.sub(r"\D", "", li.one("span", "num").text)) for name, li in lines.items()}
        counts = check.candidates
        assert told["proposed"] == counts.proposed
        assert told["tested"] == counts.tested
        assert told["failed"] == counts.failed
        parts = [n for name, n in told.items() if name not in {"single edits found", "proposed", "failed"}]
        refused = sum(n for name, n in told.items() if name.startswith("refused"))
        assert sum(parts) - refused == counts.proposed
        assert refused == sum(counts.edits_rejected.values())


def test_an_error_shows_its_traceback(record: Record, document: Element) -> None:
    (number,) = [i for i, check in enumerate(record.checks) if check.outcome is Outcome.ERROR]
    assert row(document, number).one("pre").text.lstrip("\n") == record.checks[number].traceback
    assert record.checks[number].message in row(document, number).text
    assert len(document.one("main").all("pre")) == 1


def test_every_failure_is_on_the_page_once(record: Record, page: str) -> None:
    assert sorted(each.id for each in told(page)) == sorted(failure.id for failure in record.failures)


def test_the_columns_hold_what_the_record_holds(record: Record, page: str) -> None:
    failures = {failure.id: failure for failure in record.failures}
    sources = {example.id: example for example in record.examples}
    for each in told(page):
        failure = failures[each.id]
        assert (each.check, each.example, each.arm) == (failure.check, failure.example, failure.arm)
        assert each.labels == (failure.before.label, failure.after.label)
        expected = (max(failure.before.probabilities), max(failure.after.probabilities))
        assert each.probabilities == pytest.approx(expected)
        assert each.source == sources[each.example].fields
        assert each.after == failure.fields
        assert each.command == failure.reproduce
        assert each.harm == harm_of(failure, sources[each.example], record.model.labels)


def test_the_first_hundred_failures_can_be_read_without_the_script(page: str, document: Element) -> None:
    shown = [e.attributes["id"] for e in document.all("article")]
    assert 100 <= len(shown) < 110
    assert shown == [f"failure-{each.id}" for each in told(page)][: len(shown)]
    assert f"{len(told(page)) - len(shown)} more failing pairs" in document.one(css="further").words


def test_a_failure_shows_both_texts_and_both_predictions(record: Record, document: Element) -> None:
    sources = {example.id: example for example in record.examples}
    for failure in record.failures:
        if f"failure-{failure.id}" not in document.ids:
            continue
        card = document.by_id(f"failure-{failure.id}")
        (text,) = card.all(css="text")
        assert text.without("ins") == sources[failure.example].fields["text"]
        assert text.without("del") == failure.fields["text"]
        assert bool(text.all("ins")) == (failure.step is None)
        before, after = max(failure.before.probabilities), max(failure.after.probabilities)
        change = f"{failure.before.label} {100 * before:.1f} % → becomes {failure.after.label} {100 * after:.1f} %"
        assert card.one(css="change").words == change
        assert card.one("code").text == failure.reproduce


def test_a_step_is_told_from_an_edit(record: Record) -> None:
    steps = [failure for failure in record.failures if failure.step is not None]
    document = parse(render(record.model_copy(update={"failures": steps[:30]})))
    for failure in steps[:30]:
        norm = f"{failure.step.norm:+g}".replace("-", "−") if failure.step else ""
        note = document.by_id(f"failure-{failure.id}").one(css="note").text
        assert note == f"Step of {norm} along eigenvector; the text is unchanged."


def test_how_a_text_moves_the_embedding_is_told_where_it_was_measured(record: Record) -> None:
    texts = [failure for failure in record.failures if failure.step is None][:3]
    shifts = [ShiftRecord(norm=2.5, cosine=-0.25, lambda_max=(0.5, 1.25)), ShiftRecord(norm=0.125), None]
    moved = [text.model_copy(update={"shift": shift}) for text, shift in zip(texts, shifts, strict=True)]
    document = parse(render(record.model_copy(update={"failures": moved})))
    notes = [[note.text for note in document.by_id(f"failure-{failure.id}").all(css="note")] for failure in moved]
    assert notes == [
        ["λmax 0.500 → 1.25. The embedding moves by 2.5, with cosine −0.25 to its top eigenvector."],
        ["The embedding moves by 0.125."],
        [],
    ]


def test_pairs_of_one_example_and_check_stand_together(record: Record, document: Element) -> None:
    by_id = {f"failure-{failure.id}": failure for failure in record.failures}
    for card in document.by_id("list").all("li"):
        pairs = [by_id[e.attributes["id"]] for e in card.all("article")]
        assert len({(pair.check, pair.example) for pair in pairs}) == 1
        margins = [pair.margin for pair in pairs[1:]]
        assert margins == sorted(margins, reverse=True), "after the first, which the reading order chooses"
        folded = card.all("details", "siblings")
        assert len(folded) == (len(pairs) > 1)
        if folded:
            assert folded[0].all("summary")[0].text == f"{len(pairs) - 1} more of this example"


def test_the_list_is_in_the_reading_order(record: Record, page: str) -> None:
    first = dict.fromkeys((each.check, each.example) for each in told(page))
    assert list(first) == [(failure.check, failure.example) for failure in ordered_failures(record)]
    assert {each.harm for each in told(page)} == {"right before, wrong after", "wrong before"}


def test_the_filters_offer_what_occurs(record: Record, document: Element) -> None:
    failed = {failure.check for failure in record.failures}
    checks = {e.attributes["value"]: e for e in document.by_id("by-check").all("option")}
    assert set(checks) == failed | {""}
    for number, check in enumerate(record.checks):
        if check.id in failed:
            assert checks[check.id].attributes["data-index"] == str(number)
    changes = [(f.before.label, f.after.label) for f in record.failures]
    offered = [e.text for e in document.by_id("by-change").all("option")][1:]
    assert sorted(offered) == sorted(f"{a} → {b} ({changes.count((a, b))})" for a, b in set(changes))
    assert [e.text for e in document.by_id("by-arm").all("option")] == ["all", "difficult", "control"]


def test_calls_and_gradients_are_told(record: Record, document: Element) -> None:
    words = document.one("dl", "meta").words
    assert "residual" not in words
    residual = ResidualRecord(examples=9, worst=4.2e-4, median=1e-5)
    iterated = parse(render(record.model_copy(update={"residual": residual, "failures": []})))
    assert "λmax by iterations, residual 4e-04 at worst" in iterated.one("dl", "meta").words
    assert f"Model calls {record.model_calls:,} {record.cached_calls:,} from the store" in words
    assert f"Gradients {record.gradient_calls} {record.step_calls} passes" in words
    assert f"{len(record.failures)} failing pairs in all" in words


def test_what_was_left_out_and_what_ran_are_told(document: Element) -> None:
    words = document.by_id("environment").words
    assert "3 rows: empty text" in words
    assert "1 row: label is not one of the model’s" in words
    assert "of 14 examples the model reads a part only" in words
    assert "torch 2.13.0" in words
    assert "shout.py sha256 3b6f0c3b6f0c" in words


def test_an_interrupted_run_says_so(record: Record, document: Element) -> None:
    assert not document.all(css="banner")
    broken = record.model_copy(update={"interrupted": True, "message": "the model could not be loaded"})
    banners = [e.words for e in parse(render(broken)).all(css="banner")]
    assert banners[0].startswith("Interrupted.")
    assert banners[1] == "The run could not go on. the model could not be loaded"


def test_a_run_without_failures_says_so() -> None:
    document = parse(render(build(keep=("contractions",)).model_copy(update={"failures": []})))
    assert document.by_id("failures").one(css="empty").text == "No check found a failing pair."
    assert not document.all("form")


def test_a_run_that_tested_nothing_claims_no_rate() -> None:
    document = parse(render(build(keep=("neighbours", "nouns"))))
    assert "No example was tested." in document.one("dl", "meta").words
    assert not [e for e in document.walk() if e.attributes.get("id") == "rates"]
    assert "No check tested an example" in document.by_id("failures").words


def test_a_run_without_selection_has_no_arms() -> None:
    document = parse(render(build(difficult=0, control=0, examples=60)))
    assert not document.all(css="c-arms")
    assert not document.by_id("checks").all(css="key")
    assert not [e for e in document.walk() if e.attributes.get("id") == "by-arm"]


def test_numbers_that_are_not_defined_are_dashes() -> None:
    record = build(keep=("synonyms",), examples=80, difficult=20, control=20)
    examples = [
        example.model_copy(update={"scores": dict.fromkeys(example.scores), "label": None, "probabilities": None})
        for example in record.examples
    ]
    model = record.model.model_copy(update={"accuracy": Rate(0, 0), "fingerprint": None})
    data = record.data.model_copy(update={"labelled": 0})
    selection = record.selection.model_copy(update={"threshold": None})
    checks = [c.model_copy(update={"rate": None, "interval": None, "limit": None}) for c in record.checks]
    page = render(
        record.model_copy(
            update={"examples": examples, "model": model, "data": data, "selection": selection, "checks": checks}
        )
    )
    document = parse(page)
    assert "nan" not in document.words.lower().split()
    assert "None" not in document.words
    assert not [e for e in document.walk() if e.attributes.get("id") == "score-1"]
    assert "No example has a gold label." in document.one("dl", "meta").words
    assert "λmax –" in document.all("div", "foot")[0].words


def test_a_failure_without_its_example_shows_the_perturbed_text() -> None:
    record = build(keep=("typos",), examples=80, difficult=20, control=20)
    document = parse(render(record.model_copy(update={"examples": []})))
    for failure in record.failures:
        card = document.by_id(f"failure-{failure.id}")
        assert card.one(css="text").text == failure.fields["text"]
        assert "not in the record" in card.one(css="note").text
