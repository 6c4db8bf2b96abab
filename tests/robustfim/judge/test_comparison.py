import itertools
import re
from pathlib import Path
from typing import Any

import pytest

from robustfim.cli import main
from robustfim.errors import UsageError
from robustfim.judge.comparison import compare
from robustfim.judge.release_sentence import told
from robustfim.outcome import Outcome
from robustfim.record import (
    AskedAgainRecord,
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
)
from robustfim.statistics.clusters import stratified_effect
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
                **{"outcome": Outcome.FAILED if failing else Outcome.PASSED, **check},
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
    assert found.matched == 6
    assert found.difference == pytest.approx(1 / 6)


def test_examples_that_only_one_run_tested_do_not_count() -> None:
    found = compare(record({"a": (ids(0, 1, 2), [])}), record({"a": (ids(1, 2, 3), ids(3))})).checks[0]
    assert found.newly_broken == []
    assert (found.matched, found.only_before, found.only_after) == (2, 1, 1)


def test_the_p_value_is_mcnemars_exact_test() -> None:
    # Nine discordant pairs, eight of them broken: 2 · (C(9,8) + C(9,9)) / 2⁹.
    tested = ids(*range(50))
    found = compare(record({"a": (tested, ids(40))}), record({"a": (tested, ids(*range(8)))})).checks[0]
    assert found.p_value == pytest.approx(2 * (9 + 1) / 2**9)
    assert found.regressed


def test_many_checks_are_corrected_by_holm() -> None:
    tested = ids(*range(50))
    names = [f"c{number}" for number in range(3)]
    old = record({name: (tested, ids(40)) for name in names})
    new = record({"c0": (tested, ids(*range(8))), "c1": (tested, ids(40)), "c2": (tested, ids(40))})
    found = compare(old, new).checks
    assert found[0].p_value == pytest.approx(3 * 2 * 10 / 2**9)
    assert not found[0].regressed


def test_checks_that_are_set_otherwise_take_no_part_of_the_level_and_stay_inconclusive() -> None:
    tested = ids(*range(50))
    old = record({name: (tested, ids(40)) for name in "abcd"})
    new = record({"a": (tested, ids(*range(8))), **{name: (tested, ids(40)) for name in "bcd"}}, margin=0.2)
    for otherwise in (["c", "d"], ["b", "c", "d"], ["a", "b", "c", "d"]):
        changed = [
            check.model_copy(update={"perturbation": {"use": "other"}}) if check.name in otherwise else check
            for check in new.checks
        ]
        found = compare(old, new.model_copy(update={"checks": changed}))
        left = [each for each in old.checks if each.name not in otherwise]
        if left:
            alone = compare(old.model_copy(update={"checks": left}), new)
            assert found.checks[: len(left)] == alone.checks, "as if they were not there"
        for each in found.checks[len(left) :]:
            assert (each.verdict, each.other_tests, each.regressed) == ("inconclusive", True, False)
        assert (found.whole.verdict == "worse") is bool(left)
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
    assert (found.difference, found.interval, found.p_value) == (None, None, 1.0)


def test_another_suite_is_refused() -> None:
    with pytest.raises(UsageError, match="suite 'other'"):
        compare(record({"a": ([], [])}, suite="other"), record({"a": ([], [])}))


def test_records_without_a_common_check_are_refused() -> None:
    with pytest.raises(UsageError, match="no check in common"):
        compare(record({"a": ([], [])}), record({"b": ([], [])}))


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


def test_eight_broken_and_none_fixed_do_not_replace_the_baseline_though_holm_hides_them_in_ten_checks() -> None:
    comparison = compare(*pair_of(8))
    check = comparison.checks[0]
    assert check.p_value == pytest.approx(2 * 10 * 2 / 2**8), "accuracy and the checks are left, of which it is a tenth"
    assert check.verdict == "measured"
    assert comparison.whole.verdict == "worse"
    assert (comparison.failed, comparison.proven) == (True, False)
    assert comparison.answer == (
        "does not replace the baseline: accuracy 75.0 → 75.0 %, 0.0 points [−1.7, +1.7] of 224; worse over all checks "
        "(8 newly broken, 0 newly fixed, 10 still broken of 224; "
        "+3.6 points [+1.8, +6.9])"
    )


def test_without_a_margin_the_answer_is_the_numbers_and_no_release_verdict() -> None:
    comparison = compare(*pair_of(2, 2))
    assert (comparison.failed, comparison.proven) == (False, False)
    assert comparison.answer == (
        "accuracy 75.0 → 75.0 %, 0.0 points [−1.7, +1.7] of 224; 0.0 points more failures [−2.4, 2.4]; no margin is set"
    )
    fewer = compare(*pair_of(2, 14))
    assert fewer.answer.endswith("; 5.4 points fewer failures [2.1, 9.5]; no margin is set")
    assert {test.verdict for test in (fewer.accuracy, fewer.whole, *fewer.checks)} == {"measured"}


@pytest.mark.parametrize(
    "easier",
    [{"perturbation": {"use": "typos", "candidates": 1}}, {"constraints": [{"use": "x"}]}, {"fails": "all"}],
)
def test_a_check_that_asks_something_else_than_in_the_baseline_proves_nothing(easier: dict[str, Any]) -> None:
    before, after = pair_of(0, 20)
    assert compare(before, after, margin=0.05).proven
    changed = after.checks[0].model_copy(update=easier)
    comparison = compare(before, after.model_copy(update={"checks": [changed, *after.checks[1:]]}), margin=0.05)
    assert (comparison.proven, comparison.failed, comparison.inconclusive) == (False, False, True)
    assert comparison.answer.startswith("not proved to be no worse than the baseline: ")
    assert comparison.answer.endswith("; inconclusive in a")
    assert [each.verdict for each in (comparison.whole, *comparison.checks[:2])] == ["inconclusive"] * 2 + ["no worse"]
    assert any("run the suite with the baseline's model and accept that" in note for note in comparison.notes)


def test_a_check_whose_texts_are_made_with_something_else_proves_nothing_unless_a_lock_holds_them() -> None:
    old, new = pair_of(0, others=1)
    new.checks[0] = new.checks[0].model_copy(update={"resources": {"lexicon": "2"}})
    comparison = compare(old, new, margin=0.05)
    assert [check.verdict for check in comparison.checks] == ["inconclusive", "no worse"]
    assert (comparison.proven, comparison.failed, comparison.whole.verdict) == (False, False, "inconclusive")
    assert compare(old, new, margin=0.001).checks[0].needed is None, "no number of examples would decide"
    locked = [run.model_copy(update={"lock": "a"}) for run in (old, new)]
    assert compare(*locked, margin=0.05).proven
    assert not compare(locked[0], new.model_copy(update={"lock": "b"}), margin=0.05).proven


@pytest.mark.parametrize("margin", [None, 0.05])
@pytest.mark.parametrize(
    "other", [{"resources": {"lexicon": "2"}}, {"perturbation": {"use": "typos", "candidates": 9}}]
)
def test_a_loss_in_other_tests_is_no_loss_of_the_model(other: dict[str, Any], margin: float | None) -> None:
    old, new = pair_of(60, others=0)
    assert compare(old, new, margin=margin).checks[0].verdict == "worse"
    new.checks[0] = new.checks[0].model_copy(update=other)
    comparison = compare(old, new, margin=margin)
    verdict = "measured" if margin is None else "inconclusive"
    assert [each.verdict for each in (comparison.whole, *comparison.checks)] == [verdict] * 2
    assert (comparison.failed, comparison.proven, comparison.inconclusive) == (False, False, margin is not None)
    assert comparison.checks[0].other_tests
    assert any("neither worse nor no worse" in note for note in comparison.notes)


def test_a_loss_of_the_checks_that_test_as_before_is_found_beside_one_that_does_not() -> None:
    old, new = pair_of(60, others=2)
    changed = [new.checks[0], new.checks[1].model_copy(update={"fails": "all"}), *new.checks[2:]]
    comparison = compare(old, new.model_copy(update={"checks": changed}), margin=0.05)
    assert [each.verdict for each in (comparison.whole, *comparison.checks)] == ["worse"] * 2 + [
        "inconclusive",
        "no worse",
    ]
    assert "worse over all checks (60 newly broken" in comparison.answer


def test_a_check_that_passed_and_fails_now_fails_the_run_whatever_it_tests() -> None:
    old = record({"a": (ids(*range(40)), [])}, outcome=Outcome.PASSED, limit=0.5)
    new = record(
        {"a": (ids(*range(40)), ids(*range(40)))}, outcome=Outcome.FAILED, limit=0.5, perturbation={"use": "x"}
    )
    comparison = compare(old, new)
    assert (comparison.failed, comparison.checks[0].verdict) == (True, "measured")
    assert "a passed before and fails now" in comparison.answer


def test_a_model_that_was_not_asked_again_about_its_stored_answers_replaces_no_baseline() -> None:
    before, after = pair_of(2, 2)
    for asked, proven in ((0, False), (20, True)):
        again = AskedAgainRecord(stored=224, asked=asked, seed=1)
        told = after.model_copy(update={"model": after.model.model_copy(update={"asked_again": again})})
        comparison = compare(before, told, margin=0.05)
        assert comparison.proven is proven
        assert ("224 stored answers: not asked again" in comparison.answer) is not proven


def test_a_margin_that_every_interval_stays_below_lets_the_run_replace_the_baseline() -> None:
    comparison = compare(*pair_of(2, 2), margin=0.05)
    assert {test.verdict for test in (comparison.accuracy, *comparison.checks)} == {"no worse"}
    assert comparison.proven
    assert comparison.answer == (
        "may replace the baseline: accuracy 75.0 → 75.0 %, 0.0 points [−1.7, +1.7] of 224 (no worse by 5 points or "
        "more); no worse by 5 points or more in each of 10 checks; 10 checks are inconclusive against their own limit"
    )
    passed = [check.model_copy(update={"outcome": Outcome.PASSED}) for check in pair_of(2, 2)[1].checks]
    alone = compare(pair_of(2, 2)[0], pair_of(2, 2)[1].model_copy(update={"checks": passed}), margin=0.05)
    assert alone.answer.endswith("in each of 10 checks")


def test_an_inconclusive_test_says_how_many_more_matched_examples_would_decide() -> None:
    comparison = compare(*pair_of(2, 2), margin=0.02)
    check = comparison.checks[0]
    assert (check.verdict, check.fails, comparison.failed, comparison.proven) == ("inconclusive", False, False, False)
    assert check.needed == 291
    assert comparison.answer == (
        "not proved to be no worse than the baseline: accuracy 75.0 → 75.0 %, 0.0 points [−1.7, +1.7] of 224 (no worse "
        "by 2 points or more); inconclusive in a: about 291 more matched examples decide in 80 % of cases"
    )


def test_an_inconclusive_loss_above_the_margin_is_inconclusive() -> None:
    comparison = compare(*pair_of(9, 3), margin=0.02)
    assert comparison.whole.verdict == comparison.checks[0].verdict == "inconclusive"
    assert (comparison.failed, comparison.proven, comparison.inconclusive) == (False, False, True)


def test_what_is_proved_what_is_refused_and_what_has_no_margin_is_not_inconclusive() -> None:
    assert compare(*pair_of(2, 2), margin=0.05).inconclusive is False
    assert compare(*pair_of(8), margin=0.02).inconclusive is False
    assert compare(*pair_of(2, 2)).inconclusive is False


def test_a_check_has_a_margin_of_its_own() -> None:
    old, new = pair_of(2, 2, others=1)
    checks = [new.checks[0].model_copy(update={"margin": 0.001}), new.checks[1]]
    comparison = compare(old, new.model_copy(update={"checks": checks, "margin": 0.05}))
    assert [each.margin for each in comparison.checks] == [0.001, 0.05]
    assert [each.verdict for each in comparison.checks] == ["inconclusive", "no worse"]


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
    assert [each.id for each in comparison.worst_first] == ["c", "b", "a"]


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
    assert [check.verdict for check in comparison.checks] == ["no worse"]
    assert (comparison.failed, comparison.proven) == (True, False)
    assert (comparison.accuracy.before, comparison.accuracy.after) == (0.764, 0.236)
    assert (comparison.accuracy.newly_wrong, comparison.accuracy.newly_right) == (382, 118)
    assert comparison.answer == (
        "does not replace the baseline: accuracy 76.4 → 23.6 %, −52.8 points [−59.8, −45.0] of 500 (worse)"
    )
    assert comparison.reasons == ["accuracy 76.4 → 23.6 %, −52.8 points [−59.8, −45.0] of 500 (worse)"]


def test_the_accuracy_interval_is_that_of_paired_failures() -> None:
    comparison = compare(*of_accuracy(300, 260), margin=0.05)
    reference = Paired(240, 200, 500)
    assert comparison.accuracy.interval == reference.interval
    assert comparison.accuracy.difference == reference.difference == pytest.approx(0.08)
    assert comparison.accuracy.verdict == "inconclusive"
    assert comparison.accuracy.p_value == pytest.approx(2 * reference.p_value), "Holm: accuracy and suite"


def test_accuracy_is_held_against_a_margin_of_its_own() -> None:
    old, new = of_accuracy(500, 490)
    wide = new.model_copy(update={"accuracy_margin": 0.05})
    assert [compare(old, run, margin=0.02).accuracy.verdict for run in (new, wide)] == ["worse", "no worse"]
    assert compare(old, wide, margin=0.02).proven


def test_without_gold_labels_a_run_fails_no_more_often_and_never_may_replace() -> None:
    comparison = compare(*pair_of(2, 2, labelled=False), margin=0.05)
    assert (comparison.failed, comparison.proven) == (False, False)
    assert comparison.answer == (
        "fails no more often than the baseline: accuracy not compared (no gold labels); no worse by 5 points or more "
        "in each of 10 checks; 10 checks are inconclusive against their own limit"
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
    silent = new.model_copy(update={"examples": [each.model_copy(update={"correct": None}) for each in new.examples]})
    comparison = compare(old, silent, margin=0.05)
    assert not comparison.proven
    assert comparison.accuracy.missing == "the model of this run gave no answer"


def test_an_example_whose_gold_label_changed_is_not_the_same_example() -> None:
    old, new = of_accuracy(500, 500)
    other = [example.model_copy(update={"label": "negative"}) for example in new.examples[:20]]
    comparison = compare(old, new.model_copy(update={"examples": [*other, *new.examples[20:]]}))
    assert comparison.accuracy.matched == 480


def halved(run: Record, **data: Any) -> Record:
    """The run on the first half of its data: what it tested of the other half is gone, too."""
    kept = {example.id for example in run.examples[: len(run.examples) // 2]}
    return run.model_copy(
        update={
            "data": run.data.model_copy(update=data),
            "examples": [example for example in run.examples if example.id in kept],
            "checks": [
                check.model_copy(update={"examples": [each for each in check.examples if each in kept]})
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
    assert (comparison.accuracy.verdict, comparison.accuracy.matched, comparison.accuracy.lost) == (
        "inconclusive",
        250,
        250,
    )
    assert (comparison.checks[0].verdict, comparison.checks[0].lost, comparison.checks[0].needed) == (
        "inconclusive",
        250,
        None,
    )
    assert comparison.answer == (
        "not proved to be no worse than the baseline, 250 of 500 compared: accuracy 100.0 → 100.0 %, 0.0 points "
        "[−1.5, +1.5] of 250 (inconclusive, 250 others that the baseline answers are not here); inconclusive in a; "
        "what only the baseline holds or tested counts as lost: run its model on these data and accept that"
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
        assert comparison.checks[0].lost == 0, "its texts are all there"


def test_an_example_that_was_not_drawn_again_is_not_lost() -> None:
    old, _ = of_accuracy(400, 400)
    drawn = [check.model_copy(update={"examples": check.examples[:250]}) for check in old.checks]
    comparison = compare(old, old.model_copy(update={"checks": drawn}), margin=0.05)
    assert (comparison.proven, comparison.checks[0].only_before, comparison.checks[0].lost) == (True, 250, 0)


def test_a_kind_of_error_whose_examples_are_gone_is_not_proved() -> None:
    tested = ids(*range(400))
    right = dict.fromkeys(tested, True)
    error = ErrorRecord(tested=200, failing=0, examples=tested[200:], wrong=[], limit=0.1)
    old = record({"a": (tested, [])}, right=right, errors={"slice german": error})
    left = tested[:390]
    new = record(
        {"a": (left, [])}, right=dict.fromkeys(left, True),
        errors={"slice german": error.model_copy(update={"examples": left[200:]})},
    )  # fmt: skip
    for margin, proven in ((0.06, False), (0.1, True)):
        comparison = compare(old, new, margin=margin)
        assert (comparison.proven, comparison.checks[0].errors["slice german"].lost) == (proven, 10)
        assert comparison.checks[0].verdict == comparison.accuracy.verdict == "no worse"


def test_accuracy_counts_clusters_as_what_they_are_worth() -> None:
    old, new = of_accuracy(500, 480)
    clustered = [
        example.model_copy(update={"cluster": str(number // 10)}) for number, example in enumerate(new.examples)
    ]
    plain, found = (compare(old, run).accuracy for run in (new, new.model_copy(update={"examples": clustered})))
    assert plain.interval is not None
    assert found.interval is not None
    assert found.difference == pytest.approx(0.04)
    assert found.interval[0] < plain.interval[0], "two clusters of fifty are wrong, not twenty examples of 500"


def test_the_whole_suite_finds_a_loss_and_is_not_asked_for_a_proof() -> None:
    tested = ids(*range(400))
    right = dict.fromkeys(tested, True)
    # Ten checks of which each breaks two others and fixes two: 5 % of the examples churn in the suite, 0.5 % in each.
    old = record({f"c{n}": (tested, tested[4 * n : 4 * n + 2]) for n in range(10)}, right=right)
    new = record({f"c{n}": (tested, tested[4 * n + 2 : 4 * n + 4]) for n in range(10)}, right=right)
    comparison = compare(old, new, margin=0.02)
    assert comparison.whole.verdict == "inconclusive"
    assert not comparison.whole.fails
    assert [check.verdict for check in comparison.checks] == ["no worse"] * 10


def test_a_run_that_went_wrong_at_its_end_says_how() -> None:
    old, new = pair_of(0)
    comparison = compare(old, new.model_copy(update={"message": "--verify: the model answers otherwise."}), margin=0.05)
    assert not comparison.proven
    assert comparison.answer.endswith("; --verify: the model answers otherwise")


def erring(wrong: list[str], limit: float | None = 0.5, number: int = 200) -> Record:
    """A record of a check that no text fails, and of what its decision misses."""
    tested = ids(*range(number))
    missed = ErrorRecord(tested=number, failing=len(wrong), limit=limit, examples=tested, wrong=wrong)
    return record({"a": (tested, [])}, outcome=Outcome.PASSED, errors={"missed": missed})


def test_what_is_newly_missed_fails_a_run_whose_decisions_never_change() -> None:
    found = compare(erring(ids(0, 1)), erring(ids(*range(1, 20))), margin=0.02)
    missed = found.checks[0].errors["missed"]
    assert (missed.newly_broken, missed.newly_fixed, missed.still_broken) == (ids(*range(2, 20)), ids(0), ids(1))
    assert missed.difference == Paired(18, 1, 200).difference
    assert missed.interval == Paired(18, 1, 200).interval
    # Suite and this kind of error are the family, no accuracy: Holm takes the smaller of two p-values twice.
    assert missed.p_value == pytest.approx(2 * Paired(18, 1, 200).p_value)
    assert (missed.verdict, found.checks[0].verdict) == ("worse", "no worse")
    assert found.failed
    assert found.checks[0].regressed
    assert "worse in 'missed' of a" in found.reasons


def test_an_error_without_a_limit_is_told_and_fails_nothing() -> None:
    found = compare(erring([], None), erring(ids(*range(30)), None), margin=0.02)
    assert found.checks[0].errors["missed"].verdict == "measured"
    assert len(found.checks[0].errors["missed"].newly_broken) == 30
    assert not found.failed


def test_a_release_needs_each_kind_of_error_with_a_limit_to_be_no_worse() -> None:
    right = dict.fromkeys(ids(*range(200)), True)
    for wrong, proven in ((ids(), True), (ids(*range(3)), False)):
        before, after = (
            each.model_copy(update={"examples": record({}, right=right).examples})
            for each in (erring([]), erring(wrong))
        )
        found = compare(before, after, margin=0.02)
        assert found.proven is proven
        assert proven or "inconclusive in 'missed' of a" in found.answer


def test_texts_whose_gold_label_became_another_are_not_matched() -> None:
    before, after = erring([]), erring(ids(5), number=100)
    assert compare(before, after).checks[0].errors["missed"].matched == 100


def test_every_report_shows_the_errors_beside_their_check(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    suite = tmp_path / "suite.yaml"
    suite.write_text(
        "suite: guard\nmodel: {use: reference/fasttext, decide: {label: negative, at: 0.7}}\n"
        "data: {use: reviews, limit: 100}\n"
        "checks: {typos: {perturb: {use: typos, candidates: 2}, limit: {missed: 0.99, false_alarm: 0.99}}}\n",
        encoding="utf-8",
    )
    reports = ["--reports", str(tmp_path / "reports"), "--fail-on", "new"]
    for more in ([], ["--model", "decide.at=0.9", "--baseline", str(tmp_path / "before.json")]):
        junit, page = tmp_path / "junit.xml", tmp_path / "page.html"
        with pytest.raises(SystemExit) as ended:
            main(["run", str(suite), *reports, "--junit-xml", str(junit), "--html", str(page), *more])
        if not more:
            assert ended.value.code == 0
            (tmp_path / "reports" / "guard" / "results.json").rename(tmp_path / "before.json")
            capsys.readouterr()
    assert ended.value.code == 1, "at 0.9 more is missed"
    found = Record.load(tmp_path / "reports" / "guard" / "results.json").comparisons[0].checks[0].errors
    assert (found["missed"].verdict, len(found["false_alarm"].newly_broken)) == ("worse", 0)
    line = told(found["missed"], "wrong", "right")
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
    plain, before, after = compare(was, now), was.model_copy(update=whole), now.model_copy(update=whole)
    (found,), (note,) = compare(before, after).checks, compare(before, after).notes
    assert note.startswith("differences are those of the data")
    assert found.difference == pytest.approx(0.1 * (4 - 2) / 10 + 0.9 * 1 / 10)
    expected = stratified_pairs([10, 90], [10, 10], [10, 10], [4, 1], [2, 0])
    assert (found.interval, found.effective) == (expected.interval, expected.matched)
    assert (found.matched, len(found.newly_broken), len(found.newly_fixed)) == (20, 5, 2)
    other = now.model_copy(update={"selection": strata({"stratum 1": easy, "stratum 2": hard})})
    assert compare(before, other).checks == plain.checks, "what the runs drew otherwise stands for nothing together"
    named = dict.fromkeys(hard[:5], "one") | dict.fromkeys(easy[:5], "two")
    alike = [ExampleRecord(id=id, fields={}, cluster=named.get(id)) for id in tested]
    (clustered,) = compare(before, after.model_copy(update={"examples": alike})).checks
    changes = {**dict.fromkeys([*hard[3:7], easy[0]], 1.0), **dict.fromkeys(hard[:2], -1.0)}
    effect = stratified_effect({"1": hard, "2": easy}, changes, named, {"1": 10, "2": 90})
    assert clustered.difference == pytest.approx(found.difference)
    assert clustered.interval == stratified_pairs([10, 90], [10, 10], [10, 10], [4, 1], [2, 0], effect).interval
    assert effect > 1
