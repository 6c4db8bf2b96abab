"""Against a baseline the gate decides what fails, and every report says so."""

from __future__ import annotations

import json
from typing import Literal

import junitparser
import pytest

from robustfim.outcome import Outcome
from robustfim.record import CheckComparison, Comparison, PairedRecord, Record
from robustfim.statistics import Rate
from robustfim_ci import github, gitlab, junit, markdown, sarif
from robustfim_ci.baseline import against_baseline, answers
from robustfim_ci.ranking import fails, level
from robustfim_ci.rates import first_line

FailOn = Literal["regression", "new", "any"]


def compared(record: Record, fail_on: FailOn = "regression", failed: bool = True) -> Record:
    """Against a baseline: people regressed though it passes, synonyms is as bad as before, typos broke one example."""
    people = CheckComparison(
        id="sentiment.yaml::people", before=Outcome.PASSED, after=Outcome.PASSED,
        estimate=Rate(9, 200, (0.011, 0.07), 0.04),
        newly_broken=[f"e{number}" for number in range(9)], newly_fixed=["e9"], still_broken=["e10", "e11"],
        old=0.92, p_value=0.02, regressed=True, verdict="worse", fails=True,
    )  # fmt: skip
    same = people.model_copy(
        update={
            "id": "sentiment.yaml::synonyms", "newly_broken": [], "newly_fixed": [], "regressed": False,
            "fails": fail_on == "any", "verdict": "no loss found",
        }
    )  # fmt: skip
    one = same.model_copy(
        update={"id": "sentiment.yaml::typos", "newly_broken": ["e1"], "fails": fail_on in ("new", "any")}
    )
    comparison = Comparison(
        baseline="reference/cnn, <b>May</b>",
        fail_on=fail_on,
        failed=failed,
        proven=not failed,
        headline="does not replace the baseline" if failed else "may replace the baseline",
        answer="does not replace the baseline: worse in people" if failed else "may replace the baseline: no worse",
        whole=PairedRecord(
            estimate=Rate(9, 300, (0.006, 0.052), 8 / 300),
            newly_broken=people.newly_broken,
            newly_fixed=["e9"],
            verdict="worse",
            fails=failed,
        ),
        checks=[people, same, one],
        notes=["another *seed*"],
    )
    return record.model_copy(update={"comparisons": [comparison]})


def failing(record: Record) -> set[str]:
    return {check.name for check in record.checks if fails(check, record)}


def test_without_a_baseline_the_limits_decide(record: Record) -> None:
    assert failing(record) == {"synonyms", "typos", "eigenvector", "neighbours"}


@pytest.mark.parametrize(
    ("fail_on", "expected"),
    [
        ("regression", {"people", "neighbours"}),
        ("new", {"people", "neighbours", "typos"}),
        ("any", {"people", "neighbours", "typos", "synonyms", "eigenvector"}),
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
        "Against the baseline robust 92.0 → 88.0 %, −4.0 points [−7.0, −1.1] of 200: 9 regressions, 1 fix; worse."
    )
    assert told["typos"].endswith(": 1 regression, 0 fixes; no loss found.")
    assert told["nouns"] == ""
    assert all(against_baseline(check, record) == "" for check in record.checks)


def test_the_run_is_compared_in_a_sentence(record: Record) -> None:
    assert answers(record) == []
    assert answers(compared(record)) == [
        "Does not replace the baseline: worse in people. Compared: reference/cnn, <b>May</b> (baseline) and "
        "reference/cnn."
    ]
    assert answers(compared(record, failed=False))[0].startswith("May replace the baseline: no worse. ")


def test_every_report_tells_the_regression_from_what_was_broken_before(record: Record) -> None:
    run = compared(record)
    (suite,) = junitparser.JUnitXml.fromstring(junit.JUnitReport().text(run).encode())
    results = {case.name: [(type(final).__name__, final.type) for final in case.result] for case in suite}
    assert results["people"] == [("Failure", "robustfim.regressed")]
    assert results["synonyms"] == [("Skipped", "robustfim.above_limit")]
    lines = github.commands(run).splitlines()
    assert [line.split(" ")[0] for line in lines if "title=people" in line or "title=synonyms" in line] == [
        "::error",
        "::warning",
    ]
    assert ": 9 regressions, 1 fix" in next(line for line in lines if "title=people" in line)
    severities = {entry["check_name"]: entry["severity"] for entry in json.loads(gitlab.GitLabReport().text(run))}
    assert severities["sentiment.yaml::people"] == "major"
    assert severities["sentiment.yaml::synonyms"] == "minor"
    levels = {
        result["ruleId"]: result["level"] for result in json.loads(sarif.SarifReport().text(run))["runs"][0]["results"]
    }
    assert (levels["sentiment.yaml::people"], levels["sentiment.yaml::synonyms"]) == ("error", "warning")
    shown = first_line(run)
    assert shown.startswith("does not replace the baseline; ")
    assert shown.endswith(", 1 regressed")
    text = markdown.render(run, 65_535)
    assert "❌ Does not replace the baseline&#58; worse in people&#46; " in text
    assert "Compared&#58; reference/cnn, &#60;b&#62;May&#60;/b&#62; (baseline) and reference/cnn&#46;" in text
    assert "| <code>people</code> | ❌ passed, regressed | " in text
    assert "| <code>synonyms</code> | ⚠️ above its limit | " in text
    assert "\n- another &#42;seed&#42;\n" in text
    assert text.index("<code>people</code>") < text.index("<code>synonyms</code>")


def test_a_run_that_only_all_checks_together_show_to_be_worse_fails_in_every_report(record: Record) -> None:
    run = compared(record)
    (comparison,) = run.comparisons
    checks = [check.model_copy(update={"fails": False, "regressed": False}) for check in comparison.checks]
    run = run.model_copy(update={"comparisons": [comparison.model_copy(update={"checks": checks})]})
    (suite,) = junitparser.JUnitXml.fromstring(junit.JUnitReport().text(run).encode())
    (case,) = (case for case in suite if case.name == "baseline")
    assert [(type(final).__name__, final.type) for final in case.result] == [("Failure", "robustfim.refused")]
    assert "title=baseline::Does not replace the baseline: worse in people." in github.commands(run)
    assert next(iter(json.loads(gitlab.GitLabReport().text(run))))["severity"] == "major"
    notes = json.loads(sarif.SarifReport().text(run))["runs"][0]["invocations"][0]["toolExecutionNotifications"]
    assert any(note["level"] == "error" and "Does not replace" in note["message"]["text"] for note in notes)


@pytest.mark.parametrize(("proven", "sign"), [(True, "✅"), (False, "⚠️")])
def test_the_tick_is_shown_for_a_proof_alone(record: Record, proven: bool, sign: str) -> None:
    run = compared(record, failed=False)
    (comparison,) = run.comparisons
    passed = [check for check in record.checks if check.outcome is Outcome.PASSED]
    verdict = "may replace the baseline" if proven else "no margin is set"
    comparison = comparison.model_copy(update={"proven": proven, "headline": verdict, "checks": []})
    run = run.model_copy(update={"comparisons": [comparison], "checks": passed})
    assert f"{sign} May replace the baseline" in markdown.render(run, 65_535)
    assert first_line(run).startswith(f"{verdict}; ")
    (suite,) = junitparser.JUnitXml.fromstring(junit.JUnitReport().text(run).encode())
    (case,) = (case for case in suite if case.name == "baseline")
    assert [final.type for final in case.result] == ([] if proven else ["robustfim.measured"])
