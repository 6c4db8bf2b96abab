"""The first lines say what the run found, on what that stands, and what to do next."""

from __future__ import annotations

from itertools import combinations_with_replacement
from pathlib import Path

import pytest

from robustfim.exhibit import Section
from robustfim.judge import failures_by_check
from robustfim.outcome import Outcome
from robustfim.record import CandidateCounts, ErrorRecord, Record
from robustfim.statistics import Rate, percent, wilson
from robustfim_html.diff import named_edits
from robustfim_html.verdict import answer, outcomes, overall, quiet, rows, subject
from tests.plugins.robustfim_html.synthetic import build, claimed


def ended(*found: str) -> Record:
    """A run without failing pairs whose checks ended so."""
    record = build(examples=30, difficult=5, control=5, keep=("people",))
    checks = [record.checks[0].model_copy(update={"outcome": Outcome(outcome)}) for outcome in found]
    return record.model_copy(update={"checks": checks, "failures": []})


@pytest.mark.parametrize(
    ("found", "said", "icon"),
    [
        ([], "No check ran.", ""),
        (["passed"], "1 check passed.", "passed"),
        (["passed"] * 8, "All 8 checks passed.", "passed"),
        (["failed"], "1 check failed.", "failed"),
        (["failed", "failed", "passed"], "2 of 3 checks failed, 1 passed.", "failed"),
        (["failed", "error", "inconclusive"], "1 of 3 checks failed, 1 broken, 1 inconclusive.", "failed"),
        (["error", "passed"], "1 of 2 checks broken, 1 passed.", "error"),
        (["xpassed", "passed"], "1 of 2 checks unexpectedly passed, 1 passed.", "xpassed"),
        (["inconclusive"] * 2, "All 2 checks inconclusive.", "inconclusive"),
        (["passed", "skipped", "xfailed"], "1 of 3 checks passed, 1 skipped, 1 failed as expected.", "passed"),
        (["measured", "measured"], "Nothing is gated: all 2 checks measured.", "measured"),
        (["skipped"], "1 check skipped.", "skipped"),
    ],
)
def test_the_verdict_counts_the_checks(found: list[str], said: str, icon: str) -> None:
    record = ended(*found)
    assert answer(record).verdict == said
    assert answer(record).icon == icon
    assert sum(outcomes(record).values()) == len(found)


def test_no_verdict_has_more_than_twelve_words() -> None:
    record = ended("passed")
    check = record.checks[0]
    for number in (1, 2, 3, 4):
        for found in combinations_with_replacement(Outcome, number):
            checks = [check.model_copy(update={"outcome": outcome}) for outcome in found]
            said = answer(record.model_copy(update={"checks": checks})).verdict
            assert len(said.split()) <= 12, said


def test_each_check_that_did_not_pass_has_a_row_the_worst_first(record: Record) -> None:
    shown = rows(record, 1.0)
    order = [Outcome.FAILED, Outcome.ERROR, Outcome.INCONCLUSIVE]
    looked_at = [check for check in record.checks if check.outcome in order]
    assert sorted(row.id for row in shown) == sorted(check.id for check in looked_at)
    outcomes = [row.outcome for row in shown]
    assert outcomes == sorted(outcomes, key=order.index)
    first, fields = failures_by_check(record), {example.id: example.fields for example in record.examples}
    for row in shown:
        assert row.pairs == sum(failure.check == row.id for failure in record.failures)
        edits = first[row.id][0].edits if first[row.id] else []
        assert bool(row.edit) == bool(edits) or row.outcome is Outcome.ERROR
        assert not edits or row.edit == named_edits(fields[first[row.id][0].example], edits[:1], 36)
    named = [name for _, names in quiet(record, shown) for name in names]
    assert sorted(named) == sorted(check.name for check in record.checks if check not in looked_at)


def test_a_row_has_rate_interval_and_limit_that_decide(record: Record) -> None:
    check = min((c for c in record.checks if c.outcome is Outcome.FAILED), key=lambda c: c.name != "synonyms")
    alone = record.model_copy(update={"checks": [claimed(check.model_copy(update={"limit": 0.001, "estimate": None}))]})
    (row,) = rows(alone, 1.0)
    assert check.interval is not None
    assert row.rate == f"{percent(check.rate)} changed"
    assert row.interval == f"{100 * check.interval[0]:.1f}, {100 * check.interval[1]:.1f}"
    assert row.limit == percent(0.001)
    assert '<line class="limit" x1="0.1%"' in row.bar


def test_of_several_limits_the_row_shows_the_one_that_the_verdict_names(record: Record) -> None:
    check = next(c for c in record.checks if c.outcome is Outcome.FAILED)
    many, few = (
        ErrorRecord(drawn=n, tested=n, failing=failing, limit=0.5, interval=wilson(failing, n), label=label)
        for label, failing, n in (("many", 90, 100), ("few", 3, 3))
    )
    update = {"limit": {"missed": 0.5}, "errors": {"missed many": many, "missed few": few}, "arms": {}}
    (row,) = rows(record.model_copy(update={"checks": [claimed(check.model_copy(update=update))]}), 1.0)
    assert row.name.endswith(": missed many")
    assert row.rate == percent(0.9)


def test_a_limit_of_valid_failures_stands_beside_the_rate_of_valid_failures(record: Record) -> None:
    check = next(c for c in record.checks if c.outcome is Outcome.INCONCLUSIVE and isinstance(c.limit, float))
    valid = Rate(check.failing, check.tested, (0.01, 0.2), 0.05)
    claims = [claim.model_copy(update={"estimate": valid}) for claim in check.claims]
    shown = check.model_copy(update={"limit_of_valid": True, "claims": claims})
    (row,) = rows(record.model_copy(update={"checks": [shown]}), 1.0)
    assert (row.rate.split()[0], row.interval) == ("5", "1.0, 20.0")
    assert row.limit == percent(check.claims[0].limit)


def test_model_and_data_are_named_as_the_suite_names_them(record: Record) -> None:
    data = record.data.model_copy(update={"use": "csv", "options": {"text": "review", "path": "reviews.csv"}})
    assert subject(data) == "reviews.csv"
    assert subject(record.model) == record.model.use


def test_the_next_step_follows_from_the_outcome() -> None:
    file = Path("reports/new runs/results.json")
    steps = {
        outcome: answer(ended(outcome).kept_in(file))
        for outcome in ("failed", "inconclusive", "passed", "error", "measured")
    }
    assert steps["failed"].link.startswith("#check=")
    assert steps["failed"].command == "robustfim review 'reports/new runs/results.json'"
    assert steps["passed"].command == "robustfim accept 'reports/new runs/results.json'"
    assert answer(ended("failed")).command == ""  # no file holds the record
    assert steps["error"].command == ""
    assert "limit: 0.1" in steps["measured"].step
    assert len({step.step for step in steps.values()}) == len(steps)


def test_checks_whose_change_the_model_does_not_see_are_counted_apart() -> None:
    record = ended("passed", "passed")
    first, second = record.checks
    blind = first.model_copy(update={"candidates": CandidateCounts(tested=2, unmoved=2)})
    said = answer(record.model_copy(update={"checks": [blind, second]})).verdict
    assert said == "All 2 checks passed (1 not seen by the model)."


def test_a_scan_says_what_breaks_the_model_and_has_no_verdict(record: Record) -> None:
    scanned = record.model_copy(update={"sections": [Section(name="digest", title="What changes the answers")]})
    assert answer(scanned).verdict.startswith("Changed texts break ")
    assert overall(scanned) is None
    assert answer(scanned).icon == ""
