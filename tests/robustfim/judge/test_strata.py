"""What a limit speaks of: the population, the file, an arm, or the tested texts."""

from __future__ import annotations

import json

import pytest

from robustfim.judge import limit_text, rate_text
from robustfim.outcome import Outcome
from robustfim.record import CheckRecord
from tests.robustfim.command_line import CommandLine, refused

ARMS = "scores: [length]\nselect: {by: length, difficult: 20, control: 60}"
OF_FILE = "of: file\n"


def suite(robustfim: CommandLine, limit: str, rest: str, *, long: int = 20, short: int = 400) -> str:
    """Long texts, which ``length`` finds, fail when their film is awful; short ones hold out."""
    rows = [[f"a good film of number {i} by night", "positive"] for i in range(long)]
    rows += [[f"a great great film {i}", "positive"] for i in range(short)]
    check = "{perturb: {use: rename, table: {film: awful}}, limit: " + limit + "}"
    return robustfim.suite("{films: " + check + "}", data="{use: films, rows: " + json.dumps(rows) + "}", rest=rest)


def ran(robustfim: CommandLine, limit: str, rest: str, **more: int) -> tuple[CheckRecord, str]:
    shown = robustfim(f"run {suite(robustfim, limit, rest, **more)} -v")
    (check,) = robustfim.record("other").checks
    return check, shown.out


def test_a_limit_for_all_is_held_against_the_estimate_from_both_arms(robustfim: CommandLine) -> None:
    check, shown = ran(robustfim, "0.2", ARMS)
    assert (check.tested, check.failing, check.outcome) == (80, 20, Outcome.PASSED)
    assert check.held is not None
    assert check.held.rate == pytest.approx(20 / 420)
    assert (check.held.examples, check.held.of) == (420, "population")
    low, high = check.held.interval
    ends = f"4.8 % [{100 * low:.1f}, {100 * high:.1f}]"
    assert rate_text(check) == f"{ends} from 80"
    assert check.message.startswith(
        f"20 of 20 difficult and 0 of 60 control examples fail, {ends} of the population: within the limit of 20 %"
    )
    assert f"{ends} from 80, limit 20 %" in shown


def test_a_limit_for_each_arm_holds_each_and_the_estimate_stands_beside_them(robustfim: CommandLine) -> None:
    both, shown = ran(robustfim, "{difficult: 0.5, control: 0.2}", ARMS)
    assert both.outcome is Outcome.FAILED
    assert both.held is None
    assert "of the population would fail." in shown
    assert ran(robustfim, "{control: 0.2}", ARMS)[0].outcome is Outcome.PASSED


def test_a_limit_for_all_is_refused_without_a_control_arm_and_one_for_the_difficult_arm_is_not(
    robustfim: CommandLine,
) -> None:
    rest = ARMS.replace("control: 60", "control: 0")
    refused(
        robustfim(f"run {suite(robustfim, '0.2', rest)}"),
        "other.yaml:5:",
        "check 'films' has a limit for all the data, of which 'select' tests the difficult examples alone. Say 'limit: "
        "{difficult: 0.2}' for these, or give 'select' a control arm.",
    )
    assert ran(robustfim, "{difficult: 0.2}", rest)[0].outcome is Outcome.FAILED
    assert ran(robustfim, "0", rest)[0].outcome is Outcome.FAILED


def test_a_file_that_was_tested_whole_is_decided_where_its_population_is_not(robustfim: CommandLine) -> None:
    check, shown = ran(robustfim, "0.05", OF_FILE)
    assert (check.failing, check.tested, check.outcome, check.p_value) == (20, 420, Outcome.PASSED, 0)
    assert limit_text(check) == "5 % of the file alone"
    assert "within the limit of 5 % of the file alone" in check.message
    assert shown.count("5 % of the file alone") == 2
    population, shown = ran(robustfim, "0.05", "")
    assert population.outcome is Outcome.INCONCLUSIVE
    assert "of the file" not in shown


def test_a_sample_of_a_file_says_more_of_the_file_than_of_its_population(robustfim: CommandLine) -> None:
    # 60 short ones hold out: of the other 340 nobody knows, whereas the 20 long ones are all there are.
    of_file, population = (ran(robustfim, "0.2", rest + ARMS)[0].held for rest in (OF_FILE, ""))
    assert of_file is not None
    assert population is not None
    assert (of_file.of, of_file.rate) == ("file", population.rate)
    assert population.interval[0] < of_file.interval[0] == pytest.approx(20 / 420)
    assert of_file.interval[1] < population.interval[1]


def test_a_check_can_ask_of_the_file_where_its_suite_asks_of_the_population(robustfim: CommandLine) -> None:
    assert ran(robustfim, "0.05, of: file", "")[0].outcome is Outcome.PASSED
    assert ran(robustfim, "0.05, of: population", OF_FILE)[0].outcome is Outcome.INCONCLUSIVE
    for wrong, message in [
        ("{control: 0.2}, of: file", "'of: file' needs one limit, for all that the file holds."),
        ("0.2, of: file, budget: 30", "a budget stops where the verdict on the population is certain"),
    ]:
        refused(robustfim(f"run {suite(robustfim, wrong, ARMS)}"), "other.yaml:5:", message)


def test_a_limit_of_0_speaks_of_the_tested_texts_alone_and_says_so(robustfim: CommandLine) -> None:
    check, shown = ran(robustfim, "0", "", long=0, short=3)
    assert check.outcome is Outcome.PASSED
    assert check.message == "0 of 3 examples fail (0 %): within the limit of 0 % of the tested texts alone."
    assert "limit 0 % of the tested texts alone" in shown
