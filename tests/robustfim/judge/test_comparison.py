import itertools
from typing import Any

import pytest

from robustfim.errors import UsageError
from robustfim.judge.comparison import compare
from robustfim.outcome import Outcome
from robustfim.record import CheckRecord, DataRecord, Environment, Failure, ModelRecord, PredictionRecord, Record


def record(
    checks: dict[str, tuple[list[str], list[str]]], *, suite: str = "toy", seed: int = 0, **check: Any
) -> Record:
    """A record of checks, each with its tested and its failing examples."""
    before = PredictionRecord(label="positive", probabilities=[0.2, 0.8])
    after = PredictionRecord(label="negative", probabilities=[0.7, 0.3])
    return Record(
        suite=suite,
        model=ModelRecord(use="toy"),
        data=DataRecord(use="rows"),
        environment=Environment(robustfim="0", python="3"),
        seed=seed,
        started="2026-01-01T00:00:00+00:00",
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


def test_an_inconclusive_check_fails_any_when_its_rate_is_above_its_limit() -> None:
    def run(limit: float) -> Record:
        return record({"a": (ids(0, 1), ids(0))}, outcome=Outcome.INCONCLUSIVE, tested=2, failing=1, limit=limit)

    assert compare(run(0.4), run(0.4), fail_on="any").failed
    assert not compare(run(0.5), run(0.5), fail_on="any").failed


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
    assert [note for note in compare(old, new).notes if "other tests" in note] == [
        "other tests in a, b: tagger A there, B here."
    ]
    assert compare(old, old).notes == []


# ---- what is proved -----------------------------------------------------------------------------------


def pair_of(broken: int, fixed: int = 0, matched: int = 224, others: int = 9, **check: Any) -> tuple[Record, Record]:
    """A baseline and a run of a check with so many broken and fixed examples, beside others without a change."""
    tested = ids(*range(matched))
    rest = {f"toy.yaml::c{number}": (tested, tested[100:110]) for number in range(others)}
    old = record({"toy.yaml::a": (tested, tested[:fixed]), **rest}, outcome=Outcome.INCONCLUSIVE, **check)
    new = record(
        {"toy.yaml::a": (tested, tested[fixed : fixed + broken]), **rest}, outcome=Outcome.INCONCLUSIVE, **check
    )
    return old, new


def test_eight_broken_and_none_fixed_do_not_replace_the_baseline_though_holm_hides_them_in_ten_checks() -> None:
    comparison = compare(*pair_of(8))
    check = comparison.checks[0]
    assert check.p_value == pytest.approx(0.078, abs=5e-4)
    assert check.verdict == "undecided"
    assert comparison.whole.verdict == "worse"
    assert (comparison.failed, comparison.proven) == (True, False)
    assert comparison.answer == (
        "does not replace the baseline: worse over all checks (8 newly broken, 0 newly fixed, 10 still broken of 224; "
        "+3.6 points [+1.8, +6.9])"
    )


def test_without_a_margin_no_loss_is_no_proof_and_the_answer_says_what_would_have_been_shown() -> None:
    comparison = compare(*pair_of(2, 2))
    assert (comparison.failed, comparison.proven) == (False, False)
    assert comparison.answer == (
        "not proved to be no worse than the baseline: no margin says what loss is tolerated; over all checks a loss of "
        "4.8 points would have been shown 8 times in 10, and one of up to 2.4 points is not excluded"
    )


def test_a_margin_that_every_interval_stays_below_lets_the_run_replace_the_baseline() -> None:
    comparison = compare(*pair_of(2, 2), margin=0.05)
    assert {each.verdict for each in (comparison.whole, *comparison.checks)} == {"no worse"}
    assert comparison.proven
    assert comparison.answer == (
        "may replace the baseline: no worse by 5 points or more, over all checks and in each of 10"
    )


def test_an_undecided_test_says_how_many_more_matched_examples_would_decide() -> None:
    comparison = compare(*pair_of(2, 2), margin=0.02)
    check = comparison.checks[0]
    assert (check.verdict, check.fails, comparison.failed, comparison.proven) == ("undecided", False, False, False)
    assert check.needed == 67
    assert comparison.answer == (
        "not proved to be no worse than the baseline: undecided over all checks and in a: about 67 more matched "
        "examples"
    )


def test_an_undecided_loss_above_the_margin_fails() -> None:
    comparison = compare(*pair_of(9, 3), margin=0.02)
    assert comparison.whole.verdict == comparison.checks[0].verdict == "undecided"
    assert comparison.failed
    assert "a loss above the margin, though undecided, over all checks and in a: about " in comparison.answer


@pytest.mark.parametrize(("strict", "fail_on"), [(True, "regression"), (False, "unproven")])
def test_whatever_is_undecided_fails_under_strict_and_where_a_proof_is_demanded(strict: bool, fail_on: Any) -> None:
    undecided = compare(*pair_of(2, 2), margin=0.02, strict=strict, fail_on=fail_on)
    assert undecided.failed
    assert "undecided over all checks and in a" in undecided.answer
    passed = [replace_outcomes(each) for each in pair_of(2, 2)]
    assert not compare(*passed, margin=0.05, strict=strict, fail_on=fail_on).failed


def replace_outcomes(run: Record) -> Record:
    checks = [check.model_copy(update={"outcome": Outcome.PASSED}) for check in run.checks]
    return run.model_copy(update={"checks": checks})


def test_strict_fails_what_is_inconclusive_against_its_own_limit() -> None:
    comparison = compare(*pair_of(0), strict=True, margin=0.05)
    assert comparison.failed
    assert comparison.answer.endswith("10 checks inconclusive against their own limit")
    assert not compare(*pair_of(0), strict=False, margin=0.05).failed


def test_a_proof_without_a_margin_cannot_be_demanded() -> None:
    with pytest.raises(UsageError, match=r"needs a margin: --margin 0\.02"):
        compare(*pair_of(0), fail_on="unproven")


def test_a_check_has_a_margin_of_its_own() -> None:
    old, new = pair_of(2, 2, others=1)
    checks = [new.checks[0].model_copy(update={"margin": 0.001}), new.checks[1]]
    comparison = compare(old, new.model_copy(update={"checks": checks, "margin": 0.05}))
    assert [each.margin for each in comparison.checks] == [0.001, 0.05]
    assert [each.verdict for each in comparison.checks] == ["undecided", "no worse"]


def test_a_run_that_leaves_out_a_check_of_the_baseline_proves_nothing_of_it() -> None:
    old, new = pair_of(0)
    left = new.model_copy(update={"checks": new.checks[:-1]})
    comparison = compare(old, left, margin=0.05)
    assert not comparison.proven
    assert comparison.answer == "not proved to be no worse than the baseline: not tested: c8"
    assert compare(old, left, margin=0.05, fail_on="unproven").failed


def test_an_example_that_one_check_broke_before_and_another_breaks_now_is_no_loss_as_a_whole() -> None:
    tested = ids(*range(30))
    comparison = compare(
        record({"a": (tested, tested[:6]), "b": (tested, [])}), record({"a": (tested, []), "b": (tested, tested[:6])})
    )
    assert (comparison.whole.newly_broken, comparison.whole.newly_fixed) == ([], [])
    assert len(comparison.whole.still_broken) == 6
    assert comparison.checks[1].verdict == "undecided", "Holm's correction of 6 against 0"


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
