"""What is held against the model's own noise, and what cannot be."""

from __future__ import annotations

from pathlib import Path

import pytest

from robustfim.session.open import open_session
from tests.robustfim.command_line import CommandLine, refused


@pytest.mark.parametrize(
    ("check", "rest", "said"),
    [
        ("limit: 0.1, budget: 5", "", "'repeat' does not support 'budget'"),
        ("limit: 0.1", "budget: 5", "'repeat' does not support 'budget'"),
        ("limit: 0", "", "'repeat' does not support 'limit: 0'"),
        ("limit: 0.1, fails: mean", "", "'repeat' does not support 'fails: mean'"),
        ("limit: {valid: 0.1}", "", "'repeat' does not support a limit for 'valid'"),
        ("limit: {missed: 0, false_alarm: 0.1}", "", "Write a number above 0, as 'limit: 0.1'."),
        ("limit: 0.1, of: file", "", "'repeat' does not support 'of: file'"),
        ("limit: 0.1", "of: file", "'repeat' does not support 'of: file'"),
        (
            "limit: 0.1",
            "slices: {short: {words: [null, 3], limit: 0.1}}",
            "'repeat' does not support a limit of a slice",
        ),
        (
            "limit: 0.1",
            "select: {by: margin, difficult: 2, control: 2}\nscores: [margin]",
            "'repeat' does not support 'select'",
        ),
    ],
)
def test_what_cannot_be_held_against_noise_is_refused_with_the_way_out(
    robustfim: CommandLine, check: str, rest: str, said: str
) -> None:
    robustfim.suite(f"{{a: {{perturb: rename, {check}}}}}", rest=f"repeat: 2\n{rest}")
    refused(robustfim("run other.yaml"), said, "other.yaml:")


def test_a_check_that_expects_an_answer_to_stay_is_repeated_and_no_other(robustfim: CommandLine) -> None:
    robustfim.suite(
        "{a: {perturb: rename}, b: {perturb: rename, expect: changes}, c: {perturb: itself, expect: correct}, "
        "d: {perturb: itself}}",
        rest="repeat: 2",
    )
    checks = open_session(Path("other.yaml")).collection.checks
    assert {check.name: check.repeat for check in checks} == {"a": 2, "b": 0, "c": 0, "d": 0}
