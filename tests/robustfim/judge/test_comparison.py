import itertools
from typing import Any

import numpy as np
import pytest

from robustfim.errors import UsageError
from robustfim.judge.comparison import compare, paired_interval
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


def test_the_interval_is_that_of_resampling_the_examples_themselves() -> None:
    broken, fixed, matched = 12, 4, 60
    differences = np.array([1] * broken + [-1] * fixed + [0] * (matched - broken - fixed))
    generator = np.random.default_rng(7)
    means = [generator.choice(differences, matched).mean() for _ in range(4000)]
    low, high = np.quantile(means, [0.025, 0.975])
    got = paired_interval(broken, fixed, matched, resamples=9999, seed=0)
    assert got == pytest.approx((low, high), abs=0.02)


def test_the_interval_covers_the_true_difference_in_about_95_of_100_runs() -> None:
    generator, matched, true = np.random.default_rng(1), 150, 0.05
    covered = 0
    for _ in range(400):
        broken, fixed, _rest = generator.multinomial(matched, [0.10, 0.05, 0.85])
        low, high = paired_interval(int(broken), int(fixed), matched, resamples=999, seed=0) or (2.0, 2.0)
        covered += low <= true <= high
    assert 0.91 <= covered / 400 <= 0.985


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


def test_comparing_a_record_with_itself_finds_nothing() -> None:
    same = record({name: (ids(*range(9)), ids(1, 2)) for name in "abc"})
    comparison = compare(same, same, fail_on="new")
    assert not comparison.failed
    assert list(itertools.chain.from_iterable(check.newly_broken for check in comparison.checks)) == []
