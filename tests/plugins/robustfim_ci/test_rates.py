"""The run in one line says how the checks ended, the worst first."""

from __future__ import annotations

import json

import pytest

from robustfim.outcome import Outcome
from robustfim.record import AssociationRecord, Record
from robustfim_ci.github import commands
from robustfim_ci.gitlab import GitLabReport
from robustfim_ci.rates import first_line
from robustfim_ci.sarif import SarifReport


@pytest.mark.parametrize(
    ("outcomes", "message"),
    [
        ([], "no check ran"),
        ([Outcome.PASSED], "1 check passed"),
        ([Outcome.PASSED] * 3, "all 3 checks passed"),
        ([Outcome.PASSED, Outcome.FAILED], "1 of 2 checks failed, 1 passed"),
        ([Outcome.ERROR, Outcome.FAILED], "1 of 2 checks failed, 1 broken"),
        ([Outcome.ERROR, Outcome.PASSED], "1 of 2 checks broken, 1 passed"),
        ([Outcome.INCONCLUSIVE, Outcome.PASSED], "1 of 2 checks inconclusive, 1 passed"),
        ([Outcome.XFAILED, Outcome.PASSED], "1 of 2 checks passed, 1 failed as expected"),
        ([Outcome.XPASSED], "1 check unexpectedly passed"),
        ([Outcome.MEASURED, Outcome.PASSED], "1 of 2 checks passed, 1 measured"),
        ([Outcome.SKIPPED, Outcome.SKIPPED], "all 2 checks skipped"),
    ],
)
def test_the_headline_says_how_the_checks_ended(record: Record, outcomes: list[Outcome], message: str) -> None:
    template = record.checks[0].model_copy(update={"limit": 0.99})
    checks = [template.model_copy(update={"outcome": outcome}) for outcome in outcomes]
    assert first_line(record.model_copy(update={"checks": checks})) == message


@pytest.mark.parametrize(
    ("verdict", "limit", "said"),
    [
        ("negative", 0.99, "1 check passed, answers go against the labels"),
        ("inconclusive", 0.99, "1 check passed, answers not proved by the labels"),
        ("inconclusive", None, "1 check measured"),
        ("positive", 0.99, "1 check passed"),
    ],
)
def test_answers_that_do_not_follow_the_labels_stand_beside_the_checks(
    record: Record, verdict: str, limit: float | None, said: str
) -> None:
    outcome = Outcome.PASSED if limit else Outcome.MEASURED
    check = record.checks[0].model_copy(update={"limit": limit, "outcome": outcome})
    association = AssociationRecord.model_validate({"verdict": verdict})
    model = record.model.model_copy(update={"association": association})
    assert first_line(record.model_copy(update={"checks": [check], "model": model, "comparisons": []})) == said


@pytest.mark.parametrize(
    ("verdict", "inconclusive", "severity", "level"),
    [
        ("negative", "separate", "major", "error"),
        ("inconclusive", "fail", "major", "error"),
        ("inconclusive", "separate", "minor", "warning"),
        ("positive", "fail", None, None),
    ],
)
def test_what_answers_and_labels_make_of_the_exit_code_is_in_every_report(
    record: Record, verdict: str, inconclusive: str, severity: str | None, level: str | None
) -> None:
    association = AssociationRecord.model_validate({"verdict": verdict})
    model = record.model.model_copy(update={"association": association})
    passed = record.checks[0].model_copy(update={"limit": 0.99, "outcome": Outcome.PASSED, "failing": 0})
    alone = record.model_copy(
        update={"checks": [passed], "failures": [], "model": model, "comparisons": [], "inconclusive": inconclusive}
    )
    entries = [entry["severity"] for entry in json.loads(GitLabReport().text(alone))]
    invocation = json.loads(SarifReport().text(alone))["runs"][0]["invocations"][0]
    notes = [note["level"] for note in invocation["toolExecutionNotifications"]]
    annotated = [line.split()[0] for line in commands(alone).splitlines()]
    assert (entries, notes, annotated) == (([severity], [level], [f"::{level}"]) if severity else ([], [], []))
