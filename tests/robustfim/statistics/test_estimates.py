from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from robustfim.statistics.estimates import auroc, auroc_interval, mean_interval
from tests.present import present


def test_the_interval_of_a_mean_is_students() -> None:
    numbers = [0.3, 1.9, 2.2, 4.0, 0.1]
    expected = stats.t.interval(0.95, 4, np.mean(numbers), stats.sem(numbers))
    assert mean_interval(numbers) == pytest.approx(expected)


def test_the_mean_of_norms_has_no_interval_below_0() -> None:
    found = present(mean_interval([0.1, 0.2, 9.0], low=0.0))
    assert found[0] == 0


@pytest.mark.parametrize("numbers", [[], [1.0], [1.0, 5.0], [2.0, 2.0, 2.0, 2.0]])
def test_too_few_or_equal_numbers_have_no_interval(numbers: list[float]) -> None:
    assert mean_interval(numbers) is None


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
        ends = present(auroc_interval(area, positive, negative))
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
    assert auroc_interval(area, positive, negative) == auroc_interval(area, positive, negative, comparisons=1)


def test_a_perfect_area_leaves_room_for_doubt() -> None:
    ends = present(auroc_interval(1.0, 3, 20))
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
