"""Limits that the arms of a suite cannot hold are refused when it is read."""

from __future__ import annotations

import pytest

from tests.robustfim.command_line import CommandLine, refused

ARMS = "scores: [long]\nselect: {by: long, difficult: 20, control: 60}"


@pytest.mark.parametrize(
    ("limit", "rest"),
    [
        ("{difficult: 0.2, control: 0.1}", ARMS),
        ("0.2", "select: {difficult: 0, control: 5}"),
        ("0", ARMS),
        ("0.2", f"{ARMS}\ncluster: film"),
        ("{valid: 0.2}", "select: {difficult: 0, control: 5}"),
    ],
)
def test_a_limit_for_each_arm_a_plain_sample_and_what_a_budget_does_not_stop_are_not(
    robustfim: CommandLine, limit: str, rest: str
) -> None:
    suite = robustfim.suite("{x: {perturb: rename, limit: " + limit + "}}", rest=rest + "\nbudget: 30")
    assert robustfim(f"list {suite}").code == 0


def test_a_limit_for_valid_failures_of_two_arms_is_refused(robustfim: CommandLine) -> None:
    suite = robustfim.suite("{x: {perturb: rename, limit: {valid: 0.2}}}", rest=ARMS)
    message = "a limit for 'valid' does not support 'select' with arms or strata: the limit takes all tested"
    refused(robustfim(f"run {suite}"), "other.yaml:5:", message)


def test_a_limit_for_a_gap_between_groups_of_two_arms_is_refused(robustfim: CommandLine) -> None:
    check = "{x: {perturb: itself, expect: correct, fails: hard_as_easy, limit: 0.2}}"
    suite = robustfim.suite(check, rest=ARMS)
    refused(robustfim(f"run {suite}"), "other.yaml:5:", "'fails: hard_as_easy' does not support 'select' with arms")


def test_a_slice_with_a_limit_is_refused_beside_a_gap_between_groups(robustfim: CommandLine) -> None:
    check = "{x: {perturb: itself, expect: correct, fails: hard_as_easy, limit: 0.2}}"
    suite = robustfim.suite(check, rest="slices: {short: {words: [null, 5], limit: 0.1}}")
    message = "'fails: hard_as_easy' does not support a limit of a slice"
    refused(robustfim(f"run {suite}"), "other.yaml:6:", message)


def test_a_limit_for_an_arm_that_is_left_empty_is_refused(robustfim: CommandLine) -> None:
    suite = robustfim.suite(
        "{x: {perturb: rename, limit: {difficult: 0.2}}}", rest="select: {difficult: 0, control: 5}"
    )
    message = "check 'x' has a limit for the arm 'difficult', which 'select' leaves empty."
    refused(robustfim(f"run {suite}"), "other.yaml:5:", message)


@pytest.mark.parametrize(
    ("rest", "message"),
    [
        ("budget: 30", "a budget stops where the limits of the checks are decided, and a slice's is not among them"),
        (
            "scores: [long]\nselect: {by: long, difficult: 20, control: 0}",
            "'select' without a control arm does not support a limit of a slice",
        ),
        (
            "scores: [long]\nselect: {by: long, difficult: 20, easiest: 20, control: 0}",
            "'select' without a control arm does not support a limit of a slice",
        ),
    ],
)
def test_a_limit_of_a_slice_that_nothing_could_hold_is_refused(robustfim: CommandLine, rest: str, message: str) -> None:
    slices = "slices: {short: {words: [1, 9], limit: 0.2}}\n"
    refused(robustfim(f"run {robustfim.suite('{x: {perturb: rename}}', rest=slices + rest)}"), message)
