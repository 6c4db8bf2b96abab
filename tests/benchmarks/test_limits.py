"""Limits for valid failures and measured limits keep what RESULTS says of them, in a small part of it."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.limits import Limits, simulate_first_day, simulate_reviewed, told
from robustfim.doctor.scan import smallest_limit
from robustfim.outcome import Outcome
from robustfim.statistics import tail


@pytest.mark.parametrize(("valid", "answers"), [(0.02, 20), (0.5, 60)])
def test_a_rate_of_valid_failures_at_its_limit_is_seldom_decided(valid: float, answers: int) -> None:
    found = simulate_reviewed(valid, answers, 300)
    # 3 % of 300 with three standard errors.
    assert max(found.passed, found.failed) <= 0.06


def test_the_sums_over_all_counts_are_what_drawn_runs_end_with() -> None:
    found, random = simulate_first_day(100, 0.05, 3.0), np.random.default_rng(0)
    drawn = [
        tail(int(again), 100, smallest_limit(int(first), 100)).side
        for first, again in zip(random.binomial(100, 0.05, 4000), random.binomial(100, 0.15, 4000), strict=True)
    ]
    assert found.failed == pytest.approx(np.mean([side is Outcome.FAILED for side in drawn]), abs=0.02)
    assert found.passed == pytest.approx(np.mean([side is Outcome.PASSED for side in drawn]), abs=0.02)


def test_the_section_says_what_misses_its_aim() -> None:
    assert told("left out") == "Not measured: left out."
    found = Limits([simulate_reviewed(0.5, 60, 50)], [simulate_first_day(100, 0.05, 2.0)])
    assert "| 50 % | 60 |" in told(found)
    assert "| 100 | 5 % | 2 |" in told(found)
