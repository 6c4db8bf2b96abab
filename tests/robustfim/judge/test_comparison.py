import itertools
import re
from collections import Counter
from collections.abc import Sequence
from operator import mul
from pathlib import Path
from random import Random
from typing import Any

import pytest

import robustfim
from robustfim.cli import main
from robustfim.decision import ABSTAINS
from robustfim.errors import UsageError
from robustfim.judge.comparison import compare
from robustfim.judge.release_sentence import told
from robustfim.outcome import Outcome
from robustfim.record import (
    AskedAgainRecord,
    AssociationRecord,
    BudgetRecord,
    CheckRecord,
    DataRecord,
    Environment,
    ErrorRecord,
    ExampleRecord,
    Failure,
    ModelRecord,
    PredictionRecord,
    Record,
    SelectionRecord,
    SliceRecord,
    StepRecord,
)
from robustfim.statistics import Rate
from robustfim.statistics.mean import Mean
from robustfim.statistics.paired import Paired, stratified_pairs
from tests.robustfim.command_line import unbroken


def record(
    checks: dict[str, tuple[list[str], list[str]]],
    *,
    suite: str = "toy",
    seed: int = 0,
    right: dict[str, bool] | None = None,
    **check: Any,
) -> Record:
    """A record of checks, each with its tested and its failing examples, and of what labelled examples are right."""
    before = PredictionRecord(label="positive", probabilities=[0.2, 0.8])
    after = PredictionRecord(label="negative", probabilities=[0.7, 0.3])
    return Record(
        suite=suite,
        model=ModelRecord(use="toy"),
        data=DataRecord(use="rows"),
        environment=Environment(robustfim="0", python="3"),
        seed=seed,
        started="2026-01-01T00:00:00+00:00",
        examples=[
            ExampleRecord(id=id, fields={}, label=("positive", "neutral")[place % 2], prediction="?", correct=correct)
            for place, (id, correct) in enumerate((right or {}).items())
        ],
        checks=[
            CheckRecord(
                id=name,
                name=name,
                examples=tested,
                **{
                    "outcome": Outcome.FAILED if failing else Outcome.PASSED,
                    "expectation": {"use": "invariant"},
                    **check,
                },
            )
            for name, (tested, failing) in checks.items()
        ],
        failures=[
            Failure(id=f"{name}{each}", check=name, example=each, fields={}, before=before, after=after)
            for name, (_, failing) in checks.items()
            for each in failing
        ],
    )


def ids(*numbers: int) -> list[str]:
    return [f"e{number}" for number in numbers]


def test_broken_fixed_and_still_broken_examples_are_told_apart() -> None:
    tested = ids(*range(6))
    found = compare(record({"a": (tested, ids(0, 1))}), record({"a": (tested, ids(1, 2, 3))})).checks[0]
    assert (found.newly_broken, found.newly_fixed, found.still_broken) == (["e2", "e3"], ["e0"], ["e1"])
    assert found.estimate.tested == 6
    assert found.estimate.rate == pytest.approx(1 / 6)


def test_examples_that_only_one_run_tested_do_not_count() -> None:
    found = compare(record({"a": (ids(0, 1, 2), [])}), record({"a": (ids(1, 2, 3), ids(3))})).checks[0]
    assert found.newly_broken == []
    assert (found.estimate.tested, found.only_before, found.only_after) == (2, 1, 1)


def test_the_p_value_is_mcnemars_exact_test() -> None:
    # Eleven discordant pairs, ten of them broken: 2 · (C(11,10) + C(11,11)) / 2¹¹; of the level a check alone has two
    # thirds and all checks together, without gold labels, the rest.
    tested = ids(*range(50))
    found = compare(record({"a": (tested, ids(40))}), record({"a": (tested, ids(*range(10)))})).checks[0]
    assert found.p_value == pytest.approx(1.5 * 2 * (11 + 1) / 2**11)
    assert found.regressed


def test_many_checks_are_corrected_by_holm() -> None:
    tested = ids(*range(50))
    names = [f"c{number}" for number in range(3)]
    old = record({name: (tested, ids(40)) for name in names})
    new = record({"c0": (tested, ids(*range(8))), "c1": (tested, ids(40)), "c2": (tested, ids(40))})
    found = compare(old, new).checks
    assert found[0].p_value == pytest.approx(3 * 2 * 10 / 2**9)
    assert not found[0].regressed


def test_checks_that_are_set_otherwise_take_no_part_of_the_level_and_prove_nothing() -> None:
    tested = ids(*range(50))
    old = record({name: (tested, ids(40)) for name in "abcd"})
    new = record({"a": (tested, ids(*range(10))), **{name: (tested, ids(40)) for name in "bcd"}})
    for otherwise in (["c", "d"], ["b", "c", "d"], ["a", "b", "c", "d"]):
        changed = [
            check.model_copy(update={"perturbation": {"use": "other"}}) if check.name in otherwise else check
            for check in new.checks
        ]
        found = compare(old, new.model_copy(update={"checks": changed}), margin=0.3)
        left = [check for check in old.checks if check.name not in otherwise]
        if left:
            alone = compare(old.model_copy(update={"checks": left}), new)
            assert found.checks[: len(left)] == alone.checks, "as if the others were not there"
        for check in found.checks[len(left) :]:
            assert (check.verdict, check.other_tests, check.regressed) == ("no loss found", True, False)
        assert found.whole.estimate.tested == (50 if left else 0)
        assert not found.proven
        assert sum("has other settings" in note for note in found.notes) == len(otherwise)


def test_a_check_that_passed_and_fails_now_is_a_regression() -> None:
    tested = ids(*range(4))
    assert compare(record({"a": (tested, [])}), record({"a": (tested, ids(0))})).failed


def test_one_broken_example_among_as_many_fixed_is_new_and_no_regression() -> None:
    tested = ids(*range(40))
    old, new = (
        record({"a": (tested, failing)}, outcome=Outcome.PASSED, limit=0.5, failing=1) for failing in (ids(1), ids(2))
    )
    assert [compare(old, new, fail_on=on).failed for on in ("regression", "new", "any")] == [False, True, True]


def test_a_check_above_its_own_limit_fails_any_alone() -> None:
    same = record({"a": (ids(0), ids(0))})
    assert [compare(same, same, fail_on=on).failed for on in ("regression", "new", "any")] == [False, False, True]


def test_an_error_fails_every_gate() -> None:
    broken = record({"a": ([], [])}, outcome=Outcome.ERROR)
    assert compare(broken, broken).failed


def test_checks_are_matched_by_name_whatever_the_suite_file_is_called() -> None:
    old = record({"a": (ids(0), [])})
    moved = [check.model_copy(update={"id": f"new.yaml::{check.name}"}) for check in old.checks]
    comparison = compare(old, old.model_copy(update={"checks": moved}))
    assert [check.id for check in comparison.checks] == ["new.yaml::a"]


def test_nothing_matched_has_no_difference_and_no_interval() -> None:
    found = compare(record({"a": (ids(0), [])}), record({"a": (ids(1), ids(1))})).checks[0]
    assert (found.estimate.rate, found.estimate.interval, found.p_value) == (None, None, 1.0)


def test_another_suite_is_refused() -> None:
    with pytest.raises(UsageError, match="suite 'other'"):
        compare(record({"a": ([], [])}, suite="other"), record({"a": ([], [])}))


def test_records_without_a_common_check_are_refused() -> None:
    with pytest.raises(UsageError, match="no check in common"):
        compare(record({"a": ([], [])}), record({"b": ([], [])}))


def test_a_slice_is_worse_if_unchanged_texts_in_it_become_wrong() -> None:
    examples = ids(*range(100))
    inside, outside = examples[:20], examples[20:]
    runs = []
    for wrong in (outside[:12], inside[:12]):
        known = {id: id not in wrong for id in examples}
        tested = [id for id in examples if known[id]]
        own = [id for id in tested if id in inside]
        kind = ErrorRecord(drawn=len(own), tested=len(own), failing=0, limit=0.2, examples=own)
        run = record({"a": (tested, [])}, right=known, errors={"slice red": kind})
        drawn = [example.model_copy(update={"arm": "all"}) for example in run.examples]
        runs.append(run.model_copy(update={"examples": drawn}))
    (check,) = compare(*runs, margin=0.3).checks
    found = check.errors["slice red"]
    assert (check.verdict, found.verdict, found.newly_wrong) == ("no loss found", "worse", inside[:12])
    assert (found.estimate.count, found.estimate.tested, found.estimate.rate) == (12, 20, 12 / 20)


@pytest.mark.parametrize(("condition", "compared"), [("confidence", False), ("words", True)])
def test_a_slice_that_each_model_chooses_by_its_answers_is_not_compared(condition: str, compared: bool) -> None:
    examples = ids(*range(100))
    runs = []
    for failing, unsure in ((examples[:20], []), (examples[20:40], examples[20:40])):  # as many fail; one model knows
        kind = ErrorRecord(drawn=100, tested=len(unsure), failing=len(unsure), limit=0.9, examples=unsure, wrong=unsure)
        run = record({"a": (examples, failing)}, right=dict.fromkeys(examples, True), errors={"slice unsure": kind})
        part = SliceRecord(name="unsure", definition={condition: [None, 0.6]}, accuracy=Rate(0, 0), failures=Rate(0, 0))
        drawn = [example.model_copy(update={"arm": "all"}) for example in run.examples]
        runs.append(run.model_copy(update={"slices": [part], "examples": drawn}))
    comparison = compare(*runs, margin=0.3)
    worse = {kind: error.verdict for kind, error in comparison.checks[0].errors.items()}
    assert worse == ({"slice unsure": "worse"} if compared else {})
    note = "of other examples than in the baseline, and not compared: slice unsure."
    assert (note in comparison.notes, comparison.failed) == (not compared, compared)


@pytest.mark.parametrize("use", ["invariant", "correct", "found"])
def test_robust_accuracy_loses_what_is_wrong_unchanged_and_what_an_edit_breaks(use: str) -> None:
    examples = ids(*range(100))
    wrong, broken = examples[:5], examples[5:11]
    right = dict.fromkeys(examples, True)
    runs = []
    for failing, bad in (([], []), (broken, wrong)):
        tested = [id for id in examples if id not in bad]
        run = record({"a": (tested, failing)}, right=right | dict.fromkeys(bad, False), expectation={"use": use})
        drawn = [example.model_copy(update={"arm": "all"}) for example in run.examples]
        runs.append(run.model_copy(update={"examples": drawn}))
    whole = compare(*runs, margin=0.3).whole
    assert whole.old == 1
    assert whole.estimate.rate == pytest.approx(0.11)
    assert (whole.newly_wrong, whole.newly_broken, whole.lost) == (wrong, broken, 0)


@pytest.mark.parametrize("skipping", ["before", "after"])
def test_a_check_that_one_run_skipped_is_not_compared(skipping: str) -> None:
    tested = ids(*range(100))
    right = [dict.fromkeys(tested, True) | dict.fromkeys(wrong, False) for wrong in (ids(*range(10)), tested[-10:])]
    runs = {
        name: record({check: ([id for id in tested if known[id]], []) for check in "ab"}, right=known)
        for name, known in zip(("before", "after"), right, strict=True)
    }
    alone = {name: run.model_copy(update={"checks": run.checks[:1]}) for name, run in runs.items()}
    skipped = runs[skipping].checks[1].model_copy(update={"examples": [], "outcome": Outcome.SKIPPED})
    runs[skipping] = runs[skipping].model_copy(update={"checks": [runs[skipping].checks[0], skipped]})
    found = compare(runs["before"], runs["after"], margin=0.3)
    assert (found.checks, found.whole) == ((one := compare(*alone.values(), margin=0.3)).checks, one.whole)
    assert (found.failed, found.proven) == (False, skipping == "before"), "a check that the baseline has is missing"
    assert (found.only_before, found.only_after) == ((["b"], []) if skipping == "after" else ([], ["b"]))


def test_examples_that_only_one_run_tested_count_alike_for_both() -> None:
    known = dict.fromkeys(tested := ids(*range(150)), True)
    runs = [
        run.model_copy(update={"examples": [example.model_copy(update={"arm": "all"}) for example in run.examples]})
        for run in (
            record({"a": (tested[:100], tested[:20])}, right=known),
            record({"a": (tested[50:], tested[130:])}, right=known),
        )
    ]
    there, back = (compare(*pair) for pair in (runs, runs[::-1]))
    assert [found.checks[0].verdict for found in (there, back)] == ["no loss found"] * 2
    assert [found.whole.verdict for found in (there, back)] == ["no loss found"] * 2
    assert there.whole.lost == 50


@pytest.mark.parametrize(("counts", "worse"), [("broken", True), ("changes", False)])
def test_what_breaks_of_an_answer_that_both_runs_have_wrong_is_compared(counts: str, worse: bool) -> None:
    """Of several labels one is wrong in both runs, and only the new model breaks another."""
    tested = ids(*range(100))
    right = dict.fromkeys(tested[:70], True) | dict.fromkeys(tested[70:], False)
    old, new = (record({"a": (tested, failing)}, right=right, counts=counts) for failing in ([], tested[80:]))
    (found,) = compare(old, new, margin=0.05).checks
    assert (found.verdict == "worse", found.newly_broken) == (worse, tested[80:] if worse else [])
    assert found.estimate.rate == pytest.approx(0.2 if worse else 0.0)
    (fixed,) = compare(new, old, margin=0.05).checks
    assert (fixed.verdict, fixed.newly_fixed) == ("no loss found", tested[80:] if worse else [])


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        ({"limit": 0.1}, {"limit": 0.3}, "30 %, before 10 %"),
        ({"limit": 0.1}, {}, "none, before 10 %"),
        ({"limit": 0.1}, {"limit": 0.1, "limit_of_file": True}, "10 % of the file alone, before 10 %"),
        (
            {"limit": 0.1, "errors": {"slice red": ErrorRecord(drawn=1, tested=1, failing=0, limit=0.2)}},
            {"limit": 0.1},
            "10 %, before 10 %, slice red 20 %",
        ),
        ({"limit": 0.1}, {"limit": 0.1}, ""),
    ],
)
def test_another_limit_than_in_the_baseline_is_noted(before: dict[str, Any], after: dict[str, Any], said: str) -> None:
    notes = compare(*(record({"a": (ids(0), [])}, **limits) for limits in (before, after))).notes
    assert notes == ([f"a has another limit than in the baseline: {said}."] if said else [])


def test_what_differs_between_the_runs_is_noted() -> None:
    old = record({"a": (ids(0), []), "gone": (ids(0), [])}, seed=1)
    new = record({"a": (ids(0), []), "new": (ids(0), [])}, perturbation={"use": "typos"})
    comparison = compare(old, new)
    assert (comparison.only_before, comparison.only_after) == (["gone"], ["new"])
    assert any("seeds differ (1 and 0)" in note for note in comparison.notes)
    assert any("a has other settings" in note for note in comparison.notes)


def test_checks_whose_texts_were_made_with_something_else_are_told_together() -> None:
    old, new = (record({"a": (ids(0), []), "b": (ids(0), [])}, resources={"tagger": tag, "x": "1"}) for tag in "AB")
    assert compare(old, new).notes == [
        "other tests in a, b: tagger A there, B here.",
        "what differs may be the tests, which prove the run neither worse nor no worse then: run the suite with the "
        "baseline's model and accept that, or lock its texts.",
    ]
    assert compare(old, old).notes == []


# ---- what is proved -----------------------------------------------------------------------------------


def pair_of(
    broken: int, fixed: int = 0, matched: int = 224, others: int = 9, labelled: bool = True, **check: Any
) -> tuple[Record, Record]:
    """A baseline and a run of a check with so many broken and fixed examples, beside others without a change.

    Both are right about three in four of the examples, the same ones.
    """
    tested = ids(*range(matched))
    check["right"] = {id: number % 4 > 0 for number, id in enumerate(tested)} if labelled else None
    rest = {f"toy.yaml::c{number}": (tested, tested[100:110]) for number in range(others)}
    old = record({"toy.yaml::a": (tested, tested[:fixed]), **rest}, outcome=Outcome.INCONCLUSIVE, **check)
    new = record(
        {"toy.yaml::a": (tested, tested[fixed : fixed + broken]), **rest}, outcome=Outcome.INCONCLUSIVE, **check
    )
    return old, new


def test_regressions_without_a_fix_are_a_loss_of_robust_accuracy_though_holm_hides_them_in_ten_checks() -> None:
    comparison = compare(*pair_of(9))
    check = comparison.checks[0]
    assert check.p_value == pytest.approx(15 * 2 / 2**6), "accuracy and the checks are left, of which it is a tenth"
    assert (comparison.whole.verdict, check.verdict) == ("no loss found", "no loss found")
    comparison = compare(*pair_of(12))
    assert (comparison.whole.verdict, comparison.checks[0].verdict) == ("worse", "no loss found")
    assert (comparison.failed, comparison.proven) == (True, False)
    loss = "robust accuracy 71.9 → 67.9 %, −4.0 points [−7.5, −2.1] of 224 (worse)"
    assert comparison.answer == (
        f"does not replace the baseline: accuracy 75.0 → 75.0 %, 0.0 points [−1.7, +1.7] of 224; {loss}"
    )
    assert comparison.reasons == [loss]


def test_without_a_margin_the_answer_is_the_numbers_and_no_release_verdict() -> None:
    comparison = compare(*pair_of(3, 3))
    assert (comparison.failed, comparison.proven, comparison.inconclusive) == (False, False, False)
    assert comparison.answer == (
        "accuracy 75.0 → 75.0 %, 0.0 points [−1.7, +1.7] of 224; robust accuracy 71.0 → 71.0 %, 0.0 points [−2.4, "
        "+2.4] of 224; no margin is set"
    )
    assert {test.verdict for test in (comparison.accuracy, comparison.whole, *comparison.checks)} == {"no loss found"}


@pytest.mark.parametrize(
    "easier",
    [
        {"perturbation": {"use": "typos", "candidates": 1}},
        {"constraints": [{"use": "x"}]},
        {"fails": "all"},
        {"resources": {"lexicon": "2"}},
    ],
)
def test_a_check_that_tests_something_else_than_in_the_baseline_proves_neither_a_loss_nor_its_absence(
    easier: dict[str, Any],
) -> None:
    for broken in (0, 60):
        before, after = pair_of(broken, others=1)
        changed = [after.checks[0].model_copy(update=easier), *after.checks[1:]]
        comparison = compare(before, after.model_copy(update={"checks": changed}), margin=0.05)
        assert (comparison.proven, comparison.failed, comparison.inconclusive) == (False, False, True)
        assert comparison.answer.startswith("not proved to be no worse than the baseline: ")
        assert "; a tests otherwise than in the baseline" in comparison.answer
        assert (comparison.whole.verdict, comparison.checks[0].other_tests) == ("inconclusive", True)
        assert any("neither worse nor no worse" in note for note in comparison.notes)
        if "resources" in easier and not broken:
            locked = [run.model_copy(update={"lock": "a", "checks": checks}) for run, checks in
                      ((before, before.checks), (after, changed))]  # fmt: skip
            assert compare(*locked, margin=0.05).proven, "a lock holds its texts"
            assert not compare(locked[0], locked[1].model_copy(update={"lock": "b"}), margin=0.05).proven
    before, after = pair_of(0, others=2)
    loss = pair_of(60)[1].failures
    changed = [after.checks[0], after.checks[1].model_copy(update=easier), *after.checks[2:]]
    found = compare(before, after.model_copy(update={"checks": changed, "failures": loss}), margin=0.05)
    assert [check.verdict for check in (found.whole, *found.checks)] == ["worse"] * 2 + ["no loss found"] * 2
    assert "worse in a: robust 75.0 → 54.9 %" in found.answer


def test_a_check_that_passed_and_fails_now_fails_the_run_whatever_it_tests() -> None:
    old = record({"a": (ids(*range(40)), [])}, outcome=Outcome.PASSED, limit=0.5)
    new = record(
        {"a": (ids(*range(40)), ids(*range(40)))}, outcome=Outcome.FAILED, limit=0.5, perturbation={"use": "x"}
    )
    comparison = compare(old, new)
    assert (comparison.failed, comparison.checks[0].verdict) == (True, "no loss found")
    assert "a passed before and fails now" in comparison.answer


def test_a_model_that_was_not_asked_again_about_its_stored_answers_replaces_no_baseline() -> None:
    before, after = pair_of(2, 2)
    for asked, proven in ((0, False), (20, True)):
        again = AskedAgainRecord(stored=224, asked=asked, seed=1)
        told = after.model_copy(update={"model": after.model.model_copy(update={"asked_again": again})})
        comparison = compare(before, told, margin=0.05)
        assert comparison.proven is proven
        assert ("224 stored answers: not asked again" in comparison.answer) is not proven


def test_accuracy_and_robust_accuracy_below_the_margin_let_the_run_replace_the_baseline() -> None:
    comparison = compare(*pair_of(3, 3), margin=0.05)
    assert {test.verdict for test in (comparison.accuracy, comparison.whole)} == {"no worse"}
    assert comparison.proven
    assert comparison.answer == (
        "may replace the baseline: accuracy 75.0 → 75.0 %, 0.0 points [−1.7, +1.7] of 224 (no worse by 5 points or "
        "more); robust accuracy 71.0 → 71.0 %, 0.0 points [−2.4, +2.4] of 224 (no worse by 5 points or more); 10 "
        "checks are inconclusive against their own limit"
    )


def test_what_the_margin_leaves_open_says_how_many_more_examples_would_decide() -> None:
    comparison = compare(*pair_of(3, 3), margin=0.02)
    assert (comparison.failed, comparison.proven, comparison.inconclusive) == (False, False, True)
    reference = Paired(2, 2, 224).more_to_decide(0.02, 3)
    assert comparison.whole.needed == reference
    assert f"(inconclusive, about {reference} more drawn examples decide in 80 % of cases)" in comparison.answer
    assert compare(*pair_of(16), margin=0.02).inconclusive is False, "it is refused"


def test_robust_is_right_and_broken_by_no_candidate_of_a_check_that_keeps_the_label() -> None:
    tested = ids(*range(8))
    right = {id: number not in (2, 3, 7) for number, id in enumerate(tested)}
    now = {id: number not in (1, 3) for number, id in enumerate(tested)}
    old = record({"a": (tested, ids(0, 2)), "b": (tested, ids(4))}, right=right)
    new = record({"a": (tested, ids(3, 5, 7)), "b": (tested, [])}, right=now)
    whole = compare(old, new).whole
    # Before 0 and 4 are broken, 2, 3 and 7 wrong; now 5 and 7 are broken, 1 and 3 wrong.
    assert (whole.old, whole.new) == pytest.approx((3 / 8, 4 / 8))
    assert whole.estimate.tested == 8
    assert (whole.newly_broken, whole.newly_fixed, whole.still_broken) == (ids(5), ids(0, 4), [])
    assert (whole.newly_wrong, whole.newly_right) == (ids(1), ids(2))
    (a, b) = compare(old, new).checks
    assert (a.newly_broken, a.newly_fixed, a.newly_wrong, a.newly_right) == (ids(5), ids(0), ids(1), ids(2))
    assert (b.newly_broken, b.newly_fixed, b.newly_right) == ([], ids(4), ids(2, 7))
    other = [
        check.model_copy(update={"expectation": {"use": "directional"}}) for check in (old.checks[1], new.checks[1])
    ]
    runs = [run.model_copy(update={"checks": [run.checks[0], b]}) for run, b in zip((old, new), other, strict=True)]
    found = compare(*runs)
    assert found.whole == compare(*(run.model_copy(update={"checks": run.checks[:1]}) for run in runs)).whole
    assert (found.checks[1].newly_fixed, found.checks[1].newly_wrong) == (ids(4), []), "of the rest what fails counts"


def test_robust_accuracy_is_at_most_the_accuracy_of_the_same_examples_however_often_they_were_asked() -> None:
    random = Random(3)
    tested, runs, by_hand = ids(*range(60)), [], []
    for repeat in (4, 2):
        answers = [[random.random() < 0.7 for _ in range(1 + repeat)] for _ in tested]
        right = {id: own[0] for id, own in zip(tested, answers, strict=True)}
        broken = {check: [id for id in tested if right[id] and random.random() < 0.2] for check in "ab"}
        run = record({check: (tested, failing) for check, failing in broken.items()}, right=right)
        examples = [
            example.model_copy(update={"again": (sum(own[1:]), repeat)})
            for example, own in zip(run.examples, answers, strict=True)
        ]
        runs.append(run.model_copy(update={"examples": examples}))
        fractions = [sum(own) / len(own) for own in answers]
        unbroken = [not any(id in failing for failing in broken.values()) for id in tested]
        by_hand.append((sum(fractions) / 60, sum(map(mul, fractions, unbroken)) / 60))
    found = compare(*runs)
    (was, robust), (now, still) = by_hand
    assert (found.accuracy.old, found.accuracy.new) == pytest.approx((was, now))
    assert (found.whole.old, found.whole.new) == pytest.approx((robust, still))
    assert found.whole.estimate.tested == found.accuracy.estimate.tested == 60
    assert robust <= was
    assert still <= now


def test_a_model_that_is_right_only_when_first_asked_has_no_more_robust_accuracy_than_accuracy() -> None:
    asked = Counter[str]()

    def model(texts: Sequence[str]) -> list[str]:
        asked.update(texts)
        return ["good" if asked[text] == 1 or not text.endswith("good") else "bad" for text in texts]

    rows = [{"text": f"Film {number} is good", "label": "good"} for number in range(30)]
    suite = {
        "suite": "films", "repeat": 2, "model": {"use": "python", "call": model, "labels": ["good", "bad"]},
        "checks": {"marks": {"perturb": "punctuation"}},
    }  # fmt: skip
    run = robustfim.run(suite, data=rows).record
    found = compare(run, run)
    assert run.model.accuracy.rate == 1.0
    assert (found.accuracy.new, found.whole.new) == pytest.approx((1 / 3, 1 / 3))


def test_a_step_in_embedding_space_is_no_text_and_breaks_nothing_of_robust_accuracy() -> None:
    tested = ids(*range(8))
    right = dict.fromkeys(tested, True)
    old = record({"steps": (tested, ids(0, 1, 2)), "texts": (tested, ids(2, 3))}, right=right)
    new = record({"steps": (tested, ids(0, 4, 5)), "texts": (tested, ids(3, 5))}, right=right)
    stepped = [
        run.model_copy(
            update={
                "failures": [
                    failure.model_copy(
                        update={"step": StepRecord(direction="top", norm=1.0)} if failure.check == "steps" else {}
                    )
                    for failure in run.failures
                ]
            }
        )
        for run in (old, new)
    ]
    found = compare(*stepped)
    assert (found.whole.newly_broken, found.whole.newly_fixed, found.whole.still_broken) == (ids(5), ids(2), ids(3))
    assert (found.checks[0].newly_broken, found.checks[0].newly_fixed) == (ids(4, 5), ids(1, 2)), "its own check counts"


def test_examples_without_a_gold_label_among_others_are_not_compared_and_an_abstention_is_not_right() -> None:
    tested = ids(*range(40))
    old = record({"a": (tested, [])}, right=dict.fromkeys(tested, True))
    taken = [example.model_copy(update={"label": None, "correct": None}) for example in old.examples[:10]]
    blank = old.model_copy(update={"examples": [*taken, *old.examples[10:]]})
    assert compare(blank, blank).whole.estimate.tested == compare(blank, blank).checks[0].estimate.tested == 30
    silent = [example.model_copy(update={"prediction": ABSTAINS, "correct": False}) for example in old.examples]
    found = compare(old, old.model_copy(update={"examples": silent}), margin=0.05)
    assert (found.whole.new, found.whole.verdict, found.accuracy.verdict) == (0.0, "worse", "worse")
    unlabelled = [example.model_copy(update={"label": None, "correct": None}) for example in old.examples]
    before = old.model_copy(update={"examples": unlabelled})
    after = [example.model_copy(update={"prediction": ABSTAINS}) for example in unlabelled]
    assert compare(before, before.model_copy(update={"examples": after}), margin=0.05).whole.new == 0.0


@pytest.mark.parametrize("counts", ["broken", "changes"])
def test_a_check_is_compared_over_the_texts_that_either_run_reached(counts: str) -> None:
    tested = ids(*range(100))
    right = dict.fromkeys(tested, True)
    wrong = {**right, **dict.fromkeys(tested[:20], False)}
    everything: dict[str, tuple[list[str], list[str]]] = {"all": (tested, [])}
    old = record({**everything, "few": (tested[:30], [])}, right=right, counts=counts)
    new = record({**everything, "few": (tested[20:40], tested[20:32])}, right=wrong, counts=counts)
    (_, few) = compare(old, new).checks
    assert (few.estimate.tested, few.lost) == (40, 0), "a wrong example is not tested, and known"
    assert (len(few.newly_wrong), len(few.newly_broken)) == (20, 12)
    assert few.estimate.rate == pytest.approx(32 / 40)
    right_now = record({**everything, "few": (tested[20:40], [])}, right=right, counts=counts)
    (_, few) = compare(old, right_now).checks
    assert (few.estimate.tested, few.lost, few.small) == (20, 20, True), (
        "what is right and was tested, and no longer is"
    )


def test_a_loss_of_few_texts_is_found_and_checks_of_fewer_texts_are_named() -> None:
    tested = ids(*range(1000))
    right = dict.fromkeys(tested, True)
    old = record({"all": (tested, []), "rare": (tested[:50], []), "few": (tested[:12], [])}, right=right)
    lost = record({"all": (tested, []), "rare": (tested[:50], tested[:20]), "few": (tested[:12], [])}, right=right)
    found = compare(old, lost, margin=0.05)
    assert [check.verdict for check in found.checks] == ["no loss found", "worse", "no loss found"]
    assert (found.whole.verdict, found.failed) == ("no worse", True), "two points in all"
    same = compare(old, old, margin=0.05)
    assert [check.small for check in same.checks] == [False, False, True]
    assert same.proven
    assert same.answer.endswith("; too few texts to exclude a loss of 10 points in few (12)")


def test_a_check_with_a_budget_is_no_sample_and_proves_no_release() -> None:
    tested = ids(*range(300))
    right = dict.fromkeys(tested, True)
    old = record({"a": (tested, []), "b": (tested, [])}, right=right)
    stops = BudgetRecord(most=300, drawn=200, saved=0)
    early = [old.checks[0], old.checks[1].model_copy(update={"budget": stops, "examples": tested[:200]})]
    found = compare(old, old.model_copy(update={"checks": early}), margin=0.05)
    assert (found.proven, found.whole.verdict, found.checks[1].estimate.tested) == (False, "inconclusive", 200)
    assert "a budget stops b by the examples that fail" in found.answer


def test_a_run_that_leaves_out_a_check_of_the_baseline_proves_nothing_of_it() -> None:
    old, new = pair_of(0)
    left = new.model_copy(update={"checks": new.checks[:-1]})
    comparison = compare(old, left, margin=0.05)
    assert not comparison.proven
    assert comparison.answer.startswith("not proved to be no worse than the baseline: accuracy 75.0 → 75.0 %")
    assert comparison.answer.endswith("; not tested: c8")
    assert comparison.inconclusive


def test_an_example_that_one_check_broke_before_and_another_breaks_now_is_no_loss_as_a_whole() -> None:
    tested = ids(*range(30))
    comparison = compare(
        record({"a": (tested, tested[:6]), "b": (tested, [])}), record({"a": (tested, []), "b": (tested, tested[:6])})
    )
    assert (comparison.whole.newly_broken, comparison.whole.newly_fixed) == ([], [])
    assert len(comparison.whole.still_broken) == 6
    assert comparison.checks[1].verdict != "worse", "Holm's correction of 6 against 0"


def test_the_worst_check_comes_first() -> None:
    tested = ids(*range(100))
    new = {"a": (tested, []), "b": (tested, tested[:3]), "c": (tested, tested[:30])}
    same: dict[str, tuple[list[str], list[str]]] = {name: (tested, []) for name in new}
    comparison = compare(record(same), record(new, outcome=Outcome.PASSED))
    assert [check_comparison.id for check_comparison in comparison.worst_first] == ["c", "b", "a"]


def test_comparing_a_record_with_itself_finds_nothing() -> None:
    same = record({name: (ids(*range(9)), ids(1, 2)) for name in "abc"})
    comparison = compare(same, same, fail_on="new")
    assert not comparison.failed
    assert list(itertools.chain.from_iterable(check.newly_broken for check in comparison.checks)) == []


# ---- accuracy -----------------------------------------------------------------------------------------


def of_accuracy(before: int, after: int, *, labelled: tuple[bool, bool] = (True, True)) -> tuple[Record, Record]:
    """Two runs of 500 examples whose one check finds nothing: so many right before, and so many others now."""
    tested = ids(*range(500))
    checks: dict[str, tuple[list[str], list[str]]] = {"toy.yaml::a": (tested, [])}
    rights = ({id: number < before for number, id in enumerate(tested)}, dict.fromkeys(tested, False))
    rights[1].update(dict.fromkeys(tested[500 - after :], True))
    old, new = (record(checks, right=right if known else None) for right, known in zip(rights, labelled, strict=True))
    return old, new


def test_a_candidate_with_swapped_labels_does_not_replace_the_baseline_though_it_fails_no_check() -> None:
    comparison = compare(*of_accuracy(382, 118), margin=0.05)
    assert (comparison.failed, comparison.proven) == (True, False)
    assert (comparison.accuracy.old, comparison.accuracy.new) == pytest.approx((0.764, 0.236))
    assert (comparison.accuracy.newly_wrong, comparison.accuracy.newly_right) == (382, 118)
    loss = "accuracy 76.4 → 23.6 %, −52.8 points [−59.8, −45.0] of 500 (worse)"
    assert comparison.answer.startswith(f"does not replace the baseline: {loss}; robust {loss}; worse in a: ")
    assert comparison.reasons[:2] == [loss, f"robust {loss}"]


def test_the_accuracy_interval_is_that_of_paired_failures() -> None:
    comparison = compare(*of_accuracy(300, 260), margin=0.05)
    reference = Paired(240, 200, 500)
    assert comparison.accuracy.estimate.interval == reference.interval
    assert comparison.accuracy.estimate.rate == reference.difference == pytest.approx(0.08)
    assert comparison.accuracy.verdict == "inconclusive"
    assert comparison.accuracy.p_value == pytest.approx(2 * reference.p_value), "Holm: the check is found first"


def test_without_gold_labels_a_run_fails_no_more_often_and_never_may_replace() -> None:
    comparison = compare(*pair_of(2, 2, labelled=False), margin=0.05)
    assert (comparison.failed, comparison.proven) == (False, False)
    assert comparison.answer == (
        "fails no more often than the baseline: accuracy not compared (no gold labels); share that does not fail 94.6 "
        "→ 94.6 %, 0.0 points [−2.4, +2.4] of 224 (no worse by 5 points or more); 10 checks are inconclusive against "
        "their own limit"
    )


@pytest.mark.parametrize(("labelled", "who"), [((True, False), "the baseline"), ((False, True), "this run")])
def test_labels_that_one_run_lacks_leave_the_release_unproved(labelled: tuple[bool, bool], who: str) -> None:
    comparison = compare(*of_accuracy(400, 400, labelled=labelled), margin=0.05)
    assert not comparison.proven
    assert comparison.answer.startswith(
        f"not proved to be no worse than the baseline: accuracy not compared (only {who} has gold labels)"
    )


def test_labelled_examples_that_the_model_does_not_answer_are_told_as_such() -> None:
    old, new = of_accuracy(400, 400)
    silent = new.model_copy(
        update={"examples": [example.model_copy(update={"correct": None}) for example in new.examples]}
    )
    comparison = compare(old, silent, margin=0.05)
    assert not comparison.proven
    assert comparison.accuracy.missing == "the model of this run gave no answer"


def test_an_example_whose_gold_label_changed_is_not_the_same_example() -> None:
    old, new = of_accuracy(500, 500)
    other = [example.model_copy(update={"label": "negative"}) for example in new.examples[:20]]
    comparison = compare(old, new.model_copy(update={"examples": [*other, *new.examples[20:]]}))
    assert comparison.accuracy.estimate.tested == 480


def halved(run: Record, **data: Any) -> Record:
    """The run on the first half of its data: what it tested of the other half is gone, too."""
    kept = {example.id for example in run.examples[: len(run.examples) // 2]}
    return run.model_copy(
        update={
            "data": run.data.model_copy(update=data),
            "examples": [example for example in run.examples if example.id in kept],
            "checks": [
                check.model_copy(update={"examples": [example for example in check.examples if example in kept]})
                for check in run.checks
            ],
        }
    )


def test_data_that_lack_examples_of_the_baseline_prove_nothing_of_them() -> None:
    old, new = of_accuracy(400, 400)
    same = old.model_copy(update={"started": new.started})
    assert compare(old, same, margin=0.05).proven
    comparison = compare(old, halved(same), margin=0.05)
    assert (comparison.proven, comparison.failed, comparison.inconclusive) == (False, False, True)
    assert (comparison.accuracy.verdict, comparison.accuracy.estimate.tested, comparison.accuracy.lost) == (
        "inconclusive",
        250,
        250,
    )
    assert (comparison.whole.verdict, comparison.whole.lost, comparison.whole.needed) == ("inconclusive", 250, None)
    assert comparison.checks[0].lost == 250
    assert comparison.answer == (
        "not proved to be no worse than the baseline, 250 of 500 compared: accuracy 100.0 → 100.0 %, 0.0 points "
        "[−1.5, +1.5] of 250 (inconclusive, 250 others that the baseline answers have no answer or label here); robust "
        "accuracy 100.0 → 100.0 %, 0.0 points [−1.5, +1.5] of 250 (inconclusive, 250 others that the baseline tested "
        "are not); what only the baseline holds or tested counts as lost: run its model on these data and accept that; "
        "too few texts to exclude a loss of 10 points in a (250, 250 lost)"
    )


def test_data_that_lack_few_examples_of_the_baseline_are_proved_where_the_margin_bears_their_loss() -> None:
    old, _ = of_accuracy(400, 400)
    fewer = old.model_copy(update={"examples": old.examples[5:]})
    for margin in (0.02, 0.03):
        reference = Paired(5, 0, 500).is_no_worse(margin)
        assert reference == (margin > 0.025)
        assert compare(old, fewer, margin=margin).proven == reference


def test_the_first_rows_of_a_file_are_compared_and_prove_nothing_of_the_rest() -> None:
    old, _ = of_accuracy(400, 400)
    asked = compare(old, halved(old, options={"limit": 250}), margin=0.05)
    assert (asked.proven, asked.failed, asked.accuracy.lost, asked.checks[0].lost) == (False, False, 0, 0)
    assert asked.headline == "not proved to be no worse than the baseline, 250 of 500 compared"
    assert "the suite reads the first 250 rows and the baseline read more" in asked.answer
    fewer = halved(old, options={"limit": 250})
    assert compare(fewer, fewer, margin=0.05).proven, "a baseline of the same rows"
    assert any("the data differ" in note for note in asked.notes)
    assert not compare(old, halved(old, options={"limit": 400}), margin=0.05).proven, "150 of the 400 are missing"
    for limit, lost in ((499, 0), (500, 1), (600, 1)):
        data = old.data.model_copy(update={"options": {"limit": limit}})
        one_less = old.model_copy(update={"examples": old.examples[1:], "data": data})
        assert compare(old, one_less, margin=0.05).accuracy.lost == lost


@pytest.mark.parametrize("taken", [{"label": None, "correct": None}, {"correct": None}, {"label": "negative"}])
def test_examples_without_the_label_or_the_answer_that_the_baseline_has_are_lost(taken: dict[str, Any]) -> None:
    old, _ = of_accuracy(400, 400)
    some = [example.model_copy(update=taken) for example in old.examples[:250]]
    for options in ({}, {"limit": 250}):
        data = old.data.model_copy(update={"options": options})
        run = old.model_copy(update={"examples": [*some, *old.examples[250:]], "data": data})
        comparison = compare(old, run, margin=0.05)
        assert (comparison.proven, comparison.accuracy.lost) == (False, 250)
        assert comparison.whole.lost == comparison.checks[0].lost == 250


def test_an_example_that_was_not_drawn_again_is_not_lost() -> None:
    old, _ = of_accuracy(400, 400)
    drawn = [check.model_copy(update={"examples": check.examples[:250]}) for check in old.checks]
    comparison = compare(old, old.model_copy(update={"checks": drawn}), margin=0.05)
    assert (comparison.proven, comparison.checks[0].only_before, comparison.checks[0].lost) == (True, 250, 0)


def test_accuracy_counts_clusters_as_what_they_are_worth() -> None:
    old, new = of_accuracy(500, 480)
    clustered = [
        example.model_copy(update={"cluster": str(number // 10)}) for number, example in enumerate(new.examples)
    ]
    plain, found = (compare(old, run) for run in (new, new.model_copy(update={"examples": clustered})))
    assert found.accuracy.estimate.rate == pytest.approx(0.04)
    low, high = (run.accuracy.estimate.ends[0] for run in (found, plain))
    assert low < high, "two clusters of fifty are wrong, not 20 of 500"
    before = [
        example.model_copy(update={"cluster": named.cluster})
        for example, named in zip(old.examples, clustered, strict=True)
    ]
    dropped = compare(old.model_copy(update={"examples": before}), new)
    assert (dropped.accuracy, dropped.whole) == (found.accuracy, found.whole), "the new run names no clusters"


def test_a_run_that_went_wrong_at_its_end_says_how() -> None:
    old, new = pair_of(0)
    comparison = compare(old, new.model_copy(update={"message": "--max-calls 5 is used up."}), margin=0.05)
    assert not comparison.proven
    assert comparison.answer.endswith("; --max-calls 5 is used up")


def erring(wrong: list[str], limit: float | None = 0.5, number: int = 200) -> Record:
    """A record of a check that no text fails, and of what its decision misses."""
    tested = ids(*range(number))
    missed = ErrorRecord(tested=number, failing=len(wrong), limit=limit, examples=tested, wrong=wrong)
    return record({"a": (tested, [])}, outcome=Outcome.PASSED, errors={"missed": missed})


def test_what_is_newly_missed_fails_a_run_whose_decisions_never_change() -> None:
    found = compare(erring(ids(0, 1)), erring(ids(*range(1, 20))), margin=0.02)
    missed = found.checks[0].errors["missed"]
    assert (missed.newly_broken, missed.newly_fixed, missed.still_broken) == (ids(*range(2, 20)), ids(0), ids(1))
    assert missed.estimate.rate == Paired(18, 1, 200).difference
    assert missed.estimate.interval == Paired(18, 1, 200).interval
    # All checks together, the check and this kind of error are the family, no accuracy: each has a third of the level.
    assert missed.p_value == pytest.approx(3 * Paired(18, 1, 200).p_value)
    assert (missed.verdict, found.checks[0].verdict, found.whole.verdict) == ("worse", "no loss found", "no worse")
    assert found.failed
    assert found.checks[0].regressed
    assert "worse in 'missed' of a" in found.reasons


def test_an_error_without_a_limit_is_told_and_fails_nothing() -> None:
    found = compare(erring([], None), erring(ids(*range(30)), None), margin=0.02)
    assert found.checks[0].errors["missed"].verdict == "not gated"
    assert len(found.checks[0].errors["missed"].newly_broken) == 30
    assert not found.failed


def test_texts_whose_gold_label_became_another_are_not_matched() -> None:
    before, after = erring([]), erring(ids(5), number=100)
    assert compare(before, after).checks[0].errors["missed"].estimate.tested == 100


def test_every_report_shows_the_errors_beside_their_check(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    suite = tmp_path / "suite.yaml"
    suite.write_text(
        "suite: guard\nmodel: {use: reference/fasttext, decide: {label: negative, at: 0.7}}\n"
        "data: {use: reviews, limit: 100}\n"
        "checks: {typos: {perturb: {use: typos, candidates: 2}, limit: {missed: 0.99, false_alarm: 0.99}}}\n",
        encoding="utf-8",
    )
    reports = ["--reports", str(tmp_path / "reports"), "--fail-on", "new"]
    for more in ([], ["--model", "decide.at=0.9", "--baseline", str(tmp_path / "before" / "results.json")]):
        junit, page = tmp_path / "junit.xml", tmp_path / "page.html"
        with pytest.raises(SystemExit) as ended:
            main(["run", str(suite), *reports, "--junit-xml", str(junit), "--html", str(page), *more])
        if not more:
            assert ended.value.code == 0
            (tmp_path / "reports" / "guard").rename(tmp_path / "before")
            capsys.readouterr()
    assert ended.value.code == 1, "at 0.9 more is missed"
    found = Record.load(tmp_path / "reports" / "guard" / "results.json").comparisons[0].checks[0].errors
    assert (found["missed"].verdict, len(found["false_alarm"].newly_broken)) == ("worse", 0)
    line = told(found["missed"], "right")
    assert re.search(rf" missed WORSE {re.escape(line)}, p = ", unbroken(capsys.readouterr().out))
    assert line in junit.read_text(encoding="utf-8")
    assert '<th scope="row" class="kind">missed</th><td>worse</td>' in page.read_text(encoding="utf-8")


def strata(drawn: dict[str, list[str]]) -> SelectionRecord:
    """Ten hard examples and ninety others, of each of which ten were drawn."""
    return SelectionRecord(by="margin", strata={"stratum 1": 10, "stratum 2": 90}, drawn=drawn)


def test_what_both_runs_drew_from_the_same_strata_is_compared_as_what_it_stands_for() -> None:
    hard, easy = ids(*range(10)), ids(*range(10, 20))
    tested = hard + easy
    whole = {"selection": strata({"stratum 1": hard, "stratum 2": easy})}
    was, now = record({"a": (tested, hard[:3])}), record({"a": (tested, [*hard[2:7], easy[0]])})
    before, after = was.model_copy(update=whole), now.model_copy(update=whole)
    (found,), (note,) = compare(before, after).checks, compare(before, after).notes
    assert note.startswith("shares and differences are those of the data")
    assert found.estimate.rate == pytest.approx(0.1 * (4 - 2) / 10 + 0.9 * 1 / 10)
    expected = stratified_pairs([10, 90], [10, 10], [10, 10], [4, 1], [2, 0])
    assert found.estimate.interval == expected.interval
    assert (found.estimate.tested, len(found.newly_broken), len(found.newly_fixed)) == (20, 5, 2)
    other = now.model_copy(update={"selection": strata({"stratum 1": easy, "stratum 2": hard})})
    assert compare(before, other).checks == [found], "the same examples, by the baseline's draw"
    named = dict.fromkeys(hard[:5], "one") | dict.fromkeys(easy[:5], "two")
    alike = [ExampleRecord(id=id, fields={}, cluster=named.get(id)) for id in tested]
    (clustered,) = compare(before, after.model_copy(update={"examples": alike})).checks
    changes = {**dict.fromkeys([*hard[3:7], easy[0]], 1.0), **dict.fromkeys(hard[:2], -1.0)}
    weights = dict.fromkeys(hard, 1.0) | dict.fromkeys(easy, 9.0)
    halves = {id: (1 + changes.get(id, 0.0)) / 2 for id in tested}
    low, high = Mean.of(halves, named, weights=weights, usual=0.5).interval
    assert clustered.estimate.rate == pytest.approx(found.estimate.rate)
    assert clustered.estimate.interval == pytest.approx((2 * low - 1, 2 * high - 1))


def test_two_arms_weigh_as_much_of_the_data_as_they_stand_for() -> None:
    hard, rest = ids(*range(10)), ids(*range(10, 30))
    drawn = SelectionRecord(by="margin", difficult=10, control=20)
    right = dict.fromkeys(hard + rest, True)
    old = record({"a": (hard + rest, hard[:1])}, right=right)
    new = record({"a": (hard + rest, [*hard[1:4], *rest[:2]])}, right=right)
    arms = dict.fromkeys(hard, "difficult") | dict.fromkeys(rest, "control")
    runs = [
        run.model_copy(
            update={
                "selection": drawn,
                "data": DataRecord(use="rows", examples=200),
                "examples": [example.model_copy(update={"arm": arms[example.id]}) for example in run.examples],
            }
        )
        for run in (old, new)
    ]
    found = compare(*runs)
    expected = stratified_pairs([10, 190], [10, 20], [10, 20], [3, 2], [1, 0])
    assert found.whole.estimate.interval == found.checks[0].estimate.interval == expected.interval
    assert found.whole.estimate.rate == pytest.approx(0.05 * 2 / 10 + 0.95 * 2 / 20)
    assert found.whole.old == pytest.approx(1 - 0.05 * 1 / 10)
    one_less = [example for example in runs[1].examples if example.id != rest[-1]]
    fewer = runs[1].model_copy(update={"examples": one_less})
    lost = compare(runs[0], fewer, margin=0.5).whole
    assert lost.lost == 1
    assert lost.estimate.interval == stratified_pairs([10, 190], [10, 20], [10, 19], [3, 2], [1, 0]).interval


def test_a_baseline_that_counted_changes_is_counted_again_where_an_answer_is_one_label_and_named_elsewhere() -> None:
    tested = ids(*range(200))
    right = {id: number % 4 > 0 for number, id in enumerate(tested)}
    at_risk = [id for id in tested if right[id]]
    model = ModelRecord(use="toy", labels=["negative", "positive"])
    old, new = record({"a": (tested, tested[:60])}, right=right), record({"a": (at_risk, at_risk[:45])}, right=right)
    drawn = [example.model_copy(update={"arm": "all"}) for example in old.examples]
    old, new = (run.model_copy(update={"model": model, "examples": drawn}) for run in (old, new))
    new.checks[0] = new.checks[0].model_copy(update={"counts": "broken"})
    found = compare(old, new, margin=0.05)
    assert not found.checks[0].other_tests
    assert (found.checks[0].estimate.tested, found.whole.estimate.tested) == (150, 200), (
        "what is wrong in both is not reached"
    )
    assert found.whole.estimate.rate == found.checks[0].estimate.rate == 0.0, "45 of the 60 were right"
    assert found.proven
    spans = new.model_copy(update={"model": ModelRecord(use="toy", labels=["person"])})
    found = compare(old.model_copy(update={"model": spans.model}), spans, margin=0.05)
    assert (found.checks[0].other_tests, found.proven) == (True, False)
    assert any(
        "a counts broken and the baseline changes, of answers that are no single" in note for note in found.notes
    )


@pytest.mark.parametrize("allowed", [False, True])
@pytest.mark.parametrize("verdict", ["positive", "inconclusive", "negative", "does not apply"])
def test_a_model_whose_answers_are_not_shown_to_follow_the_labels_replaces_nothing(verdict: Any, allowed: bool) -> None:
    run = record({"a": (tested := ids(*range(100)), [])}, right=dict.fromkeys(tested, True))
    weak = AssociationRecord(verdict=verdict, allowed=allowed)
    found = compare(run, run.model_copy(update={"model": ModelRecord(use="toy", association=weak)}), margin=0.1)
    assert (found.whole.verdict, found.accuracy.verdict) == ("no worse", "no worse")
    assert found.proven is (allowed or verdict in ("positive", "does not apply"))
    assert found.answer.endswith(weak.doubt)
    assert bool(weak.doubt) is not found.proven


@pytest.mark.parametrize("broken", ["before", "after"])
def test_a_check_that_ended_with_an_error_is_an_error_and_not_worse(broken: str) -> None:
    tested = ids(*range(60))
    known = dict.fromkeys(tested, True)
    runs = {
        "before": record({"a": (tested, []), "b": (tested, [])}, right=known),
        "after": record({"a": (tested, []), "b": (tested[:30], tested[:30])}, right=known),
    }
    checks = runs[broken].checks
    error = checks[1].model_copy(update={"outcome": Outcome.ERROR, "perturbation": {"use": "unknown"}})
    runs[broken] = runs[broken].model_copy(update={"checks": [checks[0], error]})
    found = compare(runs["before"], runs["after"], margin=0.3)
    assert (found.checks[1].verdict, found.whole.newly_broken, found.proven) == ("no loss found", [], False)
    assert found.failed is (broken == "after")
    assert not any("settings" in note for note in found.notes)
    assert "worse in b" not in found.answer
