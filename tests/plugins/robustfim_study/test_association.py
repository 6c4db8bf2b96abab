"""Associations and their intervals, against scikit-learn, SciPy and literal counts."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats
from sklearn.metrics import roc_auc_score

from robustfim_study.association import auroc, bootstrap, pearson, ratio, spearman

RANDOM = np.random.default_rng(0)
HARD = np.round(RANDOM.normal(size=120), 1)  # with ties
FAILING = (HARD + RANDOM.normal(size=120) > 0.5).astype(float)
SHARE = np.asarray(np.clip(HARD / 4 + RANDOM.normal(size=120) / 3, 0, 1).round(2), dtype=np.float64)


def test_auroc_equals_scikit_learns_and_the_share_of_ordered_pairs() -> None:
    assert float(auroc(HARD, FAILING)) == pytest.approx(roc_auc_score(FAILING, HARD))
    pairs = [(a > b) + (a == b) / 2 for a in HARD[FAILING == 1] for b in HARD[FAILING == 0]]
    assert float(auroc(HARD, FAILING)) == pytest.approx(np.mean(pairs))


def test_auroc_ranks_infinities() -> None:
    hard = np.array([-math.inf, 0.0, 1.0, math.inf])
    assert float(auroc(hard, np.array([0.0, 0.0, 1.0, 1.0]))) == 1
    assert float(auroc(hard, np.array([1.0, 0.0, 0.0, 0.0]))) == 0


@pytest.mark.parametrize("failing", [np.zeros(5), np.ones(5)])
def test_auroc_is_undefined_where_all_or_none_fail(failing: np.ndarray) -> None:
    assert math.isnan(float(auroc(np.arange(5.0), failing)))


def test_correlations_equal_scipys() -> None:
    assert float(pearson(HARD, SHARE)) == pytest.approx(stats.pearsonr(HARD, SHARE).statistic)
    assert float(spearman(HARD, SHARE)) == pytest.approx(stats.spearmanr(HARD, SHARE).statistic)
    assert math.isnan(float(pearson(HARD, np.ones(120))))


def test_a_ratio_is_one_of_sums() -> None:
    assert float(ratio(np.array([1.0, 0.0, 2.0]), np.array([4.0, 1.0, 5.0]))) == 0.3
    assert math.isnan(float(ratio(np.zeros(2), np.zeros(2))))


def test_the_statistics_take_many_resamples_at_once() -> None:
    rows = RANDOM.integers(0, 120, (7, 120))
    for statistic, other in ((auroc, FAILING), (pearson, SHARE), (spearman, SHARE), (ratio, SHARE)):
        together = statistic(HARD[rows], other[rows])
        np.testing.assert_allclose(together, [float(statistic(HARD[row], other[row])) for row in rows])


@pytest.mark.parametrize(("statistic", "other"), [(auroc, FAILING), (pearson, SHARE), (spearman, SHARE)])
def test_the_interval_equals_that_of_scipys_percentile_bootstrap(statistic: object, other: np.ndarray) -> None:
    assert callable(statistic)
    low, high = bootstrap(statistic, HARD, other, seed=1) or (0, 0)
    expected = stats.bootstrap(
        (HARD, other), lambda a, b, axis=-1: statistic(a, b), paired=True, method="percentile", n_resamples=5000,
        rng=np.random.default_rng(2),
    ).confidence_interval  # fmt: skip
    assert (low, high) == pytest.approx((expected.low, expected.high), abs=0.015)
    assert low < float(statistic(HARD, other)) < high


def test_one_seed_gives_one_interval_and_a_higher_confidence_a_wider_one() -> None:
    low, high = bootstrap(pearson, HARD, SHARE, seed=3) or (0, 0)
    assert bootstrap(pearson, HARD, SHARE, seed=3) == (low, high)
    assert bootstrap(pearson, HARD, SHARE, seed=4) != (low, high)
    wide = bootstrap(pearson, HARD, SHARE, seed=3, confidence=0.99) or (0, 0)
    assert wide[0] < low < high < wide[1]


def test_a_statistic_that_is_mostly_undefined_has_no_interval() -> None:
    failing = np.zeros(20)
    failing[0] = 1  # about a third of the resamples hold no failing example
    assert bootstrap(auroc, np.arange(20.0), failing, seed=0) is None
    assert bootstrap(auroc, np.zeros(0), np.zeros(0), seed=0) is None
