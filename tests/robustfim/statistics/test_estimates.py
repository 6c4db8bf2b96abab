from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from robustfim.statistics import wilson
from robustfim.statistics.estimates import auroc, auroc_interval, correlation_interval, mean_interval, share_interval


@pytest.mark.parametrize(("count", "number"), [(0, 1), (10, 10), (3, 7), (50, 1000)])
def test_the_interval_of_a_share_is_wilsons(count: int, number: int) -> None:
    assert share_interval(count / number, number) == pytest.approx(wilson(count, number))


def test_ten_of_ten_and_one_of_one_leave_room_for_doubt() -> None:
    ten, one = share_interval(1.0, 10), share_interval(0.0, 1)
    assert ten is not None
    assert one is not None
    assert ten == pytest.approx((0.7225, 1.0), abs=1e-4)
    assert one == pytest.approx((0.0, 0.7935), abs=1e-4)


@pytest.mark.parametrize(("first", "second", "size"), [(0.5, 0.5, 8), (2.0, 0.2, 12), (5.0, 5.0, 30)])
def test_the_mean_of_shares_is_covered_in_at_least_95_of_100_samples(first: float, second: float, size: int) -> None:
    random = np.random.default_rng(0)
    means = random.beta(first, second, (2000, size)).mean(1)
    ends = [share_interval(float(mean), size) for mean in means]
    assert np.mean([low <= first / (first + second) <= high for low, high in filter(None, ends)]) >= 0.95


def test_the_interval_of_a_mean_is_students() -> None:
    numbers = [0.3, 1.9, 2.2, 4.0, 0.1]
    expected = stats.t.interval(0.95, 4, np.mean(numbers), stats.sem(numbers))
    assert mean_interval(numbers) == pytest.approx(expected)


def test_the_mean_of_norms_has_no_interval_below_0() -> None:
    found = mean_interval([0.1, 0.2, 9.0], low=0.0)
    assert found is not None
    assert found[0] == 0


@pytest.mark.parametrize("numbers", [[], [1.0], [1.0, 5.0], [2.0, 2.0, 2.0, 2.0]])
def test_too_few_or_equal_numbers_have_no_interval(numbers: list[float]) -> None:
    assert mean_interval(numbers) is None


@pytest.mark.parametrize("size", [5, 20, 71])
def test_the_interval_of_pearsons_r_is_that_of_scipy_and_agrees_with_its_p_value(size: int) -> None:
    random = np.random.default_rng(size)
    x = random.normal(size=size)
    y = 0.4 * x + random.normal(size=size)
    found = stats.pearsonr(x, y)
    ends = correlation_interval(float(found.statistic), size)
    assert ends is not None
    assert ends == pytest.approx(tuple(found.confidence_interval(0.95)))
    assert (ends[0] > 0) == (found.pvalue < 0.05)


def test_spearmans_correlation_is_covered_in_about_95_of_100_samples() -> None:
    random, size, r = np.random.default_rng(0), 40, 0.5
    rho = 6 / math.pi * math.asin(r / 2)  # Spearman's of a normal pair with Pearson's r
    covered = 0
    for _ in range(800):
        x = random.normal(size=size)
        y = r * x + math.sqrt(1 - r * r) * random.normal(size=size)
        ends = correlation_interval(float(stats.spearmanr(x, y).statistic), size, ranks=True)
        assert ends is not None
        covered += ends[0] <= rho <= ends[1]
    assert 0.93 <= covered / 800 <= 0.98


@pytest.mark.parametrize(("r", "size"), [(1.0, 40), (-1.0, 9), (0.3, 4), (math.nan, 40)])
def test_a_perfect_correlation_or_one_of_few_pairs_has_no_interval(r: float, size: int) -> None:
    assert correlation_interval(r, size) is None


@pytest.mark.parametrize(("positive", "negative", "shift"), [(10, 30, 1.5), (20, 20, 0.5), (5, 60, 2.0)])
def test_the_area_under_the_curve_is_covered_in_about_95_of_100_samples(
    positive: int, negative: int, shift: float
) -> None:
    random = np.random.default_rng(1)
    true = float(stats.norm.cdf(shift / math.sqrt(2)))
    covered = 0
    for _ in range(600):
        x, y = random.normal(shift, 1, positive), random.normal(0, 1, negative)
        area = float((x[:, None] > y[None, :]).mean())
        ends = auroc_interval(area, positive, negative)
        assert ends is not None
        assert ends[0] < ends[1]
        covered += ends[0] <= true <= ends[1]
    assert 0.93 <= covered / 600 <= 0.985


@pytest.mark.parametrize(("area", "positive", "negative"), [(0.8, 10, 30), (0.35, 4, 4), (1.0, 3, 20), (0.0, 7, 2)])
@pytest.mark.parametrize("comparisons", [1, 2, 8])
def test_the_ends_of_an_area_solve_the_published_equation(
    area: float, positive: int, negative: int, comparisons: int
) -> None:
    z, mean = stats.norm.isf(0.025 / comparisons), (positive + negative) / 2  # Newcombe (2006), method 5
    for end in auroc_interval(area, positive, negative, comparisons=comparisons) or ():
        spread = 1 + (mean - 1) * (1 - end) / (2 - end) + (mean - 1) * end / (1 + end)
        variance = end * (1 - end) * spread / (positive * negative)
        assert end == area or (area - end) ** 2 == pytest.approx(z**2 * variance, rel=1e-6)


@pytest.mark.parametrize(("r", "size"), [(0.6, 5), (-0.3, 24)])
def test_the_interval_of_spearmans_correlation_is_the_published_one(r: float, size: int) -> None:
    half = 1.959963984540054 * math.sqrt((1 + r * r / 2) / (size - 3))  # Bonett and Wright (2000)
    assert correlation_interval(r, size, ranks=True) == pytest.approx(
        (math.tanh(math.atanh(r) - half), math.tanh(math.atanh(r) + half))
    )


def test_a_mean_is_cut_to_where_it_can_lie_and_one_of_no_number_is_none() -> None:
    numbers = [0.9, 0.2, 1.0]
    expected = stats.t.interval(0.95, 2, np.mean(numbers), stats.sem(numbers))
    assert expected[0] < 0 < 1 < expected[1]
    assert mean_interval(numbers) == pytest.approx(expected)
    assert mean_interval(numbers, low=0.0, high=1.0) == (0.0, 1.0)
    assert share_interval(0.5, 0) is share_interval(math.nan, 9) is None


def test_a_perfect_area_leaves_room_for_doubt() -> None:
    ends = auroc_interval(1.0, 3, 20)
    assert ends is not None
    assert ends[0] < 0.85
    assert ends[1] == 1
    assert auroc_interval(0.5, 0, 20) is None


def test_the_area_is_the_share_of_pairs_in_the_right_order_and_the_interval_of_the_best_of_many_is_wider() -> None:
    random = np.random.default_rng(3)
    x, y = random.integers(0, 6, 30).tolist(), [*random.integers(0, 6, 20).tolist(), math.inf]
    slow = np.mean([(a > b) + (a == b) / 2 for a in x for b in y])
    assert auroc(x, y) == pytest.approx(slow)
    assert auroc(x, []) is None
    one, many = auroc_interval(0.8, 10, 30), auroc_interval(0.8, 10, 30, comparisons=8)
    assert one is not None and many is not None  # noqa: PT018  # for the type checker
    assert many[0] < one[0] < one[1] < many[1]
