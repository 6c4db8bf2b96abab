"""``checks: {use: checklist, path: …}`` as a user writes it."""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import Any

import pytest

from robustfim.errors import DataError
from robustfim.outcome import Outcome
from robustfim.record import Record
from robustfim_checklist.source import CheckListTests
from tests.plugins.robustfim_checklist.conftest import Folder

PRAISE = {
    "type": "MFT",
    "capability": "Vocabulary",
    "name": "words of praise",
    "labels": 2,
    "data": ["great", "good", "fine"],
}
NEUTRAL = {
    "type": "MFT",
    "capability": "Vocabulary",
    "name": "neutral words",
    "labels": 1,
    "data": ["film", "dull", "awful"],
}
MOVIES = {
    "type": "INV",
    "capability": "Robustness",
    "name": "movies",
    "labels": None,
    "data": [["a good film", "a good movie"], ["a fine film", "a fine, bad film"]],
}
THANKS = {
    "type": "DIR",
    "capability": "Vocabulary",
    "name": "add positive phrases",
    "data": [["a film", "a film. great"], ["a film, truly", "a film, truly. awful"]],
}


def by_name(folder: Folder) -> dict[str, Any]:
    return {check.name: check for check in folder.record.checks}


def test_every_type_of_test_is_run_with_its_own_expectation(folder: Folder) -> None:
    folder.tests(PRAISE, NEUTRAL, MOVIES, THANKS)
    shown = folder.run("{use: checklist, path: tests.jsonl, limit: 0.5}")
    assert shown.code == 6, shown.err
    checks = by_name(folder)
    counts = {name: (check.failing, check.tested) for name, check in checks.items()}
    # P(positive): great 0.88, good 0.77, fine 0.62 (neutral), film 0.50, dull 0.29, awful 0.05, bad 0.18.
    assert counts == {
        "words_of_praise": (1, 3),
        "neutral_words": (2, 3),
        "movies": (1, 2),
        "add_positive_phrases": (1, 2),
    }
    assert checks["words_of_praise"].expectation == {"use": "equals", "label": "positive"}
    assert checks["movies"].expectation == {"use": "invariant"}
    assert checks["add_positive_phrases"].expectation["against"] == "negative"
    assert checks["words_of_praise"].marks == ["MFT", "Vocabulary"]
    assert "neutral, not positive" in shown.out
    assert "neutral -> negative" in shown.out


def test_a_model_of_three_classes_is_asked_as_it_is(folder: Folder) -> None:
    folder.tests(PRAISE)
    folder.run("{use: checklist, path: tests.jsonl}", model="{use: words, labels: [Negative, Neutral, Positive]}")
    assert by_name(folder)["words_of_praise"].failing == 0
    assert folder.record.model.labels == ["Negative", "Neutral", "Positive"]


def test_without_the_neutral_rule_two_classes_stay_two(folder: Folder) -> None:
    folder.tests(PRAISE, MOVIES)
    folder.run("{use: checklist, path: tests.jsonl, neutral: false}")
    assert {name: check.failing for name, check in by_name(folder).items()} == {"words_of_praise": 0, "movies": 1}


def test_labels_and_limits_and_tolerance_are_options(folder: Folder) -> None:
    folder.tests({**PRAISE, "labels": 1}, {**MOVIES, "limit": 0.9})
    folder.run(
        "{use: checklist, path: tests.jsonl, labels: [negative, positive], tolerance: 0.9, limit: 0.3, "
        "limits: {words of praise: 0.4}}"
    )
    checks = by_name(folder)
    assert (checks["words_of_praise"].limit, checks["movies"].limit) == (0.4, 0.9)
    assert (checks["words_of_praise"].failing, checks["movies"].failing) == (0, 0)
    assert checks["movies"].expectation == {"use": "invariant", "tolerance": 0.9}


def test_marks_choose_types_and_capabilities(folder: Folder) -> None:
    folder.tests(PRAISE, {**MOVIES, "capability": "Word order"})
    folder.run("{use: checklist, path: tests.jsonl}", options="-m 'INV and Word_order'")
    record = Record.load(folder.path / "reports" / "one.partial" / "results.json")
    assert [check.name for check in record.checks] == ["movies"]


def test_pairs_of_texts_are_read_by_their_fields(folder: Folder) -> None:
    pair = {"type": "INV", "name": "swap", "data": [[["good", "bad"], ["bad", "good"]], [["a", "b"], ["a", "awful"]]]}
    folder.tests(pair)
    folder.run("{use: checklist, path: tests.jsonl, fields: [first, second]}")
    assert by_name(folder)["swap"].failing == 1
    assert folder.record.failures[0].edits[0].field == "second"


def test_a_direction_can_be_said_in_the_suite(folder: Folder) -> None:
    folder.tests({**THANKS, "name": "thanks"})
    folder.run(
        "{use: checklist, path: tests.jsonl, neutral: false, expect: {thanks: {label: negative, direction: up}}}"
    )
    assert by_name(folder)["thanks"].expectation == {"use": "directional", "label": "negative", "direction": "up"}
    assert by_name(folder)["thanks"].failing == 1


@pytest.mark.parametrize(
    ("lines", "options", "parts"),
    [
        ([PRAISE], ", labels: [bad, so-so, good]", ["the model has no label 'good'; it has 'negative', 'positive'"]),
        ([{**PRAISE, "labels": "sports"}], "", ["no label 'sports'", "labels: {old: new}"]),
        ([{**PRAISE, "labels": 1}], "", ["1 may stand for neutral"]),
        ([{**NEUTRAL, "labels": [0, 1, 2]}], ", neutral: false", ["no label 'neutral'", "'neutral: true'"]),
        ([{**PRAISE, "expect": {"direction": "up"}}], "", ["unknown option 'direction'", "Known: label, where."]),
        ([{**PRAISE, "expect": {"use": "invariant"}}], "", ["is of type MFT, so its expectation must be 'equals'"]),
        ([{**PRAISE, "expect": {"label": []}}], "", ["the expectation of 'words of praise' names no label"]),
        ([MOVIES], ", expect: {movies: {tolerance: high}}", ["'movies': option 'tolerance'", "not 'high'"]),
        ([MOVIES], ", expect: {movies: {where: {first: x}}}", ["'where' is {original: LABEL}"]),
        ([MOVIES], ", expect: {movies: {where: {original: sports}}}", ["no label 'sports'"]),
        ([THANKS], ", expect: {add positive phrases: {label: sports}}", ["no label 'sports'"]),
        ([PRAISE], ", limits: {word of praise: 0.3}", ["'limits' names the test 'word of", "mean 'words of praise'?"]),
        ([PRAISE], ", fields: [a, a]", ["'fields' names one twice"]),
        ([PRAISE], ", neutrel: true", ["suite.yaml:4: unknown option 'neutrel'. Did you mean 'neutral'?"]),
        ([PRAISE, {**PRAISE, "name": "words of praise!"}], "", ["tests.jsonl:2: the test name", "differs from"]),
        ([{**PRAISE, "name": "?!"}], "", ["tests.jsonl:1: the test name '?!' needs at least one letter"]),
    ],
)  # fmt: skip
def test_bad_input_is_told_in_one_line(folder: Folder, lines: list[Any], options: str, parts: list[str]) -> None:
    folder.tests(*lines)
    folder.refused(f"{{use: checklist, path: tests.jsonl{options}}}", *parts)


def test_a_missing_path_is_told(folder: Folder) -> None:
    folder.tests(PRAISE)
    folder.refused("{use: checklist, path: test.jsonl}", "no file test.jsonl. Did you mean 'tests.jsonl'?")
    folder.refused("{use: checklist}", "suite.yaml:4: the option 'path' is missing.")


def test_a_run_can_be_repeated_and_compared(folder: Folder) -> None:
    folder.tests(PRAISE, MOVIES)
    folder.run("{use: checklist, path: tests.jsonl}")
    first = folder.record
    folder.run("{use: checklist, path: tests.jsonl}")
    same = {"failures", "examples", "model", "data"}
    assert first.model_dump(include=same) == folder.record.model_dump(include=same)
    assert all(check.outcome is not Outcome.ERROR for check in first.checks)


def test_a_test_that_says_nothing_of_what_it_expects_stops_no_other(folder: Folder) -> None:
    not_negative = {**PRAISE, "name": "not negative", "labels": None}
    folder.tests(not_negative, {**THANKS, "name": "thanks"}, PRAISE)
    shown = folder.run("{use: checklist, path: tests.jsonl, limit: 1}")
    checks = by_name(folder)
    assert [checks[name].outcome for name in ("not_negative", "thanks", "words_of_praise")] == [
        Outcome.ERROR,
        Outcome.ERROR,
        Outcome.PASSED,
    ]
    assert shown.code == 1
    assert "expect: {'not negative': {label: [neutral, positive]}}" in checks["not_negative"].message
    assert "expect: {'thanks': {label: …, direction: up, tolerance: 0.1}}" in checks["thanks"].message
    folder.run(
        "{use: checklist, path: tests.jsonl, expect: {'not negative': {label: [neutral, positive]}, "
        "'thanks': {label: positive, against: negative}}}"
    )
    checks = by_name(folder)
    assert (checks["not_negative"].failing, checks["not_negative"].tested) == (0, 3)
    assert checks["not_negative"].expectation == {"use": "equals", "label": ["neutral", "positive"]}
    assert checks["thanks"].tested == 2


def test_a_line_may_name_labels_by_their_numbers(folder: Folder) -> None:
    folder.tests({**PRAISE, "labels": None, "data": ["awful", "film", "great"], "expect": {"label": [1, 2]}})
    folder.run("{use: checklist, path: tests.jsonl, labels: [negative, neutral, positive]}")
    check = by_name(folder)["words_of_praise"]
    assert check.expectation == {"use": "equals", "label": ["neutral", "positive"]}
    assert (check.failing, check.tested) == (1, 3)


def test_one_odd_test_is_left_out_and_counted_and_a_file_of_such_is_refused(tmp_path: Path) -> None:
    odd = '{"type": "INV", "name": "odd", "data": [["alone"]]}\n'
    path = tmp_path / "tests.jsonl"
    path.write_bytes(gzip.compress((odd + '{"type": "INV", "name": "whole", "data": [["a", "b"]]}\n').encode()))
    source = CheckListTests(path)
    assert [check.name for check in source.checks()] == ["whole"]
    assert source.skipped == {"test case without a second text": 1, "test without texts to test": 1}
    path.write_text(odd, encoding="utf-8")
    with pytest.raises(DataError, match="no test of this file has a text to test"):
        list(CheckListTests(path).checks())
