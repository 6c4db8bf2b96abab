"""A check with a budget shares its level with every comparison of the run."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from robustfim.run_options import RunOptions
from robustfim.session.budget import budget_of, comparisons
from robustfim.session.open import open_session
from tests.robustfim.command_line import CommandLine


def test_a_limit_for_each_arm_is_a_comparison_each_and_a_skipped_check_is_none(robustfim: CommandLine) -> None:
    robustfim.suite(
        "{a: {perturb: rename, limit: {difficult: 0.4, control: 0.2}, budget: 5}, b: {perturb: rename, limit: 0.1}, "
        "c: {perturb: rename, limit: 0.1, skip: later}, d: {perturb: rename}}",
        rest="select: {by: margin, difficult: 2, control: 2}\nscores: [margin]",
    )
    collection = open_session(Path("other.yaml")).collection
    assert comparisons(collection.checks) == 3
    budget = budget_of(collection.checks[0], collection)
    assert budget is not None
    assert budget.most == 5
    assert budget.level == pytest.approx(0.025 / 3)
    assert budget_of(collection.checks[1], collection) is None


def test_a_run_of_named_examples_draws_all_of_them(robustfim: CommandLine) -> None:
    robustfim.suite("{a: {perturb: rename, limit: 0.1, budget: 5}}")
    collection = open_session(Path("other.yaml")).collection
    alone = replace(collection, config=replace(collection.config, options=RunOptions(examples=("e1",))))
    assert budget_of(alone.checks[0], collection) is not None
    assert budget_of(alone.checks[0], alone) is None
