"""The threshold of a share of false alarms, against its definition and in simulation."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import beta, norm

from robustfim.statistics import wilson
from robustfim.statistics.threshold import FewAlarms, few_alarms
from tests.present import present


def test_the_threshold_of_few_alarms_lies_at_its_rank_between_beta_quantiles() -> None:
    probabilities = [row / 400 for row in range(400)]
    found = present(few_alarms(probabilities, 0.01))
    assert found.at == pytest.approx(probabilities[-4] - 0.01 / 400, abs=1e-12)  # the rank 4.01 of 400
    for end, level in ((found.low, 0.025), (found.high, 0.975)):
        rank = 400 - 400 * end
        assert beta.cdf(0.01, rank, 401 - rank) == pytest.approx(level, abs=1e-6)
    assert few_alarms(probabilities[:99], 0.01) is None
    assert few_alarms(probabilities[:100], 0.01) is not None


def test_above_the_highest_text_the_threshold_goes_up_to_1() -> None:
    found = present(few_alarms([row / 200 for row in range(100)], 0.01))
    rank = (1 - found.high) / (1 - 99 / 200)  # 0 at 1, 1 at the highest text
    assert 0 < rank < 1
    assert beta.cdf(0.01, rank, 101 - rank) == pytest.approx(0.975, abs=1e-6)


@pytest.mark.parametrize("scores", [[0.0] * 500, [1.0] * 20 + [0.0] * 480, [0.9] * 6 + [0.1] * 494, [0.5] * 500])
def test_where_scores_tie_no_threshold_reaches_one_percent(scores: list[float]) -> None:
    with pytest.raises(
        ValueError, match=r"^no threshold reaches a share of 0\.01: the highest probabilities are equal$"
    ):
        few_alarms(scores, 0.01)


def test_of_scores_that_tie_at_its_rank_the_next_one_above_is_the_threshold() -> None:
    scores = [0.95, 0.9, 0.9, *[0.3] * 497]
    found = present(few_alarms(scores, 0.01))
    assert found.at == 0.9
    assert found.low <= found.at <= found.high


@given(st.lists(st.sampled_from([0.0, 0.1, 0.2, 0.6, 0.9, 1.0]), min_size=100, max_size=400), st.floats(0.01, 0.2))
def test_no_more_texts_reach_the_threshold_than_it_is_for(scores: list[float], share: float) -> None:
    try:
        found = few_alarms(scores, share)
    except ValueError:
        return
    assert sum(score >= present(found).at for score in scores) <= share * (len(scores) + 1) + 1e-9


def test_the_distances_of_two_independent_estimates_add_up_as_the_sides_of_a_right_angle() -> None:
    found = FewAlarms.interval(0.5, (0.5 - 0.03, 0.5 + 0.05), at_low=0.5 - 0.04, at_high=0.5 + 0.12)
    assert found == pytest.approx((0.5 - 0.05, 0.5 + 0.13))
    assert FewAlarms.interval(0.5, (0.2, 0.8), at_low=0.0, at_high=1.0) == (0.0, 1.0)


def test_clusters_leave_the_threshold_and_widen_its_interval() -> None:
    probabilities = [row / 4000 for row in range(4000)]
    alone, grouped = (present(few_alarms(probabilities, 0.01, each)) for each in (None, 400))
    assert grouped.at == pytest.approx(alone.at, abs=2e-4)
    assert grouped.low < alone.low < alone.high < grouped.high


@cache
def thresholds(without: int) -> list[FewAlarms]:
    """Those of 2,000 samples of so many texts without the label."""
    random = np.random.default_rng(11)
    return [present(few_alarms(norm.cdf(random.normal(0, 1, without)), 0.01)) for _ in range(2000)]


@pytest.mark.slow
@pytest.mark.parametrize(("without", "having"), [(500, 100), (500, 400), (2000, 300), (2000, 2000)])
@pytest.mark.parametrize(("mean", "spread"), [(1.5, 1.0), (2.5, 1.0), (4.0, 1.2), (3.0, 2.0)])
def test_the_recall_at_one_percent_lies_in_its_interval(without: int, having: int, mean: float, spread: float) -> None:
    random = np.random.default_rng(12)
    missed = norm.cdf((norm.isf(0.01) - mean) / spread)  # of the binormal model
    held = 0
    for few in thresholds(without):
        positive = norm.cdf(random.normal(mean, spread, having))
        at, low, high = (float(np.mean(positive < end)) for end in (few.at, few.low, few.high))
        ends = present(wilson(at * having, having))
        below, above = few.interval(at, ends, low, high)
        held += below <= missed <= above
    assert 0.935 < held / 2000 < 0.985, "94.8 to 97.4 % in 4,000, and three standard errors of 2,000"
