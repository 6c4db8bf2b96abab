"""The texts at the head: three failures of three checks, and what else was tried on them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from robustfim.judge import cause_texts, first_failures, rules_command
from robustfim.record import CauseRecord, EditRecord, Record, TriedRecord
from robustfim.statistics import Rate
from robustfim_html.page import render
from tests.plugins.robustfim_html.document import parse

if TYPE_CHECKING:
    from playwright.sync_api import Page

Opened = Callable[..., "Page"]


@pytest.fixture(scope="module")
def tried(small: Record) -> Record:
    """A record whose first failure tells of two more texts: one turns the label, one does not; and with two causes."""
    first = first_failures(small)[0]
    source = next(example for example in small.examples if example.id == first.example)
    (name, text), *_ = source.fields.items()
    word = text.split()[0]
    rows = [
        TriedRecord(
            edits=[EditRecord(field=name, start=0, end=len(word), before=word, after=after)],
            label=label,
            probability=0.75,
        )
        for after, label in (("<b>Harm</b>", first.after.label), ("Good", first.before.label))
    ]
    failures = [
        failure.model_copy(update={"tried": rows}) if failure is first else failure for failure in small.failures
    ]
    causes = [
        CauseRecord(
            check=small.checks[0].id, edit=edit, where="in \"n't\"", inside=Rate(6, 28), elsewhere=Rate(0, 470),
            p_value=0.001, failures=[first.id],
        )
        for edit in ("`’` for `'`", '"<i>film" -> "movie"')
    ]  # fmt: skip
    return small.model_copy(update={"failures": failures, "causes": causes})


def test_the_head_shows_three_failures_with_their_probabilities(tried: Record) -> None:
    cards = parse(render(tried)).one("header").all(css="live")
    names = {check.id: check.name for check in tried.checks}
    first = first_failures(tried, 3)
    assert [card.one("h2").all("bdi")[0].text for card in cards] == [names[failure.check] for failure in first]
    for card, failure in zip(cards, first, strict=True):
        shown = card.all(css="current")[0].words
        assert f"{failure.before.label} {100 * max(failure.before.probabilities):.1f}\xa0%" in shown.replace(
            " %", "\xa0%"
        )
        assert f"{failure.after.label} {100 * max(failure.after.probabilities):.1f}\xa0%" in shown.replace(
            " %", "\xa0%"
        )


def test_the_head_names_the_causes_and_leads_to_a_failure_of_each(tried: Record) -> None:
    line = parse(render(tried)).one("header").one(css="causes")
    assert [element.text for element in line.all("bdi")] == [f"{cause.edit} {cause.where}" for cause in tried.causes]
    assert line.words.count("6 of 28, elsewhere 0 of 470") == 2
    assert {element.attributes["href"] for element in line.all("a")} == {f"#failure-{first_failures(tried)[0].id}"}


def test_each_cause_has_the_command_that_repeats_it_at_the_head_of_the_failures(tried: Record, tmp_path: Path) -> None:
    cause = tried.causes[0].model_copy(update={"edit": '"film" -> "movie"'})
    record = tried.model_copy(update={"causes": [cause, *tried.causes[1:]]}).kept_in(tmp_path / "a b.json")
    shown = parse(render(record)).one(css="repeated")
    assert [element.text for element in shown.all("bdi")] == [record_cause.sentence for record_cause in record.causes]
    commands = [command for record_cause in record.causes if (command := cause_texts(record, record_cause)[1])]
    assert [element.text for element in shown.all("code")] == [*commands, rules_command(record)]
    assert rules_command(record).startswith(f"robustfim mine '{tmp_path}/a b.json'")


def test_every_tried_text_is_in_the_file_and_is_text(tried: Record) -> None:
    card = parse(render(tried)).one("header").all(css="live")[0]
    assert len(card.all(css="variant")) == len(card.all("input")) == 4
    assert "<b>Harm</b>" in [element.text for element in card.all("ins")]
    assert "Harm" not in [element.text for element in card.all("b")]
    assert card.one(css="tried").one("summary").text == "3 more that the model read"


def test_a_click_on_a_changed_word_turns_the_label_and_opens_the_list(opened: Opened, tried: Record) -> None:
    page = opened(render(tried))
    card = page.locator(".live").first
    before, after = (failure := first_failures(tried)[0]).before.label, failure.after.label
    assert after in card.locator(".variant.current .change").inner_text()
    card.locator(".variant.current ins").first.click()
    assert "→" not in card.locator(".variant.current .change").inner_text()
    assert card.locator(".tried").get_attribute("open") is not None
    card.get_by_label("<b>Harm</b>").check()
    assert card.locator(".variant.current ins").inner_text() == "<b>Harm</b>"
    assert card.locator(".variant.current .turned").inner_text() == after
    card.get_by_label("→ Good").check()
    assert card.locator(".variant.current .turned").count() == 0
    assert card.locator(".variant.current .change").inner_text().count(before) == 2
    assert card.locator(".variant:visible").count() == 1


SEEN = """() => {
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  let words = 0;
  while (walk.nextNode()) {
    const range = document.createRange();
    range.selectNodeContents(walk.currentNode);
    const box = range.getBoundingClientRect(), parent = walk.currentNode.parentElement;
    if (!box.width || box.top >= innerHeight || parent.closest(".vh, .skip") || !parent.checkVisibility()) continue;
    words += walk.currentNode.data.split(/\\s+/).filter((word) => /[\\p{L}\\p{N}]/u.test(word)).length;
  }
  return words;
}"""
"""The words that a reader sees before scrolling."""


@pytest.mark.parametrize(("width", "height"), [(1440, 900), (390, 844)])
def test_verdict_checks_texts_and_next_step_stand_on_the_first_screen(
    opened: Opened, tried: Record, width: int, height: int
) -> None:
    page = opened(render(tried), ready=False)
    page.set_viewport_size({"width": width, "height": height})
    for css in ("h1", ".rows", ".live:nth-child(3)", ".page-head > .wrap > .next"):
        box = page.locator(css).bounding_box()
        assert box is not None
        assert box["y"] + box["height"] <= height, css
        assert box["x"] + box["width"] <= width, css
    assert page.evaluate(SEEN) <= 150
    page.wait_for_function("() => document.documentElement.dataset.ready")
    page.locator(".page-head > .wrap > .next a").click()
    page.wait_for_function("() => scrollY > 0")
    listed = page.locator("#list article").first.bounding_box()
    assert listed is not None
    assert 0 <= listed["y"] <= 300, "the first text stands where the reader looks"


def test_a_run_without_failing_texts_has_no_cards(small: Record) -> None:
    assert parse(render(small.model_copy(update={"failures": []}))).all(css="live") == []


def test_a_text_that_fails_as_it_was_written_is_shown_whole_and_alone(small: Record) -> None:
    first = first_failures(small)[0]
    source = next(example for example in small.examples if example.id == first.example)
    same = {"edits": [], "fields": dict(source.fields), "after": first.before, "tried": []}
    record = small.model_copy(update={"failures": [first.model_copy(update=same)]})
    (card,) = parse(render(record)).one("header").all(css="live")
    assert card.all(css="tried") == []
    (variant,) = card.all(css="variant")
    assert "→" not in variant.words
    assert " ".join(variant.one(css="text").words.split()) == " ".join(" ".join(source.fields.values()).split())
