"""The cards of a run: in its record, beside its rates, and what ``natural`` makes of them."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from robustfim.record import Card
from robustfim_ci.markdown import escaped
from tests.robustfim.command_line import CommandLine

PLUGIN = '''
"""A card of a perturbation."""

from robustfim import hookimpl
from robustfim.record import Card


@hookimpl
def robustfim_cards():
    return {"rename": Card(natural=(1, 30, 9), holds=38, sound=37, by="two annotators")}
'''
CARD = Card(natural=(1, 30, 9), holds=38, sound=37, by="two annotators")


@pytest.fixture
def robustfim(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> CommandLine:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", sys.path[:])
    line = CommandLine(tmp_path, capsys)
    line.write("carded.py", PLUGIN)
    return line


def skipped(robustfim: CommandLine, checks: str, rest: str) -> dict[str, str]:
    """Run a suite; the message of each check that was skipped."""
    robustfim(f"run {robustfim.suite(checks, rest=rest)} -p carded.py")
    return {check.name: check.message for check in robustfim.record("other").checks if check.outcome == "skipped"}


def test_a_plugins_card_is_in_the_record_and_beside_the_rate(robustfim: CommandLine) -> None:
    suite = robustfim.suite("{names: {perturb: rename, limit: 0}}", rest="reports: [json, html, markdown]")
    said = robustfim(f"run {suite} -p carded.py -v")
    (check,) = robustfim.record("other").checks
    assert check.card == CARD
    assert check.failing
    assert check.by_card == CARD.of_failures(check.failing)
    assert check.by_card in said.unbroken
    written = json.loads(robustfim.read("reports/other/results.json"))
    assert written["checks"][0]["card"]["natural"] == [1, 30, 9]
    page = robustfim.read("reports/other/report.html")
    assert check.by_card in page
    assert CARD.sentence in page
    assert escaped(check.by_card) in robustfim.read("reports/other/comment.md")


def test_a_suites_file_has_the_card_of_a_check_or_of_a_perturbation_and_goes_first(robustfim: CommandLine) -> None:
    own = {
        "rename": {"natural": [0, 0, 40], "by": "Ada"},
        "first": {"natural": [40, 0, 0], "by": "Bo"},
    }
    robustfim.write("cards.json", json.dumps(own))
    suite = robustfim.suite("{first: {perturb: rename}, second: {perturb: rename}}", rest="cards: cards.json")
    robustfim(f"run {suite} -p carded.py")
    assert [check.card and check.card.by for check in robustfim.record("other").checks] == ["Bo", "Ada"]


def test_a_card_says_nothing_of_labels_where_the_check_expects_something_else(robustfim: CommandLine) -> None:
    checks = "{same: {perturb: rename, expect: correct}, other: {perturb: rename, expect: changes}}"
    robustfim(f"run {robustfim.suite(checks)} -p carded.py")
    same, other = robustfim.record("other").checks
    assert (same.card and same.card.holds, other.card and other.card.holds) == (38, None)


def test_natural_takes_the_classes_of_the_cards_and_names_what_has_none(robustfim: CommandLine) -> None:
    checks = (
        "{names: {perturb: rename}, plain: {perturb: itself, expect: correct}, "
        "left: {perturb: rename, skip: later}, both: {perturb: [rename, typos]}}"
    )
    assert skipped(robustfim, checks, "natural: 1") == {
        "left": "later",
        "both": "natural: 1, and nobody has read texts of 'composed': it has no card",
    }
    found = skipped(robustfim, checks, "natural: 2")
    assert found["names"] == "natural: 2, and by its card 'rename' is of class 1"
    assert set(found) == {"names", "left", "both"}
    assert set(skipped(robustfim, checks, "natural: 0")) == set(skipped(robustfim, checks, "")) == {"left"}


@pytest.mark.parametrize(
    ("options", "carded"),
    [
        ("", True),
        ("candidates: 3", True),
        ("words: 1", True),
        ("letters: 4, fields: [text]", True),
        ("letters: 3", False),
        ("kinds: [drop]", False),
        ("words: 2", False),
        ("search: greedy", False),
    ],
)
def test_a_card_speaks_of_the_options_it_was_read_with(robustfim: CommandLine, options: str, carded: bool) -> None:
    perturb = f"{{use: typos, {options}}}" if options else "typos"
    checks = f"{{slips: {{perturb: {perturb}}}, plain: {{perturb: itself, expect: correct}}}}"
    said = skipped(robustfim, checks, "natural: 0")
    (card,) = (check.card for check in robustfim.record("other").checks if check.name == "slips")
    assert not said
    assert (card is not None) == carded
    name = options.partition(":")[0]
    if not carded:
        why = f"natural: 1, and nobody has read texts of 'typos' with {name} as here: it has no card"
        assert skipped(robustfim, checks, "natural: 1") == {"slips": why}


def test_a_card_of_a_check_speaks_of_the_options_of_the_check_and_no_other_checks_name_deals_one(
    robustfim: CommandLine,
) -> None:
    own = {
        "slips": {"natural": [0, 0, 40], "by": "Ada"},
        "typos": {"natural": [0, 40, 0], "options": {"letters": 3}, "whatever": ["words"], "by": "Bo"},
    }
    robustfim.write("cards.json", json.dumps(own))
    checks = (
        "{slips: {perturb: {use: typos, letters: 5}}, three: {perturb: {use: typos, letters: 3, words: 2}}, "
        "four: {perturb: typos}, people: {perturb: {use: typos, letters: 6}}}"
    )
    robustfim(f"run {robustfim.suite(checks, rest='cards: cards.json')} -p carded.py")
    cards = {check.name: check.card and check.card.by for check in robustfim.record("other").checks}
    assert cards == {"slips": "Ada", "three": "Bo", "four": None, "people": None}


def test_a_file_that_holds_no_cards_is_refused_with_its_line(robustfim: CommandLine) -> None:
    suite = robustfim.suite("{names: {perturb: rename}}", rest="cards: none.json")
    shown = robustfim(f"run {suite} -p carded.py")
    assert shown.code == 4
    assert f"{suite}:6: no file" in shown.err


def test_a_plugin_whose_card_is_none_is_refused(robustfim: CommandLine) -> None:
    robustfim.write(
        "carded.py", PLUGIN.replace('Card(natural=(1, 30, 9), holds=38, sound=37, by="two annotators")', "7")
    )
    shown = robustfim(f"run {robustfim.suite('{names: {perturb: rename}}')} -p carded.py")
    assert shown.code == 4
    assert "the card of 'rename' must be a Card, not 7" in shown.err


def test_the_catalogue_shows_a_card(robustfim: CommandLine) -> None:
    robustfim.suite("{names: {perturb: rename}}")
    assert (
        f"Card: {CARD.sentence} Its class of naturalness is 1."
        in robustfim("plugins rename -p toy.py -p carded.py").unbroken
    )
