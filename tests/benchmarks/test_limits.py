"""Limits for valid failures and measured limits keep what RESULTS says of them, in a small part of it."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.limits import Limits, simulate_first_day, simulate_reviewed, smallest_limit, told
from robustfim.outcome import Outcome
from robustfim.statistics import corrected, tail
from robustfim_doctor import draft_run


@pytest.mark.slow  # a simulation
@pytest.mark.parametrize(("valid", "answers"), [(0.02, 20), (0.5, 60)])
def test_a_rate_of_valid_failures_at_its_limit_is_seldom_decided(valid: float, answers: int) -> None:
    found = simulate_reviewed(valid, answers, 300)
    # 3 % of 300 with three standard errors.
    assert max(found.passed, found.failed) <= 0.06


def test_the_limit_of_the_first_day_is_the_one_that_init_writes() -> None:
    for failing, tested in ((0, 50), (5, 100), (20, 400), (99, 100)):
        assert smallest_limit(failing, tested) == draft_run.smallest_limit(failing, tested)


def test_the_sums_over_all_counts_are_what_drawn_runs_end_with() -> None:
    found, random = simulate_first_day(100, 0.05, 3.0), np.random.default_rng(0)
    drawn = [
        corrected([tail(int(again), 100, smallest_limit(int(first), 100))])[0].side
        for first, again in zip(random.binomial(100, 0.05, 4000), random.binomial(100, 0.15, 4000), strict=True)
    ]
    assert found.failed == pytest.approx(np.mean([side is Outcome.FAILED for side in drawn]), abs=0.02)
    assert found.passed == pytest.approx(np.mean([side is Outcome.PASSED for side in drawn]), abs=0.02)


def test_the_section_says_what_misses_its_aim() -> None:
    assert told("left out") == "Not measured: left out."
    found = Limits([simulate_reviewed(0.5, 60, 50)], [simulate_first_day(100, 0.05, 2.0)])
    assert "| 50 % | 60 |" in told(found)
    assert "| 100 | 5 % | 2 |" in told(found)
