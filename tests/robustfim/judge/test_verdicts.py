"""Outcomes follow from counts, limits and their number."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from robustfim.judge.check_counts import CheckCounts
from robustfim.judge.verdicts import (
    alarm_p_value,
    decide,
    error_text,
    exit_code,
    gates,
    limit_text,
    rate_of,
    rate_text,
    summarise,
)
from robustfim.outcome import ExitCode, Outcome
from robustfim.record import (
    ArmRecord,
    BudgetRecord,
    CandidateCounts,
    CheckRecord,
    Comparison,
    ErrorRecord,
    GapRecord,
    RecallRecord,
    Record,
    TailRecord,
)
from robustfim.statistics import Rate, examples_to_decide, percent, tail, wilson
from robustfim.statistics.gap import Gap
from robustfim.statistics.mean import Mean
from robustfim.statistics.sequential import Watch
from robustfim.statistics.stratified import Stratum, stratified_rate
from robustfim.statistics.validity import ReviewCounts, valid_limit
from tests.present import present


def counted(failing: int, tested: int, limit: float | dict[str, float] = 0.1, **more: Any) -> CheckCounts:
    fields: dict[str, Any] = {"id": f"s.yaml::c{failing}-{tested}", "name": "c"}
    return CheckCounts(**(fields | {"failing": failing, "tested": tested, "limit": limit} | more))


def in_arms(limits: dict[str, float], **arms: tuple[int, int]) -> CheckCounts:
    records = {
        name: ArmRecord(failing=failing, tested=tested, limit=limits.get(name))
        for name, (failing, tested) in arms.items()
    }
    tested, failing = sum(n for _, n in arms.values()), sum(k for k, _ in arms.values())
    return counted(failing, tested, limits, arms=records)


def decided(check: CheckCounts, xfail: str | None = None) -> CheckRecord:
    (only,) = decide([check], {} if xfail is None else {check.id: xfail})
    return only


@pytest.mark.parametrize(
    ("failing", "tested", "limit", "outcome"),
    [
        (30, 100, 0.1, Outcome.FAILED),
        (1, 100, 0.1, Outcome.PASSED),
        (12, 100, 0.1, Outcome.INCONCLUSIVE),
        (8, 100, 0.1, Outcome.INCONCLUSIVE),
        (1, 100, 0.0, Outcome.FAILED),
        (0, 1, 0.0, Outcome.PASSED),
        (100, 100, 1.0, Outcome.PASSED),
    ],
)
def test_a_rate_is_above_below_or_too_near_its_limit(failing: int, tested: int, limit: float, outcome: Outcome) -> None:
    check = decided(counted(failing, tested, limit))
    assert check.outcome is outcome
    assert check.message.startswith(f"{failing} of {tested} examples fail ({percent(failing / tested)}): ")
    if outcome is Outcome.FAILED and limit:
        assert check.p_value == binomtest(failing, tested, limit, alternative="greater").pvalue


def test_where_few_examples_can_be_tested_the_rows_that_hold_enough_of_them_are_told() -> None:
    arms = {"control": ArmRecord(drawn=300, tested=4, failing=0)}
    more = decided(counted(0, 4, arms=arms))
    assert more.needed is not None
    assert more.needed_rows == 75 * more.needed
    arms = {"control": ArmRecord(drawn=300, tested=1, failing=0)}
    check = decided(counted(0, 1, arms=arms))
    assert check.needed is not None
    assert check.needed_rows == 300 * check.needed
    drop = "choose another limit, or drop the check, which reaches 1 of 300 examples."
    assert check.message.endswith(f"; these data cannot decide a limit of 10 % at a rate of 0 %: {drop}")
    arms = {"control": ArmRecord(drawn=40, tested=20, failing=0)}
    check = decided(counted(0, 20, arms=arms))
    assert check.message.endswith(
        f"draw about {check.needed_rows:,} more rows, of which about {check.needed:,} can be tested: they decide in "
        "80 % of cases."
    )


def test_an_inconclusive_check_says_how_many_more_examples_would_decide() -> None:
    check = decided(counted(12, 100))
    assert check.needed is not None
    assert check.needed == examples_to_decide(0.12, 100, 0.1)
    assert check.message.endswith("a limit of 10 % at a rate of 12 %: choose another limit."), "ten times the data"
    less = decided(counted(14, 100))
    assert less.message.endswith(f"; draw about {less.needed:,} more examples: they decide in 80 % of cases.")
    total = 100 + check.needed
    assert decided(counted(round(0.12 * total), total)).outcome is Outcome.FAILED
    near = decided(counted(19, 1000, limit=0.02))
    assert near.message.endswith("; these data cannot decide a limit of 2 % at a rate of 1.9 %: choose another limit.")
    assert decided(counted(10, 100)).needed is None
    assert decided(counted(10, 100)).message.endswith("a limit of 10 % at a rate of 10 %: choose another limit.")


def test_an_inconclusive_check_asks_for_no_more_than_the_data_hold() -> None:
    cannot = "these data cannot decide a limit of 10 % at a rate of 14 %: choose another limit"
    more = examples_to_decide(0.14, 100, 0.1)
    assert more is not None
    (holds, lacks) = (decided(counted(14, 100, left=left)) for left in (more, more - 1))
    assert holds.message.endswith(f"draw about {more:,} more examples: they decide in 80 % of cases.")
    assert lacks.message.endswith(f"{cannot}, or add about {more:,} more examples.")
    arms = {"all": ArmRecord(drawn=1000, tested=100, failing=14)}
    few = decided(counted(14, 100, arms=arms, left=0))
    assert few.message.endswith("or drop the check, which reaches 100 of 1,000 examples.")
    arms = {"all": ArmRecord(drawn=999, tested=100, failing=14)}
    assert "drop" not in decided(counted(14, 100, arms=arms, left=0)).message


def test_one_clear_check_stays_clear_among_many_and_one_at_the_edge_does_not() -> None:
    edge = counted(18, 100)  # p = 0.01 alone
    assert decided(edge).outcome is Outcome.FAILED
    rest = [counted(10, 100, id=f"s.yaml::other{n}") for n in range(9)]
    first, *_ = decide([edge, *rest], {})
    assert first.outcome is Outcome.INCONCLUSIVE
    assert "not proved among 10 tests" in first.message
    assert first.p_value == pytest.approx(10 * binomtest(18, 100, 0.1, alternative="greater").pvalue)
    clear, *_ = decide([counted(50, 100), *rest], {})
    assert clear.outcome is Outcome.FAILED


def test_a_side_of_the_interval_alone_that_the_exact_test_does_not_take_is_told_as_such() -> None:
    alone = decided(counted(10, 363, limit=0.05))
    assert binomtest(10, 363, 0.05, alternative="less").pvalue > 0.025
    assert alone.outcome is Outcome.INCONCLUSIVE
    assert "within the limit of 5 %, not proved by the exact test (p = 0.025)" in alone.message
    several = decide([counted(20, 126), *(counted(10, 100, id=f"s.yaml::other{n}") for n in range(9))], {})[0]
    assert binomtest(20, 126, 0.1, alternative="greater").pvalue == pytest.approx(0.0256, abs=1e-4)
    assert "above the limit of 10 %, not proved by the exact test (p = 0.026)" in several.message


@given(st.lists(st.tuples(st.integers(0, 40), st.sampled_from([0.0, 0.1, 0.5])), min_size=1, max_size=8))
def test_what_is_decided_while_checks_run_is_decided_when_they_ended(counts: list[tuple[int, float]]) -> None:
    checks = [counted(failing, 40, limit, id=f"s.yaml::c{index}") for index, (failing, limit) in enumerate(counts)]
    for check, final in zip(checks, decide(checks, {}), strict=True):
        (so_far,) = decide([check], {}, others=len(checks) - 1)
        assert so_far.outcome in (Outcome.INCONCLUSIVE, final.outcome)


def test_each_arm_has_its_own_limit_and_the_worst_decides() -> None:
    limits = {"difficult": 0.5, "control": 0.1}
    assert decided(in_arms(limits, difficult=(20, 100), control=(0, 100))).outcome is Outcome.PASSED
    check = decided(in_arms(limits, difficult=(20, 100), control=(40, 100)))
    assert check.outcome is Outcome.FAILED
    assert check.message.startswith("40 of 100 examples of the control arm fail (40 %): above the limit of 10 %")
    check = decided(in_arms(limits, difficult=(50, 100), control=(0, 100)))
    assert check.outcome is Outcome.INCONCLUSIVE
    assert "of the difficult arm" in check.message


def test_of_two_arms_that_fail_the_one_further_above_its_limit_is_told() -> None:
    for limit, failing in ((0.3, 45), (0.01, 30)):
        check = decided(in_arms({"difficult": 0.1, "control": limit}, difficult=(50, 100), control=(failing, 100)))
        assert check.message.startswith("50 of 100 examples of the difficult arm fail (50 %): above the limit of 10 %")


def test_an_arm_that_tolerates_nothing_fails_by_one_example() -> None:
    check = decided(in_arms({"difficult": 0.0, "control": 1.0}, difficult=(1, 100), control=(0, 100)))
    assert check.outcome is Outcome.FAILED


def test_what_is_too_near_its_limit_says_so_and_two_clusters_are_counted() -> None:
    message = decided(counted(10, 100, clusters=2, effective=20.0)).message
    assert message.startswith("10 of 100 examples fail (10 %): too near the limit of 10 % to tell, in 2 clusters")
    alone = decided(counted(10, 100, clusters=1, effective=20.0)).message
    assert "to tell, in 1 cluster;" in alone


def test_an_arm_with_a_limit_in_which_nothing_was_tested_is_an_error() -> None:
    check = decided(in_arms({"difficult": 1.0, "control": 0.1}, difficult=(0, 0), control=(0, 100)))
    assert check.outcome is Outcome.ERROR
    assert check.message == "tested nothing in the difficult arm, which has a limit of its own."


def test_an_expected_failure_is_xfailed_and_an_unexpected_success_xpassed() -> None:
    failed = decided(counted(50, 100), xfail="issue 12")
    assert (failed.outcome, failed.message.endswith("(expected: issue 12).")) == (Outcome.XFAILED, True)
    passed = decided(counted(0, 100), xfail="issue 12")
    assert passed.outcome is Outcome.XPASSED
    assert passed.message.endswith("though it was expected to fail: issue 12. Remove its 'xfail'.")
    assert decided(counted(12, 100), xfail="issue 12").outcome is Outcome.INCONCLUSIVE


@pytest.mark.parametrize("outcome", [Outcome.ERROR, Outcome.SKIPPED])
def test_errors_and_skipped_checks_are_left_alone_and_count_for_no_correction(outcome: Outcome) -> None:
    other = counted(0, 0, ended=outcome, message="why", id="s.yaml::other")
    first, second = decide([counted(18, 100), other], {})
    assert first.outcome is Outcome.FAILED
    assert second == other.record(outcome)


@pytest.mark.parametrize(
    ("outcomes", "code"),
    [
        ([], ExitCode.OK),
        (["passed", "skipped", "xfailed", "measured"], ExitCode.OK),
        (["measured"], ExitCode.OK),
        (["passed", "inconclusive"], ExitCode.INCONCLUSIVE),
        (["measured", "inconclusive"], ExitCode.INCONCLUSIVE),
        (["inconclusive", "failed"], ExitCode.FAILED),
        (["inconclusive", "error"], ExitCode.FAILED),
        (["passed", "xpassed"], ExitCode.FAILED),
    ],
)
def test_0_is_a_conjunction_and_1_a_disjunction_of_proofs(outcomes: list[str], code: ExitCode) -> None:
    assert exit_code([counted(8, 100).record(Outcome(outcome)) for outcome in outcomes]) is code


@pytest.mark.parametrize("failing", [0, 8, 12, 100])
def test_a_rate_above_its_limit_is_no_proof(failing: int) -> None:
    assert exit_code([counted(failing, 100).record(Outcome.INCONCLUSIVE)]) is ExitCode.INCONCLUSIVE


def test_the_summary_names_every_outcome() -> None:
    checks = [counted(0, 9).record(Outcome.PASSED), counted(1, 9).record(Outcome.PASSED)]
    checks.append(counted(8, 100).record(Outcome.INCONCLUSIVE))
    assert summarise(checks) == {
        "passed": 2, "failed": 0, "inconclusive": 1, "measured": 0, "error": 0, "skipped": 0, "xfailed": 0,
        "xpassed": 0,
    }  # fmt: skip


def test_clusters_are_told_where_they_are_fewer_than_the_examples() -> None:
    assert ", in 6 clusters" in decided(counted(5, 12, clusters=6)).message
    assert ", in 1 cluster." in decided(counted(5, 12, clusters=1)).message
    assert "cluster" not in decided(counted(5, 12, clusters=12)).message


def test_a_rate_is_written_with_its_interval_and_its_count() -> None:
    assert rate_text(counted(2, 5)) == rate_text(counted(2, 5, rate=0.4)) == ""
    assert rate_text(counted(2, 5, rate=0.4, interval=(0.118, 0.769))) == "40 % [11.8, 76.9] of 5"


def compared(first: tuple[int, int], second: tuple[int, int], limit: float = 0.1, **more: Any) -> CheckCounts:
    groups = {name: Rate(failing, tested) for name, (failing, tested) in {"long": first, "short": second}.items()}
    counts = (first[0] + second[0], first[1] + second[1])
    estimates = {"": Gap(first, second)} if first[1] and second[1] else {}
    return counted(*counts, limit, gap=GapRecord(groups=groups), estimates=estimates, **more)


@pytest.mark.parametrize(
    ("first", "second", "outcome"),
    [
        ((60, 100), (20, 100), Outcome.FAILED),
        ((20, 100), (40, 100), Outcome.PASSED),
        ((35, 100), (20, 100), Outcome.INCONCLUSIVE),
        ((20, 100), (20, 100), Outcome.INCONCLUSIVE),
    ],
)
def test_two_groups_are_compared_by_the_difference_of_their_rates(
    first: tuple[int, int], second: tuple[int, int], outcome: Outcome
) -> None:
    check = decided(compared(first, second))
    assert check.outcome is outcome
    points = 100 * (first[0] / first[1] - second[0] / second[1])
    shares = f"{first[0]} of 100 long examples fail and {second[0]} of 100 short examples fail"
    words = f"{shares}, {abs(points):.0f} points {'more' if points >= 0 else 'fewer'}"
    assert check.message.startswith(f"{words}: ")
    assert "the limit of 10 points" in check.message
    expected = Gap(first, second).tail(0.1).p_value
    assert check.p_value == expected


def test_an_inconclusive_gap_says_how_many_more_examples_would_decide() -> None:
    check = decided(compared((35, 100), (20, 100)))
    assert check.needed == Gap((35, 100), (20, 100)).examples_to_decide(0.1)
    assert check.message.endswith("cannot decide a limit of 10 points at a rate of 15 points: choose another limit.")
    wide = decided(compared((38, 100), (20, 100)))
    assert wide.message.endswith(f"; draw about {wide.needed:,} more examples: they decide in 80 % of cases.")


def test_a_group_of_which_nothing_was_tested_is_an_error() -> None:
    check = decided(compared((0, 0), (3, 10)))
    assert check.outcome is Outcome.ERROR
    assert check.message == "tested nothing of the group 'long', so there is nothing to compare."


def test_a_difference_is_told_in_points_and_a_rate_in_percent() -> None:
    assert rate_of(compared((1, 2), (1, 2)), 0.125) == "12.5 points"
    assert rate_of(counted(1, 2), 0.125) == "12.5 %"


@pytest.mark.parametrize(("unmoved", "told"), [(4, True), (3, False), (0, False)])
def test_a_verdict_on_a_change_that_the_model_does_not_see_says_so(unmoved: int, told: bool) -> None:
    check = decided(counted(0, 100, candidates=CandidateCounts(tested=4, unmoved=unmoved)))
    assert check.outcome is Outcome.PASSED
    assert check.message.endswith("this change: none of 4 texts moves a probability.") is told


def test_a_limit_for_valid_failures_is_corrected_beside_the_others() -> None:
    check = counted(40, 200, 0.1, limit_of_valid=True)
    part = ReviewCounts(40, valid=31, invalid=9)
    alone = valid_limit(200, part, 0.1)
    (only,) = decide([check], {}, reviews={check.id: part})
    assert (only.outcome, only.p_value) == (Outcome.FAILED, alone.p_value)
    for others in (1, 9):
        (among,) = decide([check], {}, others=others, reviews={check.id: part})
        assert among.p_value == pytest.approx((1 + others) * alone.p_value)
    assert among.outcome is Outcome.INCONCLUSIVE
    assert "not proved among 10 tests" in among.message


# ---- what an added example is worth, and against how many others it has to win -------------------------


def test_an_added_example_has_to_win_against_what_the_correction_leaves() -> None:
    checks = [counted(60, 100, id="a"), counted(12, 100, id="b"), counted(13, 100, id="c")]
    clear, *near = decide(checks, {})
    assert clear.outcome is Outcome.FAILED
    for check, failing in zip(near, (12, 13), strict=True):
        assert check.needed == examples_to_decide(failing / 100, 100, 0.1, 2)
        assert check.needed != examples_to_decide(failing / 100, 100, 0.1)


def test_clustered_examples_are_compared_by_their_test_and_by_no_estimated_number() -> None:
    mean = Mean({(0.0, 4): 15, (4.0, 4): 10})
    clear = decided(counted(40, 100, effective=25.0, clusters=25, clustered={"": mean}))
    assert (clear.outcome, clear.p_value) == (Outcome.FAILED, mean.tail(0.1).p_value)
    estimated = decided(counted(40, 100, effective=25.0))
    assert estimated.p_value == tail(40, 100, 0.1).p_value


@pytest.mark.parametrize("clusters", [None, 50])
def test_a_check_with_a_budget_stands_by_the_evidence_of_all_its_looks(clusters: int | None) -> None:
    looks = {"": TailRecord(side=Outcome.FAILED, p_value=0.003)}
    budget = BudgetRecord(most=400, drawn=120, saved=280, tails=looks)
    check = decided(counted(30, 100, budget=budget, clusters=clusters))
    assert (check.outcome, check.p_value) == (Outcome.FAILED, 0.003)
    assert ", after 120 of at most 400 examples" in check.message
    weak = TailRecord(side=Outcome.INCONCLUSIVE, p_value=1, towards=Outcome.PASSED, evidence=0.614)
    open_still = BudgetRecord(most=400, drawn=120, saved=0, tails={"": weak})
    near = decided(counted(12, 100, budget=open_still, clusters=clusters))
    assert "to tell, after 120 of at most 400 examples, with 61.4 % of the evidence for passed" in near.message
    own = 100 if clusters is None else clusters
    more = examples_to_decide(0.12, own, 0.1, sequential=True) or 0
    assert near.needed == more * 100 / own
    assert near.needed > (examples_to_decide(0.12, 100, 0.1) or 0)


def test_groups_of_clusters_are_compared_as_what_they_are_worth() -> None:
    gap = Gap((17.5, 50), (20, 100), 150 / 200)
    found = decided(compared((35, 100), (20, 100)).model_copy(update={"estimates": {"": gap}}))
    assert found.outcome is Outcome.INCONCLUSIVE
    plain = Gap((17.5, 50), (20, 100)).examples_to_decide(0.1) or 0
    assert found.needed == math.ceil(plain * 200 / 150)


def averaged(limit: float | None, trials: dict[tuple[float, float], int]) -> CheckCounts:
    mean, failing = Mean(trials), sum(number for (share, _), number in trials.items() if share)
    shared: dict[str, Any] = {"numbers": {}, "fails": {"use": "mean"}, "rate": mean.rate, "interval": mean.interval}
    found = counted(failing, mean.tested, clustered={"": mean}, **shared)
    return found.model_copy(update={"limit": limit})


def test_a_mean_is_judged_however_it_is_distributed_and_says_of_how_many_examples_it_is() -> None:
    trials = {(0.0, 1.0): 100, (0.25, 1.0): 12, (0.5, 1.0): 8}
    check = decided(averaged(0.2, trials))
    assert (check.outcome, check.p_value) == (Outcome.PASSED, Mean(trials).tail(0.2).p_value)
    assert check.message == (
        "on average 5.8 % [3.6, 9.8] of an example's candidates fail, in 20 of 120 examples at least one: within the "
        "limit of 20 %."
    )
    assert rate_text(check) == "mean 5.8 % [3.6, 9.8] of 120"
    assert decided(averaged(0.01, trials)).outcome is Outcome.FAILED
    assert decided(averaged(None, trials)).message.endswith("at least one; it has no limit.")
    near = decided(averaged(0.08, trials))
    assert near.outcome is Outcome.INCONCLUSIVE
    assert near.needed == Mean(trials).examples_to_decide(0.08)
    assert f"too near the limit of 8 % to tell; draw about {near.needed:,} more examples: they" in near.message


def test_a_gap_and_a_mean_are_of_the_family_of_the_checks() -> None:
    gap, mean = compared((34, 100), (10, 100)), averaged(0.02, {(0.0, 1): 100, (0.25, 1): 12, (0.5, 1): 8})
    rest = [counted(10, 100, id=f"s.yaml::other{n}") for n in range(9)]
    for check in (gap, mean):
        alone, among = decided(check), decide([check, *rest], {})[0]
        assert alone.outcome is Outcome.FAILED
        assert among.p_value == pytest.approx(10 * (alone.p_value or 0))
    assert decide([gap, *rest], {})[0].outcome is Outcome.INCONCLUSIVE


def test_a_plugins_mean_is_named() -> None:
    check = averaged(None, {(0.5, 1): 4}).model_copy(update={"fails": {"use": "weighed", "by": 2}})
    assert "of an example's candidates fail, as 'weighed 2' tells, in 4 of 4 examples" in decided(check).message


def test_the_rows_that_are_needed_are_those_of_the_arm_that_is_open() -> None:
    limits = {"difficult": 0.5, "control": 0.1}
    check = in_arms(limits, difficult=(0, 100), control=(12, 100))
    arms = {
        name: arm.model_copy(update={"drawn": 300 if name == "control" else 100}) for name, arm in check.arms.items()
    }
    found = decided(check.model_copy(update={"arms": arms}))
    assert found.needed == examples_to_decide(0.12, 100, 0.1, 2)  # the other arm passes, and may still fail: a rival
    assert found.needed_rows == 3 * (found.needed or 0)


@pytest.mark.parametrize(
    ("reviewed", "told"),
    [
        (None, "; nobody has looked at a failure: 'robustfim review' asks which are valid"),
        (ReviewCounts(22, valid=11, invalid=5, unsure=1), "; look at more failures ('robustfim review'; 5 are left)"),
        (ReviewCounts(22, valid=17, invalid=5), "; all failures were looked at, and more examples would decide."),
    ],
)
def test_a_limit_for_valid_failures_that_is_open_says_what_to_look_at(reviewed: ReviewCounts | None, told: str) -> None:
    check = counted(22, 200, 0.1, limit_of_valid=True)
    (found,) = decide([check], {}, reviews={check.id: reviewed} if reviewed else {})
    assert (found.outcome, found.needed) == (Outcome.INCONCLUSIVE, None)
    assert told in found.message
    rate = "8.5 % [4" if not reviewed or reviewed.unsure == 0 else "7.6 % ["
    assert ("validly as" in found.message) == bool(reviewed)
    assert not reviewed or rate in found.message
    assert "the limit of 10 % of valid failures" in found.message


def test_a_limit_is_written_as_the_suite_says_it() -> None:
    assert limit_text(counted(1, 2, 0.125)) == "12.5 %"
    assert limit_text(counted(1, 2, 0.1, limit_of_valid=True)) == "10 % of valid failures"
    assert limit_text(counted(1, 2, {"difficult": 0.3, "control": 0.05})) == "difficult 30 %, control 5 %"
    assert limit_text(counted(1, 2).model_copy(update={"limit": None})) == ""
    assert limit_text(compared((1, 2), (1, 2))) == "10 points"
    assert limit_text(counted(1, 2, 0.0)) == "0 % of the tested texts alone"
    assert limit_text(compared((1, 2), (1, 2), 0.0)) == "0 points"


def test_another_test_that_fails_the_run_is_of_the_family_of_the_limits() -> None:
    checks = [counted(20, 100), counted(3, 100), counted(30, 100, 0.2)]
    alone = [check.p_value for check in decide(checks, {})]
    beside = [check.p_value for check in decide(checks, {}, beside=0.9)]
    raw = [binomtest(20, 100, 0.1, alternative="greater").pvalue, binomtest(30, 100, 0.2, alternative="greater").pvalue]
    assert alone[0] == pytest.approx(3 * raw[0])
    assert beside[0] == pytest.approx(3.1 * raw[0])
    assert beside[1] == alone[1]
    assert alarm_p_value(1e-9, checks, {}) == pytest.approx(31e-9)  # a tenth of a limit's weight
    assert alarm_p_value(0.02, [], {}) == 0.02


def test_with_every_rate_at_its_limit_and_no_association_few_runs_fail() -> None:
    random = np.random.default_rng(5)
    runs, number = 1500, 5
    wrong = 0
    for counts, p_value in zip(random.binomial(100, 0.1, (runs, number)).tolist(), random.random(runs), strict=True):
        checks = [counted(count, 100, id=f"s.yaml::{place}") for place, count in enumerate(counts)]
        failed = any(check.outcome is Outcome.FAILED for check in decide(checks, {}, beside=float(p_value)))
        wrong += failed or alarm_p_value(float(p_value), checks, {}) <= 0.025
    assert wrong / runs <= 0.025 + 3 * math.sqrt(0.025 * 0.975 / runs)


# ---- what the arms stand for ----------------------------------------------------------------------------

ARMS = {
    "difficult": ArmRecord(drawn=100, tested=100, failing=30),
    "control": ArmRecord(drawn=100, tested=100, failing=1),
}
STRATA = (Stratum(100, 100, 100, 30), Stratum(900, 100, 100, 1))


@pytest.mark.parametrize(
    ("arms", "said"),
    [
        (ARMS, "30 of 100 difficult and 1 of 100 control examples fail, 3.9 % ["),
        ({"all": ArmRecord(drawn=200, tested=200, failing=31)}, "31 of 200 examples fail (15.5 %), 3.9 % ["),
        (
            {**ARMS, "none": ArmRecord(drawn=0, tested=0, failing=0)},
            "30 of 100 difficult and 1 of 100 control examples",
        ),
        ({**ARMS, "few": ArmRecord(drawn=5, tested=0, failing=0)}, "31 of 200 examples fail, 3.9 % ["),
    ],
)
def test_what_the_arms_stand_for_is_told_beside_what_was_counted(arms: dict[str, ArmRecord], said: str) -> None:
    check = decided(counted(31, 200, 0.05, arms=arms, strata=STRATA))
    assert check.message.startswith(said)
    assert (
        "] of the population: within the limit of 5 %" in check.message or "too near the limit of 5 %" in check.message
    )
    found = present(stratified_rate(STRATA))
    assert percent(*found) in check.message


def test_of_a_file_that_was_tested_whole_no_interval_is_told() -> None:
    check = decided(counted(10, 100, 0.2, limit_of_file=True, strata=(Stratum(100, 100, 100, 10),)))
    assert check.message == "10 of 100 examples fail (10 %): within the limit of 20 % of the file alone."


# ---- kinds of error and slices --------------------------------------------------------------------------


def wrong(failing: int, tested: int, before: int = 0, **more: Any) -> ErrorRecord:
    return ErrorRecord(failing=failing, tested=tested, before=before, interval=wilson(failing, tested), **more)


def test_a_kind_of_error_is_told_by_its_counts_its_rate_and_what_it_was_before() -> None:
    seven = percent(7 / 40, wilson(7, 40))
    assert seven == "17.5 % [8.7, 31.9]"
    assert error_text("missed", wrong(7, 40, 2)) == f"missed 7 of 40 with the label, {seven}, 5 % before any change"
    assert error_text("false_alarm rude", wrong(7, 40, 2, label="rude")) == (
        f"false alarms 7 of 40 without rude, {seven}, 5 % before any change"
    )
    assert error_text("slice short", wrong(7, 40)) == f"7 of 40 examples of the slice short fail, {seven}"
    strict = wrong(7, 40, 2, at=0.984)  # of what is missed: what is found is the rest
    rest = "82.5 % [68.1, 91.3], 95 % before any change"
    assert error_text("missed_at_1_percent", strict) == f"recall at 1 % false alarms (P ≥ 0.98) {rest}"
    labelled = strict.model_copy(update={"label": "rude"})
    assert error_text("missed_at_1_percent rude", labelled) == f"recall of rude at 1 % false alarms (P ≥ 0.98) {rest}"


def test_kinds_of_error_that_decide_nothing_are_told_behind_the_verdict() -> None:
    errors = {"missed": wrong(7, 40, 2), "false_alarm": wrong(1, 60)}
    told = [error_text(name, error) for name, error in errors.items()]
    check = decided(counted(1, 100, errors=errors))
    assert check.message == f"1 of 100 examples fail (1 %): within the limit of 10 %; {told[0]}; {told[1]}."
    errors["missed"] = wrong(7, 40, 2, limit=0.01)
    check = decided(counted(8, 100, {"missed": 0.01}, errors=errors))
    assert check.message == f"{told[0]}: above the limit of 1 %; {told[1]}."


def test_kinds_of_error_of_several_labels_are_told_label_by_label() -> None:
    errors = {
        "changed rude": wrong(3, 60, label="rude"),
        "missed rude": wrong(2, 15, 1, label="rude"),
        "missed long": wrong(4, 20, 4, label="long"),
        "missed_at_1_percent long": wrong(7, 40, 2, label="long", at=0.984),
        "false_alarm long": wrong(5, 40, 0, label="long"),
    }
    rude = "rude: 3 of 60 changed, 2 of 15 missed (1 before)"
    strict = "recall at 1 % false alarms (P ≥ 0.98) 82.5 % [68.1, 91.3], 95 % before any change"
    long = f"long: 4 of 20 missed (4 before), {strict}, 5 of 40 false alarms (0 before)"
    assert decided(counted(1, 100, errors=errors)).message.endswith(f"limit of 10 %; {rude}; {long}.")
    recall = [RecallRecord(label="rude", before=Rate(10, 15), after=Rate(9, 15))]
    tagged = decided(counted(1, 100, errors=errors, recall=recall)).message
    assert "rude: 3 of 60" not in tagged, "the spans that are found are told instead"
    assert recall[0].told in tagged
    errors["missed rude"] = wrong(2, 15, 1, label="rude", limit=0.9)
    tagged = decided(counted(1, 100, errors=errors, recall=recall)).message
    assert "; rude: 2 of 15 missed (1 before);" in tagged


@pytest.mark.parametrize(
    ("errors", "said"),
    [
        ({}, "tested no text with the label, so that there is no rate of missed ones."),
        ({"missed": wrong(0, 0)}, "tested no text with the label, so that there is no rate of missed ones."),
        (
            {"missed rude": wrong(1, 9, label="rude"), "missed long": wrong(0, 0, label="long")},
            "tested no text with the label long, so that there is no rate of missed ones.",
        ),
        ({"missed": wrong(0, 9)}, ""),
    ],
)
def test_a_limit_for_an_error_that_no_text_can_have_is_no_verdict(errors: dict[str, ErrorRecord], said: str) -> None:
    limited = {name: error.model_copy(update={"limit": 0.5}) for name, error in errors.items()}
    check = decided(counted(1, 100, {"missed": 0.5}, errors=limited))
    assert (check.outcome is Outcome.ERROR, check.message if said else "") == (bool(said), said)


def test_a_slice_with_a_limit_is_held_to_it_and_one_of_nothing_is_inconclusive() -> None:
    short = wrong(30, 40, limit=0.1)
    check = decided(counted(30, 300, 0.5, errors={"slice short": short}))
    assert (check.outcome, check.message) == (
        Outcome.FAILED, f"{error_text('slice short', short)}: above the limit of 10 %.",
    )  # fmt: skip
    assert limit_text(check) == "50 %, slice short 10 %"
    none = decided(counted(1, 100, errors={"slice short": wrong(0, 0, limit=0.1)}))
    assert (none.outcome, none.message) == (
        Outcome.INCONCLUSIVE, "nothing of the slice short was tested, so the limit of 10 % is not proved.",
    )  # fmt: skip


def test_a_comparison_that_a_reducer_makes_itself_is_not_said_to_be_counted_by_it() -> None:
    own = compared((20, 100), (40, 100)).model_copy(update={"fails": {"use": "more", "by": 2}})
    assert "20 points fewer: within the limit of 10 points" in decided(own).message
    assert own.gap is not None
    again = own.gap.model_copy(update={"alone": [5, 25], "answers": 3})
    told = decided(own.model_copy(update={"gap": again})).message
    assert "20 points fewer, by up to 3 answers to each, counted by 'more 2': within" in told
    once = own.gap.model_copy(update={"alone": [5, 25], "answers": 1})
    assert "20 points fewer, counted by 'more 2'" in decided(own.model_copy(update={"gap": once})).message


def test_a_run_gates_where_a_limit_a_baseline_or_what_broke_could_fail_it() -> None:
    def gating(*outcomes: str, **more: Any) -> bool:
        checks = [counted(1, 9).record(Outcome(outcome)) for outcome in outcomes]
        return gates(Record.model_construct(**{"checks": checks, "comparisons": [], **more}))

    assert [gating(), gating("measured"), gating("measured", "skipped")] == [False] * 3
    assert [gating("measured", each) for each in ("passed", "failed", "inconclusive", "error", "xfailed")] == [True] * 5
    assert gating("measured", comparisons=[Comparison()]) is True


@pytest.mark.parametrize("failing", [0, 2])
@pytest.mark.parametrize("limit", [0.0, 0.05, 0.1, 0.12, 0.3])
def test_a_limit_is_held_only_if_examples_without_an_answer_may_all_fail(failing: int, limit: float) -> None:
    # With a fraction u of unanswered examples, a rate r of the answered ones is r (1 - u) + u of all.
    answered, unanswered = 180, 20
    (found,) = decide([counted(failing, answered, limit, unanswered=unanswered)], {})
    share = unanswered / (answered + unanswered)
    p_value = binomtest(failing, answered, max(0.0, (limit - share) / (1 - share)), alternative="less").pvalue
    proved = limit > share and p_value <= 0.025
    alone = tail(failing, answered, limit).side
    assert found.outcome is (alone if proved or alone is not Outcome.PASSED else Outcome.INCONCLUSIVE)
    assert ("unless 20 examples without an answer fail" in found.message) is (alone is Outcome.PASSED and not proved)
    assert found.message.endswith("; let the model answer them.") is (alone is Outcome.PASSED and not proved)


@pytest.mark.parametrize("failing", [1, 5, 6, 7, 8, 10, 13])
def test_after_several_looks_the_worst_case_is_held_to_an_interval_that_is_valid_at_each(failing: int) -> None:
    answered, unanswered, limit = 160, 2, 0.1
    share = unanswered / (answered + unanswered)
    looks = {each: Watch(each, planned=320) for each in (limit, (limit - share) / (1 - share))}
    for watch in looks.values():
        for part in range(1, 6):
            watch.look(failing * part // 5, answered * part // 5)
    alone, worst = (watch.tail for watch in looks.values())
    budget = BudgetRecord(most=320, drawn=160, saved=0, tails={"": TailRecord(side=alone.side, p_value=alone.p_value)})
    interval = looks[limit].interval
    found = decided(counted(failing, answered, limit, budget=budget, interval=interval, unanswered=unanswered))
    assert found.outcome is worst.side


def test_examples_without_an_answer_may_all_be_of_the_smaller_of_two_groups() -> None:
    small, large, unanswered = (0, 100), (0, 900), 20
    assert decided(compared(small, large)).outcome is Outcome.PASSED
    assert Gap((20, 120), large).tail(0.1).side is not Outcome.PASSED
    assert decided(compared(small, large, unanswered=unanswered)).outcome is Outcome.INCONCLUSIVE
