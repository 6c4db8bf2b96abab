"""The sentence at the head says what the run found."""

from __future__ import annotations

import pytest

from robustfim.exhibit import Section
from robustfim.outcome import Outcome
from robustfim.record import CandidateCounts, Record
from robustfim_html.verdict import outcomes, overall, sentence
from tests.plugins.robustfim_html.synthetic import build


def ended(*found: str) -> Record:
    """A run without failing pairs whose checks ended so."""
    record = build(examples=30, difficult=5, control=5, keep=("people",))
    checks = [record.checks[0].model_copy(update={"outcome": Outcome(outcome)}) for outcome in found]
    return record.model_copy(update={"checks": checks, "failures": []})


@pytest.mark.parametrize(
    ("found", "said", "icon"),
    [
        ([], "No check ran.", None),
        (["passed"], "The check passed.", "passed"),
        (["passed"] * 8, "All 8 checks passed.", "passed"),
        (["failed"], "1 of 1 check failed.", "failed"),
        (["failed", "failed", "passed"], "2 of 3 checks failed.", "failed"),
        (
            ["failed", "error", "inconclusive"],
            "1 of 3 checks failed, 1 ended in an error and 1 is inconclusive.",
            "failed",
        ),
        (["error", "passed"], "1 of 2 checks ended in an error.", "error"),
        (["xpassed", "passed"], "1 of 2 checks passed though expected to fail.", "xpassed"),
        (["inconclusive"] * 2, "No check failed, and 2 of 2 checks are inconclusive.", "inconclusive"),
        (["passed", "skipped", "xfailed"], "1 of 3 checks passed, 1 xfailed and 1 skipped.", "passed"),
        (["skipped"], "0 of 1 check passed and 1 skipped.", "skipped"),
    ],
)
def test_the_sentence_counts_the_checks(found: list[str], said: str, icon: str | None) -> None:
    record = ended(*found)
    assert sentence(record) == said
    assert overall(record) == icon
    assert sum(outcomes(record).values()) == len(found)


def test_the_sentence_tells_what_changed_texts_break_and_the_rest_apart(record: Record) -> None:
    wrong = {e.id for e in record.examples if e.label != e.prediction}
    text = {failure.example for failure in record.failures if failure.step is None} - wrong
    step = {failure.example for failure in record.failures} - wrong - text
    shares = [
        f"{100 * len({e.id for e in record.examples if e.arm == arm} & text) / 100:.0f}\xa0% of the {arm} examples"
        for arm in ("difficult", "control")
    ]
    lost = len({failure.example for failure in record.failures} & wrong)
    assert sentence(record).endswith(
        f": the model changes its mind on {shares[0]} and {shares[1]}; a step in embedding space alone breaks "
        f"{len(step)}; of those that it got wrong before, {lost} fail."
    )


def test_where_only_steps_break_it_no_change_of_mind_is_claimed(record: Record) -> None:
    steps = [failure for failure in record.failures if failure.step is not None]
    said = sentence(record.model_copy(update={"failures": steps}))
    assert "changes its mind" not in said
    assert "a step in embedding space alone breaks" in said


def test_a_failure_that_keeps_the_label_is_not_a_change_of_mind(record: Record) -> None:
    first = record.failures[0]
    kept = first.model_copy(update={"after": first.before})
    assert "misses an expectation on" in sentence(record.model_copy(update={"failures": [kept, *record.failures[1:]]}))


def test_without_selection_the_share_is_of_the_examples() -> None:
    assert sentence(build(difficult=0, control=0, examples=60)).count("of the tested examples") == 1


def test_nothing_is_claimed_where_nothing_was_tested() -> None:
    assert "%" not in sentence(build(keep=("neighbours", "nouns")))


def test_checks_whose_change_the_model_does_not_see_are_counted_apart() -> None:
    record = ended("passed", "passed")
    first, second = record.checks
    blind = first.model_copy(update={"candidates": CandidateCounts(tested=2, unmoved=2)})
    said = sentence(record.model_copy(update={"checks": [blind, second]}))
    assert said == "All 2 checks passed; 1 passed on a change that the model does not see."


def test_what_only_a_yardstick_breaks_is_no_change_of_mind_but_told_apart(record: Record) -> None:
    checks = [check.model_copy(update={"yardstick": True}) for check in record.checks]
    said = sentence(record.model_copy(update={"checks": checks, "reach": []}))
    assert "changes its mind" not in said
    assert "a text not meant to keep the meaning alone breaks" in said


def test_a_scan_says_what_breaks_the_model_and_has_no_verdict(record: Record) -> None:
    scanned = record.model_copy(update={"sections": [Section(name="digest", title="What changes the answers")]})
    assert sentence(scanned).startswith("The model changes its mind on ")
    assert sentence(record).lower().endswith(sentence(scanned).lower())
    assert overall(scanned) is None
