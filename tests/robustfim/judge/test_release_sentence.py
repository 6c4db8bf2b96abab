"""The answer of a comparison in words: each of its parts, from a comparison that is written down."""

from __future__ import annotations

from typing import Any

import pytest

from robustfim.judge.release_sentence import accuracy_text, answered, counts, points, robust_text, told
from robustfim.outcome import FailOn, Outcome
from robustfim.record import (
    AccuracyComparison,
    AskedAgainRecord,
    CheckComparison,
    CheckRecord,
    Comparison,
    ModelRecord,
    PairedRecord,
    Record,
)
from robustfim.statistics import Rate

SAME: dict[str, Any] = {
    "estimate": Rate(0, 80, (-0.02, 0.02), 0.0), "old": 0.6, "limit": 0.05, "verdict": "no worse",
}  # fmt: skip
ACCURACY = AccuracyComparison(
    estimate=Rate(0, 500, (-0.03, 0.01), -0.01), limit=0.05, verdict="no worse", old=0.765, missing="",
)  # fmt: skip
FREE: dict[str, Any] = {"verdict": "no loss found"}
RIGHT = "accuracy 76.5 → 77.5 %, +1.0 points [−1.0, +3.0] of 500"
ROBUST = "robust accuracy 60.0 → 60.0 %, 0.0 points [−2.0, +2.0] of 80"
NO_WORSE = "(no worse by 5 points or more)"
BOTH = f"{RIGHT} {NO_WORSE}; {ROBUST} {NO_WORSE}"


def check(name: str = "a", before: str = "passed", after: str = "passed", **more: Any) -> CheckComparison:
    held = {**SAME, **FREE, **more}
    return CheckComparison(**held, id=f"s.yaml::{name}", before=Outcome(before), after=Outcome(after))


def run(*outcomes: tuple[str, str], **more: Any) -> Record:
    checks = [CheckRecord(id=f"s.yaml::{name}", name=name, outcome=Outcome(outcome)) for name, outcome in outcomes]
    return Record.model_construct(**{"checks": checks, "model": ModelRecord(use="m"), "message": "", **more})


def answer(after: Record | None = None, equal: bool = True, **found: Any) -> Comparison:
    comparison = Comparison(
        **{"checks": [check()], "accuracy": ACCURACY, "whole": PairedRecord(**SAME), "margin": 0.05, **found}
    )
    return answered(comparison, after or run(("a", "passed")), equal=equal)


def changed(test: AccuracyComparison | PairedRecord, **more: Any) -> Any:
    return type(test)(**{**test.model_dump(), **more})


def test_a_proof_is_told_with_its_margin_and_the_checks_of_few_texts() -> None:
    found = answer(proven=True)
    assert (found.headline, found.reasons) == ("may replace the baseline", [])
    assert found.answer == f"may replace the baseline: {BOTH}"
    small = [check(f"c{number}", small=True, estimate=Rate(0, number)) for number in range(5)]
    said = "too few texts to exclude a loss of 10 points in c0 (0), c1 (1), c2 (2), c3 (3) and c4 (4)"
    assert answer(proven=True, checks=small).answer == f"may replace the baseline: {BOTH}; {said}"
    lost = [check("c0", small=True, estimate=Rate(0, 300), lost=100)]
    assert answer(proven=True, checks=lost).answer.endswith("a loss of 10 points in c0 (300, 100 lost)")


def test_checks_that_do_not_keep_the_label_are_not_called_robust_accuracy() -> None:
    renamed = BOTH.replace("robust accuracy", "share that does not fail")
    for kept, said in ((True, BOTH), (False, renamed)):
        found = answer(proven=True, checks=[check(label_kept=False), check("b", label_kept=kept)])
        assert found.answer == f"may replace the baseline: {said}"


@pytest.mark.parametrize(
    ("names", "said"),
    [
        (["b"], "b is inconclusive against its own limit"),
        (["b", "c"], "b and c are inconclusive against their own limit"),
        (["b", "c", "d"], "b, c and d are inconclusive against their own limit"),
        (["b", "c", "d", "e"], "4 checks are inconclusive against their own limit"),
    ],
)
def test_limits_that_are_inconclusive_are_told_behind_a_proof(names: list[str], said: str) -> None:
    after = run(("a", "passed"), *((name, "inconclusive") for name in names))
    assert answer(after, proven=True).answer.endswith(f"{ROBUST} {NO_WORSE}; {said}")
    unlabelled = answer(after, accuracy=AccuracyComparison())
    assert unlabelled.headline == "fails no more often than the baseline"
    assert unlabelled.answer.endswith(f"; {said}")
    assert said not in answer(after, equal=False, whole=PairedRecord(**{**SAME, "verdict": "inconclusive"})).answer


def test_without_any_margin_the_numbers_are_told() -> None:
    free = {"equal": False, "margin": None, "accuracy": changed(ACCURACY, **FREE)}
    found = answer(**free, whole=PairedRecord(**{**SAME, **FREE}))
    assert (found.headline, found.answer) == ("no margin is set", f"{RIGHT}; {ROBUST}; no margin is set")
    nothing = answer(**free, whole=PairedRecord(verdict="no loss found"))
    assert nothing.answer == f"{RIGHT}; robust accuracy not compared; no margin is set"
    part = answer(**free, whole=PairedRecord(**{**SAME, **FREE}), of=90, compared=80)
    assert (part.headline, part.answer[:21]) == ("no margin is set, 80 of 90 compared", "80 of 90 compared: ac")


def test_what_is_open_is_told_with_what_would_decide_it() -> None:
    begin = "not proved to be no worse than the baseline: "

    def rest(**found: Any) -> str:
        said = answer(equal=False, **found).answer
        assert said.startswith(begin)
        return said.removeprefix(begin)

    open_ = PairedRecord(**{**SAME, "verdict": "inconclusive", "needed": 800})
    needed = "(inconclusive, about 800 more drawn examples decide in 80 % of cases)"
    assert rest(whole=open_) == f"{RIGHT} {NO_WORSE}; {ROBUST} {needed}"
    far = PairedRecord(**{**SAME, "verdict": "inconclusive", "needed": 10 * open_.estimate.tested + 1})
    margin = f"{100 * far.limit:g} points"
    assert rest(whole=far) == (
        f"{RIGHT} {NO_WORSE}; {ROBUST} (inconclusive, these data cannot decide a margin of {margin}: choose another)"
    )
    accuracy = changed(ACCURACY, verdict="inconclusive", needed=1500)
    labelled = needed.replace("800 more drawn", "1,500 more labelled")
    assert rest(accuracy=accuracy) == f"{RIGHT} {labelled}; {ROBUST} {NO_WORSE}"
    assert rest(checks=[check(other_tests=True)]) == f"{BOTH}; a tests otherwise than in the baseline"
    two = [check(other_tests=True), check("b", other_tests=True)]
    assert rest(checks=two, only_before=["s.yaml::x", "s.yaml::y"]) == (
        f"{BOTH}; a and b test otherwise than in the baseline; not tested: x and y"
    )
    lost = "what only the baseline holds or tested counts as lost: run its model on these data and accept that"
    assert rest(whole=changed(open_, needed=None, lost=2)) == (
        f"{RIGHT} {NO_WORSE}; {ROBUST} (inconclusive, 2 others that the baseline tested are not); {lost}"
    )
    assert rest(no_sample="no sample") == f"{BOTH}; the run is not complete; no sample"
    again = AskedAgainRecord(stored=40, asked=0, seed=1)
    asked = run(("a", "passed"), model=ModelRecord(use="m", asked_again=again))
    assert rest(after=asked) == f"{BOTH}; {again.sentence}"
    assert rest(after=run(("a", "passed"), message="the model has changed.")) == f"{BOTH}; the model has changed"
    assert rest(after=run(("a", "passed"), interrupted=True)) == f"{BOTH}; the run is not complete"


def test_checks_that_the_baseline_excuses_are_counted_behind_a_proof() -> None:
    both = [check(before="failed", after="failed"), check("b", before="failed", after="failed")]
    after = run(("a", "failed"), ("b", "failed"))
    said = answer(after, proven=True, checks=both)
    assert said.answer.endswith("; 2 checks above their limits, as in the baseline")
    one = answer(run(("a", "failed"), ("b", "passed")), proven=True, checks=[check(before="inconclusive"), check("b")])
    assert one.answer.endswith("; 1 check above its limit, which the baseline excuses")
    assert "above" not in answer(after, proven=True, checks=both, fail_on="any").answer


WORSE = check(verdict="worse", newly_broken=["x"], newly_wrong=["y", "z"])
LOSS = "robust 60.0 → 60.0 %, 0.0 points [−2.0, +2.0] of 80: 1 regression, 0 fixes; untouched 2 regressions, 0 fixes"


@pytest.mark.parametrize(
    ("found", "outcomes", "on", "reasons"),
    [
        ({}, {"a": "error"}, "regression", ["a is an error"]),
        ({}, {"a": "error", "b": "error"}, "regression", ["a and b are errors"]),
        ({"checks": [WORSE, check("b")]}, {"a": "failed"}, "regression", [f"worse in a: {LOSS}"]),
        ({"checks": [WORSE, check("b", verdict="worse")]}, {}, "regression", ["worse in a and b"]),
        (
            {"checks": [check(errors={"false_alarm": PairedRecord(verdict="worse")})]}, {}, "regression",
            ["worse in 'false alarm' of a"],
        ),
        (
            {"checks": [check(after="failed"), check("b", before="failed", after="failed")]}, {}, "regression",
            ["a passed before and fails now"],
        ),
        (
            {"checks": [check(after="failed"), check("b", after="failed")]}, {}, "regression",
            ["a and b passed before and fail now"],
        ),
        ({"checks": [check(newly_broken=["x", "y"])]}, {"a": "failed"}, "regression", ["the run is not complete"]),
        (
            {"checks": [check(newly_broken=["x", "y"])], "whole": PairedRecord(**SAME, newly_wrong=["y", "z"])},
            {"a": "failed"}, "new", ["3 newly wrong or broken"],
        ),
        (
            {"checks": [check(newly_broken=["x"])]}, {"a": "failed"}, "any",
            ["1 newly wrong or broken", "a fails its own limit"],
        ),
        ({}, {"a": "failed", "b": "xpassed", "c": "passed"}, "any", ["a and b fail their own limit"]),
        ({}, {"a": "failed"}, "new", ["the run is not complete"]),
    ],
)  # fmt: skip
def test_why_a_run_does_not_replace_its_baseline_is_told_reason_by_reason(
    found: dict[str, Any], outcomes: dict[str, str], on: FailOn, reasons: list[str]
) -> None:
    told = answer(run(*outcomes.items()), equal=False, failed=True, fail_on=on, **found)
    assert told.headline == "does not replace the baseline"
    assert told.reasons == reasons
    assert told.answer == f"does not replace the baseline: {BOTH}; {'; '.join(reasons)}"


def test_losses_of_accuracy_and_of_robust_accuracy_are_reasons_with_their_numbers() -> None:
    worse = {"verdict": "worse", "fails": True}
    whole = PairedRecord(**{**SAME, **worse})
    found = answer(equal=False, failed=True, whole=whole)
    assert found.reasons == [f"{ROBUST} (worse)"]
    both = answer(equal=False, failed=True, whole=whole, accuracy=changed(ACCURACY, **worse))
    assert both.reasons == [f"{RIGHT} (worse)", f"{ROBUST} (worse)"]
    assert both.answer == f"does not replace the baseline: {RIGHT} (worse); {ROBUST} (worse)"


def test_numbers_that_are_missing_are_not_written() -> None:
    assert accuracy_text(AccuracyComparison(missing="no reason")) == "accuracy not compared (no reason)"
    one = changed(ACCURACY, one_label=True, unlabelled=1200, verdict="inconclusive")
    assert accuracy_text(one) == f"{RIGHT} (inconclusive, 1,200 unlabelled, one gold label alone proves no accuracy)"
    unlabelled = Comparison(whole=PairedRecord(**{**SAME, **FREE}))
    assert robust_text(unlabelled) == ROBUST.replace("robust accuracy", "share that does not fail")
    assert told(PairedRecord()) == "robust not compared: 0 regressions, 0 fixes"


def test_numbers_of_one_are_singular() -> None:
    assert (counts(1, 1), counts(1200, 2)) == ("1 regression, 1 fix", "1,200 regressions, 2 fixes")
    assert [points(each) for each in (0.02, 0.01, 0.005, -0.01, 0.0)] == [
        "2 points", "1 point", "0.5 points", "-1 points", "0 points",
    ]  # fmt: skip
