from __future__ import annotations

import re

from robustfim.outcome import Outcome
from robustfim.plugin.sources import PluginOptions, load_plugins
from robustfim.record import ArmRecord, CheckRecord, Environment, ModelRecord, Record
from robustfim_doctor.draft import DraftCheck
from robustfim_doctor.draft_run import TESTED, known_checks, measured
from robustfim_doctor.equal_model import limit_for


def record(*checks: CheckRecord) -> Record:
    return Record.model_construct(
        model=ModelRecord(use="toy"), environment=Environment(robustfim="0", python="3"), checks=list(checks)
    )


def result(name: str, failing: int, tested: int, outcome: Outcome = Outcome.PASSED, message: str = "") -> CheckRecord:
    return CheckRecord(
        id=f"toy.yaml::{name}", name=name, outcome=outcome, failing=failing, tested=tested, message=message
    )


def test_what_breaks_too_many_answers_or_too_few_is_not_gated_and_says_which_number_would_decide() -> None:
    checks = [DraftCheck(name, {"use": name}) for name in ("most", "few", "some")]
    found = record(result("most", 97, 100), result("few", 19, 1000), result("some", 100, 500))
    most, few, some = measured(checks, found, 0.1)[0]
    assert most.limit is None
    assert (
        most.comments[1]
        == "not gated: it breaks too many answers for a limit. Against a baseline it must not get worse."
    )
    assert few.limit is None
    assert few.comments[1] == "not gated, below 5 %: these examples would decide 'limit: 0.05'."
    (fewer,), _ = measured(checks[1:2], record(result("few", 3, 100)), 0.1)
    said = re.fullmatch(r"not gated: about (\d+) drawn examples would decide 'limit: 0.06'.", fewer.comments[1])
    assert said is not None
    assert limit_for(0.03 * int(said[1]), int(said[1]), 1) <= 0.06 < limit_for(3, 100, 1)
    assert some.limit == limit_for(100, 500, 2)
    assert isinstance(some.limit, float)
    assert 0.2 < some.limit <= 0.4


def test_what_measured_nothing_or_too_little_is_left_out_with_the_reason() -> None:
    checks = [DraftCheck(name, {"use": name}) for name in ("people", "rules", "places", "gone")]
    found = record(
        result("people", 0, 0, Outcome.ERROR, "tested nothing: 'people' found nothing to change in 200 examples."),
        result("rules", 1, TESTED - 1),
        result("places", 1, TESTED),
    )
    kept, left_out = measured(checks, found, 0.1)
    assert [check.name for check in kept] == ["places"]
    assert left_out == [
        "people: tested nothing: 'people' found nothing to change in 200 examples.",
        "rules: only 19 examples have something that it changes.",
        "gone: it did not run.",
    ]


def test_each_arm_that_has_enough_examples_has_a_limit_of_its_own() -> None:
    def arms(small: int, large: int = 100) -> Record:
        found = result("typos", 45, large + small).model_copy(
            update={
                "arms": {
                    "difficult": ArmRecord(drawn=100, tested=large, failing=min(30, large)),
                    "control": ArmRecord(drawn=100, tested=small, failing=min(15, small)),
                }
            }
        )
        return record(found)

    (check,), _ = measured([DraftCheck("typos", {})], arms(small=100), 0.1)
    assert check.limit == {"difficult": limit_for(30, 100, 2), "control": limit_for(15, 100, 2)}
    (check,), _ = measured([DraftCheck("typos", {})], arms(small=19), 0.1)
    assert check.limit == {"difficult": limit_for(30, 100, 1)}, "both together are the rate of nothing"
    none, left_out = measured([DraftCheck("typos", {})], arms(small=12, large=15), 0.1)
    assert (none, left_out) == (
        [],
        ["typos: only 15 difficult and 12 control examples have something that it changes."],
    )


def test_a_limit_of_clusters_counts_what_their_examples_are_worth() -> None:
    found = result("typos", 200, 1000).model_copy(update={"clusters": 300, "effective": 400.0})
    (check,), _ = measured([DraftCheck("typos", {})], record(found), 0.1)
    assert check.limit == limit_for(80, 400, 1) > limit_for(200, 1000, 1)


def test_a_model_without_gradients_gets_no_guided_order_and_no_steps() -> None:
    manager = load_plugins(PluginOptions())
    with_them, without = known_checks(manager, (), gradients=True)[0], known_checks(manager, (), gradients=False)
    assert {"eigenvector"} == {check.name for check in with_them} - {check.name for check in without[0]}
    assert "guided" in {check.perturb.get("order") for check in with_them}
    assert {check.perturb.get("order") for check in without[0]} == {None}
    assert any("eigenvector: steps in embedding space need gradients" in each for each in without[1])


def test_a_blocked_plugin_leaves_its_checks_out() -> None:
    checks, left_out = known_checks(load_plugins(PluginOptions(block=("sears", "words"))), (), gradients=True)
    assert [check.name for check in checks] == ["eigenvector", "emoji", "entity_forms"]
    assert not any("synonyms" in each for each in left_out)
