"""What a limit speaks of: the population, the file, an arm, strata of a score, or the tested texts."""

from __future__ import annotations

import json
import re
import shutil
from typing import Any

import numpy as np
import pytest

from robustfim.judge import limit_text, rate_text
from robustfim.outcome import Outcome
from tests.present import present
from tests.robustfim.command_line import CommandLine, refused, unbroken

ARMS = "scores: [long]\nselect: {by: long, difficult: 20, control: 60}"
OF_FILE = "of: file\n"


def suite(robustfim: CommandLine, limit: str, rest: str, *, long: int = 20, short: int = 400) -> str:
    """Long texts, which ``long`` finds, fail when their film is awful; short ones hold out."""
    rows = [[f"a good film of number {i} by night", "positive"] for i in range(long)]
    rows += [[f"a great great film {i}", "positive"] for i in range(short)]
    return awful(robustfim, rows, limit, rest)


def awful(robustfim: CommandLine, rows: list[list[str]], limit: str, rest: str) -> str:
    """A suite of texts of which some fail when their film is awful."""
    check = "{films: {perturb: {use: rename, table: {film: awful}}, limit: " + limit + "}}"
    return robustfim.suite(check, data="{use: films, rows: " + json.dumps(rows) + "}", rest=rest)


def ran(robustfim: CommandLine, limit: str, rest: str, **more: int) -> tuple[Any, str]:
    shown = robustfim(f"run {suite(robustfim, limit, rest, **more)} -v")
    (check,) = robustfim.record("other").checks
    return check, shown.out


def test_a_limit_for_all_is_held_against_the_estimate_from_both_arms(robustfim: CommandLine) -> None:
    check, shown = ran(robustfim, "0.2", ARMS)
    assert (check.tested, check.failing, check.outcome) == (80, 20, Outcome.PASSED)
    assert check.rate == pytest.approx(20 / 420)
    assert check.of == "population"
    low, high = check.interval
    ends = f"4.8 % [{100 * low:.1f}, {100 * high:.1f}]"
    assert rate_text(check) == f"{ends} from 80"
    assert check.message.startswith(
        f"20 of 20 difficult and 0 of 60 control examples fail, {ends} of the population: within the limit of 20 %"
    )
    assert f"{ends} from 80, limit 20 %" in shown


def test_a_limit_for_each_arm_holds_each_and_the_estimate_stands_beside_them(robustfim: CommandLine) -> None:
    both, _ = ran(robustfim, "{difficult: 0.5, control: 0.2}", ARMS)
    assert both.outcome is Outcome.FAILED
    assert both.weighted
    assert ran(robustfim, "{control: 0.2}", ARMS)[0].outcome is Outcome.PASSED


def test_a_limit_for_all_is_refused_without_a_control_arm_and_one_for_the_difficult_arm_is_not(
    robustfim: CommandLine,
) -> None:
    rest = ARMS.replace("control: 60", "control: 0")
    refused(
        robustfim(f"run {suite(robustfim, '0.2', rest)}"),
        "other.yaml:5:",
        "'select' without a control arm does not support a limit for all the data: the chosen examples",
    )
    assert ran(robustfim, "{difficult: 0.2}", rest)[0].outcome is Outcome.FAILED
    assert ran(robustfim, "0", rest)[0].outcome is Outcome.FAILED


def test_a_file_that_was_tested_whole_is_decided_where_its_population_is_not(robustfim: CommandLine) -> None:
    check, shown = ran(robustfim, "0.05", OF_FILE)
    assert (check.failing, check.tested, check.outcome, check.p_value) == (20, 420, Outcome.PASSED, 0)
    assert limit_text(check) == "5 % of the file alone"
    assert "within the limit of 5 % of the file alone" in check.message
    assert unbroken(shown).count("5 % of the file alone") == 2
    population, shown = ran(robustfim, "0.05", "")
    assert population.outcome is Outcome.INCONCLUSIVE
    assert "of the file" not in shown


def test_a_sample_of_a_file_says_more_of_the_file_than_of_its_population(robustfim: CommandLine) -> None:
    # 60 short ones hold out: of the other 340 nobody knows, whereas the 20 long ones are all there are.
    of_file, population = (ran(robustfim, "0.2", rest + ARMS)[0] for rest in (OF_FILE, ""))
    assert of_file.rate == population.rate
    assert population.interval[0] < of_file.interval[0] == pytest.approx(20 / 420)
    assert of_file.interval[1] < population.interval[1]


def test_a_check_can_ask_of_the_file_where_its_suite_asks_of_the_population(robustfim: CommandLine) -> None:
    assert ran(robustfim, "0.05, of: file", "")[0].outcome is Outcome.PASSED
    assert ran(robustfim, "0.05, of: population", OF_FILE)[0].outcome is Outcome.INCONCLUSIVE
    message = (
        "'of: file' does not support a limit for each arm: 'of: file' needs one limit, for all that the file holds."
    )
    refused(robustfim(f"run {suite(robustfim, '{control: 0.2}, of: file', ARMS)}"), "other.yaml:5:", message)


def test_a_limit_of_0_speaks_of_the_tested_texts_alone_and_says_so(robustfim: CommandLine) -> None:
    check, shown = ran(robustfim, "0", "", long=0, short=3)
    assert check.outcome is Outcome.PASSED
    assert check.message == "0 of 3 examples fail (0 %): within the limit of 0 % of the tested texts alone."
    assert "limit 0 % of the tested texts alone" in shown


# ---- strata of a score -----------------------------------------------------------------------------------

STRATA = "scores: [long]\nselect: {by: long, examples: 120}"
ROWS = [[f"a good film of number {n} {'by night ' * (n % 9)}", "positive"] for n in range(300)]
ROWS += [[f"a great great film {n}", "positive"] for n in range(330)]
"""Of 630 texts the 300 long ones fail when their film is awful, and the short ones hold out."""


def stratified_suite(robustfim: CommandLine, limit: str = "0.2", rest: str = STRATA) -> str:
    return awful(robustfim, ROWS, limit, rest)


def drawn_from_strata(robustfim: CommandLine, limit: str = "0.2", rest: str = STRATA) -> Any:
    robustfim(f"run {stratified_suite(robustfim, limit, rest)}")
    return robustfim.record("other").checks[0]


def test_the_rate_is_that_of_the_data_though_hard_texts_are_drawn_more_often(robustfim: CommandLine) -> None:
    check = drawn_from_strata(robustfim)
    strata = robustfim.record("other").selection.strata
    assert list(strata.values()) == [10, 20, 40, 80, 160, 320]
    shares = [(strata[name] / 630, arm.failing / arm.tested) for name, arm in check.arms.items()]
    assert check.rate == pytest.approx(sum(weight * rate for weight, rate in shares))
    assert check.interval[0] < 300 / 630 < check.interval[1]
    assert check.failing / check.tested > 0.55
    assert check.outcome is Outcome.FAILED
    assert check.message.startswith(f"{check.failing} of 120 examples fail, 4")
    assert "of the population: above the limit of 20 %" in check.message


@pytest.mark.slow
def test_over_many_seeds_the_mean_of_the_estimate_is_the_rate_of_the_data(robustfim: CommandLine) -> None:
    path = stratified_suite(robustfim)
    rates = []
    for seed in range(6):
        robustfim(f"run {path} --seed {seed} -q")
        rates.append(present(robustfim.record("other").checks[0].rate))
    error = np.std(rates, ddof=1) / np.sqrt(len(rates))
    assert np.mean(rates) == pytest.approx(300 / 630, abs=4 * float(error) + 1e-9)


def test_the_draw_is_said_and_no_stratum_is_taken_for_an_arm(robustfim: CommandLine) -> None:
    shown = robustfim(f"run {stratified_suite(robustfim)}")
    assert "testing: examples of 6 strata by long, hard ones most" in shown.out
    record = robustfim.record("other")
    assert {example.arm for example in record.examples if example.id in record.checks[0].examples} == {"all"}
    assert {failure.arm for failure in record.failures} == {"all"}
    assert record.reach == []
    assert [score.area for score in record.scores] == [None]
    page = robustfim.read("reports/other/report.html")
    assert "6, by long, hard ones most" in page


def test_a_lock_keeps_the_draw_and_what_it_stands_for(robustfim: CommandLine) -> None:
    first = drawn_from_strata(robustfim)
    path = stratified_suite(robustfim)
    assert robustfim(f"lock {path}").code == 0
    lock = json.loads(robustfim.read("other.lock.json"))
    assert lock["strata"] == robustfim.record("other").selection.strata
    assert robustfim(f"run {path} --lock other.lock.json").code in (0, 1)
    again = robustfim.record("other").checks[0]
    assert (again.rate, again.interval) == (first.rate, first.interval)
    assert again.examples == first.examples


def test_before_the_first_text_it_is_told_what_so_few_examples_could_not_pass(robustfim: CommandLine) -> None:
    shown = robustfim(f"run {stratified_suite(robustfim, '0.02', STRATA.replace('120', '60'))}")
    (line,) = [line for line in shown.out.splitlines() if line.startswith("cannot pass: films")]
    assert "even 0 of 60 failing could not pass 2 %; " in line
    needed = int(line.split("; ")[1].split(" are needed")[0])
    enough = robustfim(f"run {stratified_suite(robustfim, '0.02', STRATA.replace('120', str(needed)))}")
    assert "cannot pass: films" not in enough.out


def test_a_plan_counts_what_the_draw_is_worth(robustfim: CommandLine) -> None:
    shown = robustfim(f"plan {stratified_suite(robustfim, '0.4')}")
    assert shown.code == 0
    assert "select: {by: long, examples: " in shown.out


@pytest.mark.parametrize(
    ("limit", "rest", "message"),
    [
        (
            "0.2",
            STRATA + "\nbudget: 30",
            "'budget' below 60 does not support 'select: examples': a budget over strata is 60 examples at least",
        ),
        ("{difficult: 0.2}", STRATA, "a limit for the arm 'difficult', which 'select' leaves empty"),
        ("{valid: 0.2}", STRATA, "a limit for 'valid' does not support 'select' with arms or strata"),
        ("0.2", STRATA.replace("120", "30"), "greater than or equal to 60"),
        ("0.2", STRATA.replace("examples", "control: 9, examples"), "'examples' and 'control' exclude each other"),
    ],
)
def test_what_strata_cannot_hold_is_refused_before_anything_runs(
    robustfim: CommandLine, limit: str, rest: str, message: str
) -> None:
    refused(robustfim(f"run {stratified_suite(robustfim, limit, rest)}"), "other.yaml:", message)


def test_of_the_file_alone_what_was_drawn_whole_leaves_no_doubt(robustfim: CommandLine) -> None:
    check = drawn_from_strata(robustfim, "0.5", STRATA.replace("120", "630") + "\nof: file")
    assert check.rate == pytest.approx(300 / 630)
    assert check.interval == (check.rate, check.rate)
    assert check.outcome is Outcome.PASSED


# ---- a budget over strata --------------------------------------------------------------------------------


def test_a_budget_over_strata_stops_when_the_rate_of_the_data_is_certain(robustfim: CommandLine) -> None:
    check = drawn_from_strata(robustfim, "0.2, budget: 300", STRATA.replace("120", "400"))
    assert check.outcome is Outcome.FAILED
    assert check.tested == check.budget.drawn < check.budget.most == 300
    assert check.interval == check.budget.interval
    low, high = check.interval
    assert 0.2 < low < 300 / 630 < high
    assert f"after {check.budget.drawn} of at most 300 examples" in check.message
    assert "of the population: above the limit of 20 %" in check.message
    strata = robustfim.record("other").selection.strata
    weights = {name: size / 630 for name, size in strata.items()}
    shares = [weights[name] * arm.failing / arm.tested for name, arm in check.arms.items()]
    assert check.rate == pytest.approx(sum(shares))


def test_a_check_that_ends_inconclusive_says_how_much_of_the_evidence_it_has(robustfim: CommandLine) -> None:
    check = drawn_from_strata(robustfim, "0.49, budget: 90", STRATA.replace("120", "400"))
    assert check.outcome is Outcome.INCONCLUSIVE
    assert check.budget.tails[""].evidence < 1
    assert check.budget.drawn == check.budget.most == 90
    assert re.search(r"too near the limit of 49 % to tell, after 90 of at most 90 examples", check.message)


@pytest.mark.slow
def test_the_same_seed_asks_the_same_examples_in_the_same_order_and_a_lock_keeps_them(
    robustfim: CommandLine,
) -> None:
    rest = STRATA.replace("120", "400")
    first, again = (drawn_from_strata(robustfim, "0.3, budget: 300", rest) for _ in range(2))
    assert first.examples == again.examples
    other = drawn_from_strata(robustfim, "0.3, budget: 300", rest + "\nseed: 7")
    assert other.examples != first.examples
    path = stratified_suite(robustfim, "0.3, budget: 300", rest)
    assert robustfim(f"lock {path}").code == 0
    assert robustfim(f"run {path} --lock other.lock.json").code in (0, 1)
    locked = robustfim.record("other")
    assert locked.lock is not None
    assert (locked.checks[0].examples, locked.checks[0].rate) == (first.examples, first.rate)


def test_a_limit_for_two_arms_together_stops_with_a_budget_as_well(robustfim: CommandLine) -> None:
    check, _ = ran(robustfim, "0.3, budget: 200", ARMS.replace("control: 60", "control: 300"))
    assert check.outcome is Outcome.PASSED
    assert check.budget.drawn < 200
    assert check.interval[0] <= 20 / 420 <= check.interval[1] < 0.3


def test_a_budget_over_all_of_the_data_is_a_plain_sample_and_with_a_limit_for_each_arm_both_are_weighed(
    robustfim: CommandLine,
) -> None:
    arms = "scores: [long]\nselect: {by: long, difficult: 20, control: 400}\nbudget: 420"
    check, _ = ran(robustfim, "0.2", arms)
    assert check.outcome is Outcome.PASSED
    assert not check.weighted
    assert check.budget.drawn == check.tested < 100
    assert f"{check.failing} of {check.tested} examples fail" in check.message
    check, _ = ran(robustfim, "{difficult: 0.2, control: 0.2}", arms)
    assert check.weighted


def test_of_a_file_a_budget_stops_and_what_is_left_may_no_longer_change_the_verdict(robustfim: CommandLine) -> None:
    check = ran(robustfim, "0.1, budget: 420", OF_FILE, long=20, short=400)[0]
    assert check.outcome is Outcome.PASSED
    assert check.budget.drawn < 300
    assert check.of == "file"
    assert "within the limit of 10 % of the file alone" in check.message
    near = ran(robustfim, "0.047, budget: 420", OF_FILE, long=20, short=400)[0]
    assert (near.outcome, near.budget and near.budget.drawn) == (Outcome.FAILED, 420)


@pytest.mark.slow
def test_a_run_that_was_stopped_goes_on_to_the_record_it_would_have_had(robustfim: CommandLine) -> None:
    rest = STRATA.replace("120", "400")
    path = stratified_suite(robustfim, "0.4, budget: 300", rest)
    assert robustfim(f"run {path} --max-calls 680").code == 6
    stopped: Any = robustfim.record("other").checks[0]
    assert stopped.tested == stopped.budget.drawn == sum(arm.drawn for arm in stopped.arms.values()) < 100
    resumed = drawn_from_strata(robustfim, "0.4, budget: 300", rest)
    shutil.rmtree(robustfim.folder / ".robustfim")
    anew = drawn_from_strata(robustfim, "0.4, budget: 300", rest)
    timed = {"duration_s": 0.0}
    assert resumed.model_copy(update=timed) == anew.model_copy(update=timed)
