"""The answer of a comparison in words: each of its parts, from a comparison that is written down."""

from __future__ import annotations

from typing import Any

import pytest

from robustfim.judge.release_sentence import accuracy_text, answered, points, told
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

SAME: dict[str, Any] = {"matched": 80, "difference": 0.0, "interval": (-0.02, 0.02), "margin": 0.05}
ACCURACY = AccuracyComparison(
    matched=500, difference=-0.01, interval=(-0.03, 0.01), margin=0.02, verdict="no worse", before=0.765, after=0.775,
    missing="",
)  # fmt: skip
RIGHT = "accuracy 76.5 → 77.5 %, +1.0 points [−1.0, +3.0] of 500"


def check(name: str = "a", before: str = "passed", after: str = "passed", **more: Any) -> CheckComparison:
    return CheckComparison(
        **{**SAME, "verdict": "no worse", **more}, id=f"s.yaml::{name}", before=Outcome(before), after=Outcome(after)
    )


def run(*outcomes: tuple[str, str], **more: Any) -> Record:
    checks = [CheckRecord(id=f"s.yaml::{name}", name=name, outcome=Outcome(outcome)) for name, outcome in outcomes]
    return Record.model_construct(**{"checks": checks, "model": ModelRecord(use="m"), "message": "", **more})


def answer(after: Record | None = None, equal: bool = True, **found: Any) -> Comparison:
    comparison = Comparison(**{"checks": [check()], "accuracy": ACCURACY, "whole": PairedRecord(**SAME), **found})
    return answered(comparison, after or run(("a", "passed")), equal=equal)


def test_what_is_proved_is_told_with_its_margins() -> None:
    by = f"{RIGHT} (no worse by 2 points or more)"
    one = answer(proven=True)
    assert one.headline == "may replace the baseline"
    assert one.answer == f"may replace the baseline: {by}; no worse by 5 points or more in its one check"
    assert one.reasons == []
    two = answer(proven=True, checks=[check(), check("b")])
    assert two.answer.endswith("; no worse by 5 points or more in each of 2 checks")
    two = answer(proven=True, checks=[check(), check("b", margin=0.01)])
    assert two.answer.endswith("; no worse than the margins allow in each of 2 checks")
    two = answer(proven=True, checks=[check(margin=0.01), check("b", margin=None)])
    assert two.answer.endswith("; no worse by 1 point or more in each of 2 checks")


@pytest.mark.parametrize(
    ("names", "said"),
    [
        (["b"], "b is inconclusive against its own limit"),
        (["b", "c"], "b and c are inconclusive against their own limit"),
        (["b", "c", "d"], "b, c and d are inconclusive against their own limit"),
        (["b", "c", "d", "e"], "4 checks are inconclusive against their own limit"),
    ],
)
def test_what_leaves_the_run_inconclusive_is_told_behind_a_proof(names: list[str], said: str) -> None:
    after = run(("a", "passed"), *((name, "inconclusive") for name in names))
    assert answer(after, proven=True).answer.endswith(f"in its one check; {said}")
    unlabelled = answer(after, accuracy=AccuracyComparison())
    assert unlabelled.headline == "fails no more often than the baseline"
    assert unlabelled.answer.endswith(f"in its one check; {said}")
    assert said not in answer(after, equal=False, checks=[check(verdict="inconclusive")]).answer


def test_without_any_margin_the_numbers_are_told() -> None:
    free = AccuracyComparison(**{**ACCURACY.model_dump(), "margin": None, "verdict": "measured"})
    for difference, interval, said in (
        (-0.06, (-0.1, -0.022), "6.0 points fewer failures [2.2, 10.0]"),
        (0.06, (-0.01, 0.1), "6.0 points more failures [−1.0, 10.0]"),
        (0.0, (-0.01, 0.02), "0.0 points more failures [−1.0, 2.0]"),
    ):
        whole = PairedRecord(matched=50, difference=difference, interval=interval)
        found = answer(equal=False, checks=[check(margin=None)], accuracy=free, whole=whole)
        assert (found.headline, found.answer) == ("no margin is set", f"{RIGHT}; {said}; no margin is set")
    nothing = answer(equal=False, checks=[check(margin=None)], accuracy=free, whole=PairedRecord())
    assert nothing.answer == f"{RIGHT}; no example was tested in both; no margin is set"


def test_what_is_open_is_told_with_what_would_decide_it() -> None:
    begin = f"not proved to be no worse than the baseline: {RIGHT} (no worse by 2 points or more); "

    def rest(**found: Any) -> str:
        said = answer(equal=False, **found).answer
        assert said.startswith(begin)
        return said.removeprefix(begin)

    one, two, free = (
        check(verdict="inconclusive", needed=1200),
        check("b", verdict="inconclusive"),
        check("c", margin=None),
    )
    free = free.model_copy(update={"verdict": "measured"})
    more = ": about 1,200 more matched examples decide in 80 % of cases"
    assert rest(checks=[one]) == f"inconclusive in a{more}"
    assert rest(checks=[one, two]) == f"inconclusive in each of 2 checks{more}"
    assert rest(checks=[two, check()]) == "inconclusive in b"
    larger = two.model_copy(update={"needed": 1300})
    assert rest(checks=[one, larger, check("c")]) == f"inconclusive in a and b{more.replace('1,200', '1,300')}"
    assert rest(checks=[one, free]) == f"inconclusive in a{more}; no margin is set in c"
    erring = check(
        errors={"false_alarm": PairedRecord(verdict="inconclusive"), "missed": PairedRecord(verdict="no worse")}
    )
    assert rest(checks=[erring]) == "inconclusive in 'false alarm' of a"
    assert rest(checks=[one], only_before=["s.yaml::x", "s.yaml::y"]) == f"inconclusive in a{more}; not tested: x and y"
    lost = "what only the baseline holds or tested counts as lost: run its model on these data and accept that"
    assert rest(whole=PairedRecord(**SAME, lost=2)) == lost
    again = AskedAgainRecord(stored=40, asked=0, seed=1)
    asked = run(("a", "passed"), model=ModelRecord(use="m", asked_again=again))
    assert rest(after=asked) == again.sentence
    assert rest() == "the run is not complete"
    assert rest(after=run(("a", "passed"), message="the model has changed.")) == "the model has changed"
    assert rest(after=run(("a", "passed"), interrupted=True)) == "the run is not complete"


def test_where_the_accuracy_alone_is_open_what_is_proved_of_the_checks_is_told() -> None:
    open_ = AccuracyComparison(**{**ACCURACY.model_dump(), "verdict": "inconclusive", "needed": 1500})
    found = answer(accuracy=open_)
    needed = "inconclusive, about 1,500 more labelled examples decide in 80 % of cases"
    said = f"{RIGHT} ({needed}); no worse by 5 points or more in its one check"
    assert found.answer == f"not proved to be no worse than the baseline: {said}"
    free = answer(accuracy=AccuracyComparison(**{**ACCURACY.model_dump(), "margin": None, "verdict": "measured"}))
    assert free.answer.endswith(f"{RIGHT}; no margin is set for the accuracy")
    lost = AccuracyComparison(**{**ACCURACY.model_dump(), "verdict": "inconclusive", "lost": 1234})
    assert (
        "(inconclusive, 1,234 others that the baseline answers are not here); what only" in answer(accuracy=lost).answer
    )


def test_checks_that_the_baseline_excuses_are_counted_behind_a_proof() -> None:
    both = [check(before="failed", after="failed"), check("b", before="failed", after="failed")]
    after = run(("a", "failed"), ("b", "failed"))
    said = answer(after, proven=True, checks=both)
    assert said.answer.endswith("in each of 2 checks; 2 checks above their limits, as in the baseline")
    one = answer(run(("a", "failed"), ("b", "passed")), proven=True, checks=[check(before="inconclusive"), check("b")])
    assert one.answer.endswith("; 1 check above its limit, which the baseline excuses")
    assert "above" not in answer(after, proven=True, checks=both, fail_on="any").answer


@pytest.mark.parametrize(
    ("found", "outcomes", "on", "reasons"),
    [
        ({}, {"a": "error"}, "regression", ["a is an error"]),
        ({}, {"a": "error", "b": "error"}, "regression", ["a and b are errors"]),
        ({"checks": [check(verdict="worse"), check("b")]}, {"a": "failed"}, "regression", ["worse in a"]),
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
            {"checks": [check(newly_broken=["x", "y"])], "whole": PairedRecord(**SAME, newly_broken=["y", "z"])},
            {"a": "failed"}, "new", ["3 newly broken"],
        ),
        ({"checks": [check(newly_broken=["x"])]}, {"a": "failed"}, "any", ["1 newly broken", "a fails its own limit"]),
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
    right = f"{RIGHT} (no worse by 2 points or more)"
    assert told.answer == f"does not replace the baseline: {right}; {'; '.join(reasons)}"


def test_a_loss_as_a_whole_and_one_of_accuracy_are_reasons_with_their_numbers() -> None:
    whole = PairedRecord(
        matched=60, difference=0.1, interval=(0.04, 0.2), verdict="worse", newly_broken=[*"abcdefg"], newly_fixed=["h"],
        still_broken=["i", "j"],
    )  # fmt: skip
    numbers = "7 newly broken, 1 newly fixed, 2 still broken of 60; +10.0 points [+4.0, +20.0]"
    assert told(whole) == numbers
    assert told(whole, "wrong", "right").startswith("7 newly wrong, 1 newly right, 2 still wrong of 60")
    assert told(PairedRecord()) == "0 newly broken, 0 newly fixed, 0 still broken of 0"
    found = answer(equal=False, failed=True, whole=whole)
    assert found.reasons == [f"worse over all checks ({numbers})"]
    worse = AccuracyComparison(**{**ACCURACY.model_dump(), "verdict": "worse", "fails": True})
    both = answer(equal=False, failed=True, whole=whole, accuracy=worse)
    assert both.reasons == [f"{RIGHT} (worse)", f"worse over all checks ({numbers})"]
    alone = answer(equal=False, failed=True, accuracy=worse)
    assert (alone.reasons, alone.answer) == ([f"{RIGHT} (worse)"], f"does not replace the baseline: {RIGHT} (worse)")


def test_accuracy_that_is_not_compared_says_why_and_points_are_counted() -> None:
    assert accuracy_text(AccuracyComparison(missing="no reason")) == "accuracy not compared (no reason)"
    alone = AccuracyComparison(before=0.5, after=0.25, verdict="inconclusive", missing="")
    assert accuracy_text(alone) == "accuracy 50.0 → 25.0 % (inconclusive)"
    assert [points(each) for each in (0.02, 0.01, 0.005, -0.01, 0.0)] == [
        "2 points", "1 point", "0.5 points", "-1 points", "0 points",
    ]  # fmt: skip


def test_a_difference_without_its_interval_is_not_told() -> None:
    half: dict[str, Any] = {"matched": 50, "difference": 0.1, "margin": 0.02}
    assert accuracy_text(AccuracyComparison(**half, before=0.5, after=0.4, verdict="no worse", missing="")) == (
        "accuracy 50.0 → 40.0 % (no worse by 2 points or more)"
    )
    assert accuracy_text(AccuracyComparison(before=0.5, after=0.5, verdict="no worse", missing="")) == (
        "accuracy 50.0 → 50.0 % (no worse)"
    )
    for one in (AccuracyComparison(before=0.5, missing="why"), AccuracyComparison(after=0.5, missing="why")):
        assert accuracy_text(one) == "accuracy not compared (why)"
    assert told(PairedRecord(**half)) == "0 newly broken, 0 newly fixed, 0 still broken of 50"
    free = AccuracyComparison(**{**ACCURACY.model_dump(), "margin": None, "verdict": "measured"})
    none = answer(equal=False, checks=[check(margin=None)], accuracy=free, whole=PairedRecord(**half))
    assert none.answer == f"{RIGHT}; no example was tested in both; no margin is set"


def test_a_margin_for_the_accuracy_alone_is_one() -> None:
    found = answer(equal=False, checks=[check(margin=None, verdict="measured")])
    assert found.answer == (
        f"not proved to be no worse than the baseline: {RIGHT} (no worse by 2 points or more); no margin is set in a"
    )


@pytest.mark.parametrize(
    ("ended", "said"),
    [
        ({}, "no worse by 5 points or more in its one check"),
        ({"interrupted": True}, "the run is not complete"),
        ({"message": "the model has changed."}, "the model has changed"),
    ],
)
def test_of_a_run_that_did_not_end_well_nothing_is_said_to_be_proved(ended: dict[str, Any], said: str) -> None:
    open_ = AccuracyComparison(**{**ACCURACY.model_dump(), "verdict": "inconclusive"})
    found = answer(run(("a", "passed"), **ended), accuracy=open_)
    assert found.answer == f"not proved to be no worse than the baseline: {RIGHT} (inconclusive); {said}"
