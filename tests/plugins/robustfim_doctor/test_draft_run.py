from __future__ import annotations

import math

import pytest

from robustfim.judge.verdicts import decide
from robustfim.outcome import Outcome
from robustfim.plugin.sources import PluginOptions, load_plugins
from robustfim.record import ArmRecord, CheckCounts, CheckRecord, Environment, ModelRecord, Record
from robustfim.statistics import examples_to_decide, wilson
from robustfim_doctor.draft import DraftCheck
from robustfim_doctor.draft_run import TESTED, known_checks, measured, smallest_limit, that_decide


def record(*checks: CheckRecord) -> Record:
    return Record.model_construct(
        model=ModelRecord(use="toy"), environment=Environment(robustfim="0", python="3"), checks=list(checks)
    )


def result(name: str, failing: int, tested: int, outcome: Outcome = Outcome.PASSED, message: str = "") -> CheckRecord:
    return CheckRecord(
        id=f"toy.yaml::{name}", name=name, outcome=outcome, failing=failing, tested=tested, message=message
    )


@pytest.mark.parametrize("tested", [20, 100, 400])
@pytest.mark.parametrize("comparisons", [1, 15])
def test_the_smallest_limit_passes_and_one_percent_less_does_not(tested: int, comparisons: int) -> None:
    for failing in range(0, tested // 2, max(1, tested // 20)):
        limit = smallest_limit(failing, tested)
        assert limit > wilson(failing, tested)[1]  # type: ignore[index]  # something was tested

        def verdicts(limit: float, failing: int = failing) -> set[Outcome]:
            checks = [
                CheckCounts(id=str(number), name=str(number), failing=failing, tested=tested, limit=limit)
                for number in range(comparisons)
            ]
            return {each.outcome for each in decide(checks, {})}

        assert verdicts(limit) == {Outcome.PASSED}
        if limit > 0.01:  # a limit of 0 is no rate to test: it tolerates no failure, and passes where there is none
            assert verdicts(round(limit - 0.01, 2)) != {Outcome.PASSED}


def test_a_rate_near_one_has_no_limit_that_it_passes() -> None:
    assert smallest_limit(100, 100) == 0.99


def test_a_check_that_nearly_always_fails_is_known_to_fail_and_has_a_limit_that_it_surely_exceeds() -> None:
    (check,), _ = measured([DraftCheck("typos", {"use": "typos"})], record(result("typos", 97, 100)))
    assert check.limit == 0.5
    assert check.xfail == "97 of 100 examples failed when this suite was written"
    (decided,) = decide([CheckCounts(id="typos", name="typos", failing=97, tested=100, limit=0.5)], {})
    assert decided.outcome is Outcome.FAILED


def test_what_measured_nothing_or_too_little_is_left_out_with_the_reason() -> None:
    checks = [DraftCheck(name, {"use": name}) for name in ("people", "rules", "places", "gone")]
    found = record(
        result("people", 0, 0, Outcome.ERROR, "tested nothing: 'people' found nothing to change in 200 examples."),
        result("rules", 1, TESTED - 1),
        result("places", 1, TESTED),
    )
    kept, left_out = measured(checks, found)
    assert [each.name for each in kept] == ["places"]
    assert left_out == [
        "people: tested nothing: 'people' found nothing to change in 200 examples.",
        "rules: only 19 examples have something that it changes.",
        "gone: it did not run.",
    ]


def test_each_arm_that_has_enough_examples_has_a_limit_of_its_own() -> None:
    def arms(small: int, large: int = 100) -> Record:
        found = result("typos", 30, large + small).model_copy(
            update={
                "arms": {
                    "difficult": ArmRecord(drawn=100, tested=large, failing=min(25, large)),
                    "control": ArmRecord(drawn=100, tested=small, failing=5),
                }
            }
        )
        return record(found)

    (check,), _ = measured([DraftCheck("typos", {})], arms(small=100))
    assert check.limit == {"difficult": smallest_limit(25, 100), "control": smallest_limit(5, 100)}
    (check,), _ = measured([DraftCheck("typos", {})], arms(small=19))
    assert check.limit == {"difficult": smallest_limit(25, 100)}, "both together are the rate of nothing"
    none, left_out = measured([DraftCheck("typos", {})], arms(small=12, large=15))
    assert (none, left_out) == (
        [],
        ["typos: only 15 difficult and 12 control examples have something that it changes."],
    )


def test_a_suite_says_with_how_many_examples_its_limits_are_decided_in_80_percent_of_cases() -> None:
    found = result("typos", 30, 150).model_copy(
        update={
            "arms": {
                "difficult": ArmRecord(drawn=120, tested=100, failing=25),
                "control": ArmRecord(drawn=50, tested=50, failing=5),
            }
        }
    )
    other = result("names", 2, 100).model_copy(update={"arms": {"all": ArmRecord(drawn=400, tested=100, failing=2)}})

    def needed(rate: float, limit: float) -> int:
        return (examples_to_decide(rate, 1, limit) or 0) + 1

    checks, _ = measured([DraftCheck("typos", {})], record(found))
    assert checks[0].limit == {"difficult": 0.35, "control": 0.22}
    difficult, control = math.ceil(needed(0.25, 0.35) * 1.2), needed(0.1, 0.22)
    assert that_decide(checks, record(found)) == f"{difficult} difficult and {control} control examples"
    checks, _ = measured([DraftCheck("names", {})], record(other))
    assert that_decide(checks, record(other)) == f"{4 * needed(0.02, 0.08)} examples"


def test_a_limit_of_clusters_counts_what_their_examples_are_worth() -> None:
    found = result("typos", 10, 100).model_copy(update={"clusters": 30, "effective": 40.0})
    (check,), _ = measured([DraftCheck("typos", {})], record(found))
    assert check.limit == smallest_limit(4, 40) > smallest_limit(10, 100)


def test_a_model_without_gradients_gets_no_guided_order_and_no_steps() -> None:
    manager = load_plugins(PluginOptions())
    with_them, without = known_checks(manager, (), gradients=True)[0], known_checks(manager, (), gradients=False)
    assert {"eigenvector"} == {each.name for each in with_them} - {each.name for each in without[0]}
    assert "guided" in {each.perturb.get("order") for each in with_them}
    assert {each.perturb.get("order") for each in without[0]} == {None}
    assert any("eigenvector: steps in embedding space need gradients" in each for each in without[1])


def test_a_blocked_plugin_leaves_its_checks_out() -> None:
    checks, left_out = known_checks(load_plugins(PluginOptions(block=("sears", "words"))), (), gradients=True)
    assert [each.name for each in checks] == ["eigenvector", "emoji"]
    assert not any("synonyms" in each for each in left_out)
