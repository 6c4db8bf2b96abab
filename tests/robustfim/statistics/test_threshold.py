"""The threshold of a share of false alarms, against its definition and in simulation."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import beta, binom, norm

from robustfim.statistics import wilson
from robustfim.statistics.threshold import FewAlarms, Threshold, few_alarms, threshold_of
from tests.present import present


@given(st.lists(st.sampled_from([0.1, 0.2, 0.5, 0.6, 0.9]), min_size=9, max_size=60), st.floats(0.1, 0.9))
def test_it_is_the_lowest_that_the_expected_share_allows(probabilities: list[float], fpr: float) -> None:
    allowed = [
        p for p in set(probabilities) if sum(q >= p for q in probabilities) <= fpr * (len(probabilities) + 1) + 1e-9
    ]
    if not allowed:
        with pytest.raises(ValueError, match=r"no threshold reaches|takes at least"):
            threshold_of(probabilities, fpr)
        return
    found = threshold_of(probabilities, fpr)
    assert found.at == min(allowed)
    assert found.alarms == sum(q >= found.at for q in probabilities)


def test_the_share_that_reaches_it_is_what_was_asked_for_and_lies_in_the_interval() -> None:
    generator = np.random.default_rng(0)
    shares, inside = [], 0
    for _ in range(2000):
        found = threshold_of(generator.beta(2, 5, 300).tolist(), 0.02)
        share = float(beta.sf(found.at, 2, 5))
        low, high = found.interval
        shares.append(share)
        inside += low <= share <= high
    assert np.mean(shares) == pytest.approx(6 / 301, abs=4 * np.std(shares) / 2000**0.5)
    assert 0.93 <= inside / 2000 <= 0.97


@pytest.mark.parametrize(("alarms", "texts"), [(1, 12), (6, 300), (9, 9)])
def test_at_the_ends_of_its_interval_as_many_of_the_texts_reach_it_in_2_5_and_97_5_of_100_samples(
    alarms: int, texts: int
) -> None:
    # The k-th largest of n lies above a share x of all where at least k of n do: a binomial count.
    low, high = Threshold(0.5, alarms, texts).interval
    assert binom.sf(alarms - 1, texts, low) == pytest.approx(0.025, rel=1e-6)
    assert binom.sf(alarms - 1, texts, high) == pytest.approx(0.975, rel=1e-6)


def test_nearly_all_texts_may_reach_a_threshold() -> None:
    probabilities = [row / 10 for row in range(1, 10)]
    assert threshold_of(probabilities, 0.95) == Threshold(0.1, 9, 9)
    assert threshold_of(probabilities, 0.85) == Threshold(0.2, 8, 9)


@pytest.mark.parametrize("highest", [1.0, 0.0])
def test_a_probability_of_0_or_1_is_no_threshold(highest: float) -> None:
    probabilities = [*[highest] * 20, *[highest / 2] * 19]
    with pytest.raises(
        ValueError, match=rf"^no threshold reaches .*: the highest of 39 probabilities are all {highest:g}$"
    ):
        threshold_of(probabilities, 0.5)
    with pytest.raises(ValueError, match=r"^no threshold reaches .*: the highest of 4 probabilities are all 0\.9$"):
        threshold_of([0.9, 0.9, 0.9, 0.1], 0.4)
    assert threshold_of([1.0, 0.9, 0.1], 0.5).at == 0.9
    with pytest.raises(ValueError, match=r"the highest of 9 probabilities are all 1$"):
        threshold_of([1.0, *[0.5] * 8], 0.1)


def test_too_few_texts_are_told_with_how_many_it_takes() -> None:
    with pytest.raises(ValueError, match=r"at least 99 texts without the label, and the data have 98"):
        threshold_of([0.5] * 98, 0.01)
    assert threshold_of([number / 100 for number in range(1, 100)], 0.01).at == 0.99


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
    with pytest.raises(ValueError, match="no threshold reaches a false positive rate of"):
        threshold_of(scores, 0.01)


def test_of_scores_that_tie_at_its_rank_the_next_one_above_is_the_threshold() -> None:
    scores = [0.95, 0.9, 0.9, *[0.3] * 497]
    found = present(few_alarms(scores, 0.01))
    assert found.at == threshold_of(scores, 0.01).at == 0.9
    assert found.low <= found.at <= found.high


@given(st.lists(st.sampled_from([0.0, 0.1, 0.2, 0.6, 0.9, 1.0]), min_size=100, max_size=400), st.floats(0.01, 0.2))
def test_no_more_texts_reach_the_threshold_than_it_is_for(scores: list[float], share: float) -> None:
    try:
        found = few_alarms(scores, share)
    except ValueError:
        with pytest.raises(ValueError, match="no threshold reaches"):
            threshold_of(scores, share)
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
