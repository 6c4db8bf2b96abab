"""Against a baseline the gate decides what fails, and every report says so."""

from __future__ import annotations

import json
from typing import Literal

import junitparser
import pytest

from robustfim.outcome import Outcome
from robustfim.record import CheckComparison, Comparison, Record
from robustfim_ci import badge, github, gitlab, junit, markdown, sarif
from robustfim_ci.baseline import against_baseline, summary
from robustfim_ci.ranking import fails, level

FailOn = Literal["regression", "new", "any"]


def compared(record: Record, fail_on: FailOn = "regression", failed: bool = True) -> Record:
    """Against a baseline: people regressed though it passes, synonyms is as bad as before, typos broke one example."""
    people = CheckComparison(
        id="sentiment.yaml::people", before=Outcome.PASSED, after=Outcome.PASSED, matched=200,
        newly_broken=[f"e{number}" for number in range(9)], newly_fixed=["e9"], still_broken=["e10", "e11"],
        difference=0.04, interval=(0.011, 0.07), p_value=0.02, regressed=True,
    )  # fmt: skip
    same = people.model_copy(
        update={"id": "sentiment.yaml::synonyms", "newly_broken": [], "newly_fixed": [], "regressed": False}
    )
    one = same.model_copy(update={"id": "sentiment.yaml::typos", "newly_broken": ["e1"]})
    comparison = Comparison(
        baseline="reference/cnn, <b>May</b>",
        fail_on=fail_on,
        failed=failed,
        checks=[people, same, one],
        notes=["another *seed*"],
    )
    return record.model_copy(update={"comparison": comparison})


def failing(record: Record) -> set[str]:
    return {check.name for check in record.checks if fails(check, record)}


def test_without_a_baseline_the_limits_decide(record: Record) -> None:
    assert failing(record) == {"synonyms", "typos", "eigenvector", "neighbours", "numbers"}


@pytest.mark.parametrize(
    ("fail_on", "expected"),
    [
        ("regression", {"people", "neighbours"}),
        ("new", {"people", "neighbours", "typos"}),
        ("any", {"people", "neighbours", "typos", "synonyms", "eigenvector", "numbers"}),
    ],
)
def test_with_one_the_gate_decides(record: Record, fail_on: FailOn, expected: set[str]) -> None:
    assert failing(compared(record, fail_on)) == expected


def test_what_did_not_pass_and_does_not_fail_the_run_is_a_warning(record: Record) -> None:
    levels = {check.name: level(check, compared(record)) for check in record.checks}
    assert levels == {
        "synonyms": "warning",
        "typos": "warning",
        "people": "error",
        "contractions": "",
        "numbers": "warning",
        "eigenvector": "warning",
        "neighbours": "error",
        "rules": "note",
        "nouns": "",
    }


def test_a_check_is_compared_in_a_sentence(record: Record) -> None:
    told = {check.name: against_baseline(check, compared(record)) for check in record.checks}
    assert told["people"] == (
        "Against the baseline 9 newly broken, 1 newly fixed, 2 still broken of 200 examples; "
        "rate +4.0 points [+1.1, +7.0]; regressed."
    )
    assert told["nouns"] == ""
    assert all(against_baseline(check, record) == "" for check in record.checks)


def test_the_run_is_compared_in_a_sentence(record: Record) -> None:
    assert summary(record) == ""
    assert summary(compared(record)) == (
        "Against the baseline (reference/cnn, <b>May</b>): 10 newly broken, 1 newly fixed, 1 check regressed; "
        "fails with --fail-on regression."
    )
    assert summary(compared(record, failed=False)).endswith("; may replace the baseline.")


def test_every_report_tells_the_regression_from_what_was_broken_before(record: Record) -> None:
    run = compared(record)
    (suite,) = junitparser.JUnitXml.fromstring(junit.render(run).encode())
    results = {case.name: [(type(each).__name__, each.type) for each in case.result] for case in suite}
    assert results["people"] == [("Failure", "robustfim.regressed")]
    assert results["synonyms"] == [("Skipped", "robustfim.failed")]
    lines = github.commands(run).splitlines()
    assert [line.split(" ")[0] for line in lines if "title=people" in line or "title=synonyms" in line] == [
        "::error",
        "::warning",
    ]
    assert "9 newly broken" in next(line for line in lines if "title=people" in line)
    severities = {entry["check_name"]: entry["severity"] for entry in json.loads(gitlab.render(run))}
    assert severities["sentiment.yaml::people"] == "major"
    assert severities["sentiment.yaml::synonyms"] == "minor"
    levels = {each["ruleId"]: each["level"] for each in json.loads(sarif.render(run))["runs"][0]["results"]}
    assert (levels["sentiment.yaml::people"], levels["sentiment.yaml::synonyms"]) == ("error", "warning")
    assert json.loads(badge.render(run))["message"].endswith(", 1 regressed")
    text = markdown.render(run, 65_535)
    assert "❌ Against the baseline (reference/cnn, &#60;b&#62;May&#60;/b&#62;)&#58; 10 newly broken" in text
    assert "| <code>people</code> | ❌ passed, regressed | " in text
    assert "\n- another &#42;seed&#42;\n" in text
    assert text.index("<code>people</code>") < text.index("<code>synonyms</code>")
