"""A candidate is tested on the baseline's examples, by the baseline's design."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest

import robustfim
from robustfim.judge.comparison import compare
from robustfim.judge.verdicts import error_text, rate_text
from robustfim.record import ErrorRecord
from robustfim.statistics import percent

ROWS = [{"text": f"Film {place} is good", "label": ("yes", "no")[place >= 390]} for place in range(400)]
LABELS = ["no", "yes"]
Model = Callable[[Sequence[str]], Any]


def model(start: int, *, breaks: bool) -> Model:
    """A model that finds 100 films from a place on hard, and, if it breaks, fails them once their text is changed."""

    def answer(texts: Sequence[str]) -> Any:
        places = [int(text.split()[1]) for text in texts]
        hard = np.array([start <= place < start + 100 for place in places])
        changed = np.array([not text.endswith("good") for text in texts])
        yes = np.where(hard & changed & breaks, 0.3, np.where(hard, 0.6, 0.9))
        yes = np.where(np.array(places) >= 390, 0.1, yes)  # the other label
        return np.stack([1 - yes, yes], axis=1)

    return answer


def run(called: Model, select: dict[str, Any] | None, **options: Any) -> robustfim.Run:
    return robustfim.run(
        model=called, labels=LABELS, data=options.pop("data", ROWS), scores=["margin"], select=select, margin=0.05,
        checks={"punctuation": {"perturb": "punctuation"}}, **options,
    )  # fmt: skip


def examples_of(found: robustfim.Run) -> set[str]:
    return set(found.record.checks[0].examples)


ONLY_HARD = {"by": "margin", "difficult": 100, "control": 0}


@pytest.mark.parametrize(
    "select",
    [
        ONLY_HARD,
        {"by": "margin", "difficult": 100, "control": 100},
        {"by": "margin", "difficult": 50, "testable": 50},
        {"by": "margin", "examples": 200},
    ],
    ids=["hard", "arms", "testable", "strata"],
)
def test_a_candidate_is_tested_on_the_examples_that_the_baseline_drew(select: dict[str, Any]) -> None:
    before = run(model(0, breaks=False), select)
    after = run(model(200, breaks=True), select, baseline=before)
    (found,) = after.record.comparisons
    assert examples_of(after) == examples_of(before) != examples_of(run(model(200, breaks=True), select))
    assert after.record.selection.of_baseline
    assert after.record.selection.drawn == before.record.selection.drawn
    assert (found.compared, found.of) == (len(examples_of(before)), len(examples_of(before)))
    assert not found.proven


def test_the_hardest_examples_of_a_baseline_alone_replace_nothing() -> None:
    before = run(model(0, breaks=False), ONLY_HARD)
    after = run(model(200, breaks=True), ONLY_HARD, baseline=before)
    (found,) = after.record.comparisons
    assert (found.headline, found.whole.verdict) == ("not proved to be no worse than the baseline", "inconclusive")
    assert "only the baseline's hardest examples by margin were compared, which are no sample" in found.answer
    assert after.exit_code == 6
    with_control = {"by": "margin", "difficult": 100, "control": 100}
    again = run(model(0, breaks=False), with_control, baseline=run(model(0, breaks=False), with_control))
    assert again.record.comparisons[0].proven


def test_records_that_share_a_part_of_their_examples_prove_no_more_than_it() -> None:
    before, after = run(model(0, breaks=False), ONLY_HARD), run(model(80, breaks=True), ONLY_HARD)
    found = compare(before.record, after.record, margin=0.5)
    assert (found.compared, found.of, found.proven) == (20, 100, False)
    assert found.headline == "does not replace the baseline, 20 of 100 compared"
    good = compare(before.record, run(model(80, breaks=False), ONLY_HARD).record, margin=0.5)
    assert (good.whole.verdict, good.proven, good.inconclusive) == ("inconclusive", False, True)
    assert good.answer.startswith("not proved to be no worse than the baseline, 20 of 100 compared: ")
    assert "what they share is no sample of the data" in good.answer


def test_random_draws_of_different_sizes_share_a_sample() -> None:
    many, few = ({"difficult": 0, "control": number} for number in (200, 100))
    before, after = run(model(0, breaks=False), many), run(model(0, breaks=False), few)
    found = compare(before.record, after.record, margin=0.1)
    assert (found.proven, found.headline) == (True, "may replace the baseline, 100 of 200 compared")


def test_rows_that_the_baseline_did_not_read_are_drawn_from_anew() -> None:
    before = run(model(0, breaks=False), ONLY_HARD)
    rows = [*ROWS, {"text": "Film 400 is good", "label": "yes"}]
    after = run(model(200, breaks=False), ONLY_HARD, baseline=before, data=rows)
    assert not after.record.selection.of_baseline
    assert not after.record.comparisons[0].proven
    assert any("more examples than the baseline's run read (1)" in warning for warning in after.record.warnings)
    fewer = run(model(200, breaks=False), ONLY_HARD, baseline=before, data=ROWS[10:])
    assert examples_of(fewer) < examples_of(before)
    assert fewer.record.comparisons[0].checks[0].lost == 10


def test_what_a_check_no_longer_reaches_is_no_evidence() -> None:
    before = run(model(0, breaks=False), None).record
    check = before.checks[0]
    shorter = check.model_copy(update={"examples": check.examples[:80]})
    after = before.model_copy(update={"checks": [shorter]})
    found = compare(before, after, margin=0.05)
    assert (found.whole.lost, found.whole.verdict, found.proven) == (320, "inconclusive", False)


def test_a_check_without_a_limit_over_strata_prints_its_estimate() -> None:
    found = run(model(0, breaks=True), {"by": "margin", "examples": 120}).record.checks[0]
    assert found.rate != found.failing / found.tested
    assert rate_text(found) == f"{percent(found.rate, found.interval)} from {found.tested}"


def test_an_estimate_beside_counts_that_do_not_make_it_says_what_it_is_of() -> None:
    counted = ErrorRecord(label="spam", tested=114, failing=70, rate=0.574, interval=(0.4, 0.7))
    assert "missed 70 of 114 with spam, of the population 57.4 % [40.0, 70.0]" in error_text("missed", counted)
    plain = counted.model_copy(update={"rate": 70 / 114})
    assert "missed 70 of 114 with spam, 61.4 % [40.0, 70.0]" in error_text("missed", plain)
    assert "fail, of the population 57.4 %" in error_text("slice short", counted)
