from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from scipy import stats

from benchmarks.coverage import KINDS, draw, simulate
from robustfim.statistics import mean_interval, wilson
from robustfim_study.intervals import correlation_interval


@pytest.mark.parametrize(("first", "second", "size"), [(0.5, 0.5, 8), (2.0, 0.2, 12), (5.0, 5.0, 30)])
def test_the_mean_of_shares_is_covered_in_at_least_95_of_100_samples(first: float, second: float, size: int) -> None:
    random = np.random.default_rng(0)
    means = random.beta(first, second, (2000, size)).mean(1)
    ends = [wilson(float(mean) * size, size) for mean in means]
    assert np.mean([low <= first / (first + second) <= high for low, high in filter(None, ends)]) >= 0.95


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("size", [60, pytest.param(200, marks=pytest.mark.slow)])
def test_spearmans_correlation_is_covered_in_about_95_of_100_samples_whatever_the_tails(kind: str, size: int) -> None:
    share = simulate(kind, size, 300).spearman
    assert 0.93 - 0.025 <= share <= 0.97 + 0.025  # twice the standard error of 300 samples


def test_spearmans_correlation_is_covered_with_clusters_that_are_told() -> None:
    found = simulate(KINDS[3], 200, 400, cluster=5)
    assert found.spearman >= 0.93 - 0.022
    assert found.alone < found.spearman


def test_pairs_of_a_cluster_that_are_all_the_same_count_as_one() -> None:
    random = np.random.default_rng(4)
    x, y = draw(KINDS[1], 80, random)
    once = correlation_interval(x, y)
    many = [np.repeat(each, 5).tolist() for each in (x, y, np.arange(80))]
    five = correlation_interval(*many)
    assert once == pytest.approx(five, abs=1e-6)
    alone = correlation_interval(*many[:2])
    assert once is not None
    assert alone is not None
    assert alone[1] - alone[0] < 0.6 * (once[1] - once[0])


def test_the_influences_are_those_of_leaving_each_pair_out() -> None:
    x, y = draw(KINDS[3], 400, np.random.default_rng(5))
    rho, keep = float(stats.spearmanr(x, y).statistic), ~np.eye(400, dtype=bool)
    without = [float(stats.spearmanr(x[array], y[array]).statistic) for array in keep]
    spread = math.sqrt(399 / 400 * sum((each - np.mean(without)) ** 2 for each in without))  # Quenouille and Tukey
    half = stats.t.ppf(0.975, 399) * spread / (1 - rho**2)
    expected = math.tanh(math.atanh(rho) - half), math.tanh(math.atanh(rho) + half)
    assert correlation_interval(x, y) == pytest.approx(expected, abs=2e-3)


@pytest.mark.parametrize(
    ("x", "y"),
    [([1, 2, 3, 4], [1, 3, 2, 4]), (range(9), range(9)), (range(9), range(9, 0, -1)), ([1] * 9, range(9)), ([], [])],
)
def test_a_perfect_correlation_or_one_of_few_pairs_or_of_what_does_not_vary_has_no_interval(x: Any, y: Any) -> None:
    assert correlation_interval(x, y) is None


def test_a_mean_is_cut_to_where_it_can_lie_and_one_of_no_number_is_none() -> None:
    numbers = [0.9, 0.2, 1.0]
    expected = stats.t.interval(0.95, 2, np.mean(numbers), stats.sem(numbers))
    assert expected[0] < 0 < 1 < expected[1]
    assert mean_interval(numbers) == pytest.approx(expected)
    assert mean_interval(numbers, low=0.0, high=1.0) == (0.0, 1.0)
