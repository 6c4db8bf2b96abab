"""A page of two runs: regressions, what is still broken, and fixes, with what both models say."""

from __future__ import annotations

from typing import Any

import pytest

from robustfim.judge.comparison import compare
from robustfim.record import Record
from robustfim_html.page import render
from tests.plugins.robustfim_html.document import parse
from tests.plugins.robustfim_html.synthetic import build
from tests.plugins.robustfim_html.test_browser import Opened, pairs_of
from tests.plugins.robustfim_html.unpacked import told


@pytest.fixture(scope="module")
def before() -> Record:
    """A run, and below it one of another model, which breaks some other examples and mends some."""
    run = build(examples=200, difficult=40, control=40, keep=("synonyms", "typos", "eigenvector"))
    return run.model_copy(
        update={
            "examples": [
                example.model_copy(update={"correct": True, "prediction": example.label}) for example in run.examples
            ]
        }
    )


@pytest.fixture(scope="module")
def after(before: Record) -> Record:
    examples = [
        example.model_copy(update={"probabilities": [round(1 - p, 4), round(p, 4)]})
        for example in before.examples
        for p in [(example.probabilities or [0, 1])[1] ** 1.5]
    ]
    failing = sorted({failure.example for failure in before.failures})
    kept = set(failing[::2])
    failures = [failure for failure in before.failures if failure.example in kept]
    new = [
        failures[0].model_copy(update={"id": f"new{number}", "example": example.id, "edits": []})
        for number, example in enumerate(before.examples)
        if example.arm and example.id not in failing
    ][:7]
    run = before.model_copy(update={"examples": examples, "failures": [*failures, *new]})
    return run.model_copy(update={"comparisons": [compare(before, run)]})


def test_every_failure_of_both_runs_is_there_and_said_what_became_of_it(before: Record, after: Record) -> None:
    rows = told(render(after, before))
    ids = {state: {row.id for row in rows if row.now == state} for state in ("regression", "fix")}
    old, new = ({failure.id: failure for failure in run.failures} for run in (before, after))
    assert {row.id for row in rows} == set(old) | set(new)
    (comparison,) = after.comparisons
    for check in comparison.checks:
        broken = {
            failure.id
            for failure in new.values()
            if failure.check == check.id and failure.example in check.newly_broken
        }
        fixed = {
            failure.id for failure in old.values() if failure.check == check.id and failure.example in check.newly_fixed
        }
        assert broken <= ids["regression"]
        assert fixed <= ids["fix"]
        assert check.newly_fixed
    assert rows[0].now == "regression"
    order = ["regression", "still broken", "fix"]
    assert [row.now for row in rows] == sorted((row.now for row in rows), key=order.index)


def test_the_question_that_was_asked_is_answered_first(before: Record, after: Record) -> None:
    document = parse(render(after, before))
    comparison = after.comparisons[0]
    head = document.one("header")
    above = "3 above their limits, as in the baseline"
    assert head.one("h1").words == f"{comparison.headline.capitalize()}; {above}."
    said = comparison.answer.replace(f"; {comparison.headline}", "").removesuffix(
        "; 3 checks above their limits, as in the baseline"
    )
    assert head.one(css="evidence").words == f"{said[0].upper()}{said[1:]}.", "what the verdict says stands once"
    sections = [e.attributes["id"] for e in document.all("section") if "id" in e.attributes]
    assert sections[:2] == ["baseline", "checks"]


def test_both_models_probabilities_are_told_where_the_records_hold_them(before: Record, after: Record) -> None:
    document = parse(render(after, before))
    cards = document.by_id("list").all("li")
    said = [card.all(css="other")[0].text for card in cards]
    sources = {example.id: example for example in before.examples}
    card, told_ = next(
        (card, text) for card, text in zip(cards, said, strict=True) if text.startswith("The baseline answers")
    )
    (identity,) = {
        e.text.removeprefix("example ")
        for e in card.all("span")
        if e.text.startswith("example ") and len(e.content) == 2
    }
    source = sources[identity]
    share = 100 * max(source.probabilities or [])
    assert told_.startswith(f"The baseline answers the original with {source.prediction} {share:.1f}\xa0%")
    everything = " ".join(told_ for told_ in said)
    assert "passed" in everything


def test_a_run_alone_leads_only_to_what_it_holds(after: Record) -> None:
    document = parse(render(after))
    links = [e.attributes["href"] for e in document.by_id("baseline").all("a")]
    assert any("regression" in link for link in links)
    assert not any("fix" in link for link in links)


def test_a_number_of_the_table_lists_its_examples(opened: Opened, before: Record, after: Record) -> None:
    shown: Any = opened(render(after, before))
    link = shown.locator("#baseline a[href*='now=fix']").first
    count = int(link.inner_text())
    link.click()
    shown.wait_for_function("() => document.getElementById('by-now').value === 'fix'")  # what follows the link
    shown.evaluate("() => dispatchEvent(new Event('beforeprint'))")
    assert shown.locator("#list > li").count() == count <= pairs_of(shown)
    assert set(shown.locator("#list .tag.now").all_inner_texts()) == {"fix"}


def test_a_number_of_the_whole_run_lists_its_examples_and_no_other(
    opened: Opened, before: Record, after: Record
) -> None:  # fmt: skip
    shown: Any = opened(render(after, before))
    whole = after.comparisons[0].whole
    for state, ids in (("regression", whole.newly_broken), ("fix", whole.newly_fixed)):
        link = shown.locator(f"#baseline a[href='#slice=all%20checks%2C%20{state.replace(' ', '%20')}']")
        assert int(link.inner_text()) == len(ids) > 0
        link.click()
        shown.wait_for_function("(state) => document.getElementById('by-slice').value.endsWith(state)", arg=state)
        shown.evaluate("() => dispatchEvent(new Event('beforeprint'))")
        listed = shown.locator("#list .foot >> text=/^example /").all_inner_texts()
        assert {each.removeprefix("example ") for each in listed} == set(ids)


def test_what_is_newly_fixed_stands_beside_what_is_newly_broken(before: Record, after: Record) -> None:
    page = parse(render(after, before))
    cards = [(card.one("h2").words, card.one("h2").all("bdi")[0].text) for card in page.all("div", "live")]
    (comparison,) = after.comparisons
    fixed = {check.id.partition("::")[2] for check in comparison.checks if check.newly_fixed}
    assert [next(now for now in ("regression", "fix") if now in words) for words, _ in cards] == [
        *["regression"] * (len(cards) - 1),
        "fix",
    ]
    assert len(cards) > 1
    assert {check for words, check in cards if "fix" in words} <= fixed


def test_a_run_alone_says_nothing_of_what_became_of_its_texts(before: Record) -> None:
    assert not any("newly" in card.words for card in parse(render(before)).all("div", "live"))


@pytest.fixture(scope="module")
def turned(before: Record) -> tuple[Record, Record]:
    """A baseline that is wrong about two of the texts, and a run that is wrong about five others."""
    label = {"negative": "positive", "positive": "negative"}

    def wrong(run: Record, start: int, stop: int) -> Record:
        examples = [
            example.model_copy(update={"correct": False, "prediction": label.get(example.label or "", "other")})
            if start <= place < stop
            else example.model_copy(update={"correct": True, "prediction": example.label})
            for place, example in enumerate(run.examples)
        ]
        return run.model_copy(update={"examples": examples})

    old, new = wrong(before, 0, 2), wrong(before, 2, 7)
    model = new.model.model_copy(update={"options": {"path": "./candidate"}})
    new = new.model_copy(update={"model": model})
    return old, new.model_copy(update={"comparisons": [compare(old, new)]})


def test_four_counts_open_the_texts_and_both_models_are_named(opened: Opened, turned: tuple[Record, Record]) -> None:
    old, new = turned
    shown: Any = opened(render(new, old))
    assert f"{old.model.use} → ./candidate" in shown.inner_text(".page-head .eyebrow")
    assert shown.locator(".counts dd").all_inner_texts()[0].split() == ["5", "regressions", "2", "fixes"]
    for word, ids, said in (("wrong", range(2, 7), False), ("right", range(2), True)):
        shown.click(f".counts a[href='#untouched-{word}']")
        shown.wait_for_selector(f"#untouched-{word} td")
        rows = [row.split("\t") for row in shown.locator(f"#untouched-{word} tbody tr").all_inner_texts()]
        held = [new.examples[place] for place in ids]
        assert [row[0] for row in rows] == [" ".join(" | ".join(example.fields.values()).split()) for example in held]
        assert [row[1] for row in rows] == [example.label for example in held]
        assert {(row[2] == row[1], row[3] == row[1]) for row in rows} == {(not said, said)}


def test_without_the_record_of_the_baseline_its_answers_are_right_or_wrong(turned: tuple[Record, Record]) -> None:
    _, new = turned
    page = parse(render(new))
    assert new.comparisons[0].baseline in page.one("header").words
    rows = [[cell.words for cell in row.all("td")] for row in page.by_id("untouched-wrong").all("tr")[1:]]
    assert {row[2] for row in rows} == {"right"}
    assert len(rows) == len(new.comparisons[0].whole.newly_wrong) > 0


def test_accuracy_is_compared_for_each_gold_label(turned: tuple[Record, Record]) -> None:
    old, new = turned
    accuracy = new.comparisons[0].accuracy
    table = parse(render(new, old)).by_id("baseline").all("table")[0]
    rows = {row.all("th")[0].words: row.all("td") for row in table.all("tr")}
    assert len(accuracy.labels) > 1
    for label, test in accuracy.labels.items():
        cells = rows[f"gold {label}"]
        assert cells[1].words == f"{100 * (test.old or 0):.1f} %"
        assert cells[2].words == f"{100 * (test.new or 0):.1f} %"
        assert cells[-2].words == str(test.estimate.tested)
