"""The exit code keeps its stated error rates, in a small part of what the results say."""

from __future__ import annotations

import pytest

from benchmarks.exits import Exits, simulate, simulate_arms, trap


@pytest.mark.parametrize(("checks", "tested"), [(1, 150), (10, 100), (20, 500)])
def test_models_at_their_limits_exit_with_0_and_1_as_seldom_as_stated(checks: int, tested: int) -> None:
    proved, refuted, inconclusive = simulate(checks, tested, 1.0, 1.0, 600).codes
    assert proved + refuted + inconclusive == pytest.approx(1)
    # 5 % of 600 with three standard errors.
    assert max(proved, refuted) <= 0.077


def test_one_bad_check_among_good_ones_is_seldom_let_through() -> None:
    assert simulate(10, 500, 1.0, 0.5, 600).codes[0] <= 0.05
    assert simulate(10, 500, 3.0, 0.5, 200).codes[1] == 1


def test_good_models_pass_and_an_equal_model_is_seldom_refused_beside_a_baseline() -> None:
    assert simulate(10, 500, 0.5, 0.5, 200).codes[0] > 0.8
    assert simulate(3, 300, 0.5, 0.5, 150, baseline=True).codes[1] <= 0.05


@pytest.mark.slow
def test_a_file_of_a_population_at_its_limit_seldom_passes_as_that_population() -> None:
    for each in trap():
        assert each.population <= 0.025
        assert each.file > 0.4


@pytest.mark.slow  # a simulation
def test_a_limit_of_the_population_is_judged_rightly_on_two_arms_and_not_by_counting_them_together() -> None:
    half, full, double = (simulate_arms(100, 400, ratio, 200) for ratio in (0.5, 1.0, 2.0))
    assert half.codes[0] > 0.9
    assert half.pooled[1] == 0
    # 2.5 % of 200 with three standard errors.
    assert max(full.codes[:2]) <= 0.058
    assert full.pooled[1] > 0.9
    assert double.codes[1] > 0.9


def test_what_misses_a_bound_says_so() -> None:
    assert Exits(1, 50, 1.0, 1.0, False, 9, (0.06, 0.01, 0.93)).aim == "0 ≤ 5 %: missed; 1 ≤ 5 %: met"
    assert Exits(2, 50, 1.0, 2.0, False, 9, (0.0, 0.9, 0.1)).aim == "0 ≤ 5 %: met"
