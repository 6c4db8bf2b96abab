"""The simulated reviews, fewer of them."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.reviews import JUDGES, bound, reviewed, told


def test_a_biased_judge_narrows_and_the_truth_stays_in_the_interval() -> None:
    found = [reviewed(*each, runs=20, widths=5) for each in JUDGES]
    for each in found:
        assert each.coverage >= 0.85
        assert each.bound <= each.width <= 1.02
    assert "| biased" in told(found)


def test_the_bound_of_a_yes_or_no_that_is_right_in_four_of_five_cases_is_four_fifths() -> None:
    assert bound(0.8, 0.2) == pytest.approx(0.8)
    assert bound(0.5, 0.5) == pytest.approx(1)
    random = np.random.default_rng(0)
    truth = random.random(200_000) < 0.3
    judge = random.random(200_000) < np.where(truth, 0.9, 0.4)
    assert bound(0.9, 0.4, 0.3) == pytest.approx(np.sqrt(1 - np.corrcoef(truth, judge)[0, 1] ** 2), abs=0.005)
