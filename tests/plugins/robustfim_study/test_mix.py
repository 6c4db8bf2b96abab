"""The learned mix of scores: scikit-learn's coefficients, and no example scored by what saw it."""

from __future__ import annotations

import numpy as np
import pytest

from robustfim_study.association import auroc
from robustfim_study.mix import FOLDS, PENALTY, cross_fitted, fit_logistic

RANDOM = np.random.default_rng(0)
SIZE = 300
FEATURES = RANDOM.normal(size=(SIZE, 4))
FAILING = (FEATURES @ [1.0, -0.5, 0.0, 2.0] + RANDOM.logistic(size=SIZE) > 1).astype(float)


def test_the_fit_is_that_of_scikit_learn() -> None:
    linear = pytest.importorskip("sklearn.linear_model")
    model = linear.LogisticRegression(C=1 / PENALTY, tol=1e-12, max_iter=10_000).fit(FEATURES, FAILING)
    found = fit_logistic(FEATURES, FAILING)
    assert found == pytest.approx([*model.intercept_, *model.coef_[0]], abs=1e-5)


def test_classes_that_a_score_parts_are_fitted_all_the_same() -> None:
    separate = np.column_stack([FAILING * 2 - 1, RANDOM.normal(size=SIZE)])
    weights = fit_logistic(separate, FAILING)
    assert np.isfinite(weights).all()
    p = 1 / (1 + np.exp(-(weights[0] + separate @ weights[1:])))
    gradient = separate.T @ (p - FAILING) + PENALTY * weights[1:]
    assert np.abs(gradient).max() < 1e-6  # the minimum


def test_a_mix_knows_what_its_scores_know_and_no_more() -> None:
    found = cross_fitted(FEATURES, FAILING, 0)
    assert found is not None
    best = max(float(auroc(FEATURES[:, column], FAILING)) for column in range(4))
    assert float(auroc(found, FAILING)) > best
    noise = RANDOM.normal(size=(SIZE, 30))  # which fits what it has seen, and says nothing of the rest
    unknown = cross_fitted(noise, FAILING, 0)
    assert unknown is not None
    assert abs(float(auroc(unknown, FAILING)) - 0.5) < 0.1
    fitted = fit_logistic(noise, FAILING)
    assert float(auroc(noise @ fitted[1:], FAILING)) > 0.65


def test_scores_that_are_not_finite_take_part() -> None:
    broken = FEATURES.copy()
    broken[::7, 0], broken[::11, 3], broken[::13, 3] = np.nan, np.inf, -np.inf
    found = cross_fitted(np.column_stack([broken, np.ones(SIZE)]), FAILING, 0)
    assert found is not None
    assert np.isfinite(found).all()
    assert np.array_equal(found, cross_fitted(np.column_stack([broken, np.ones(SIZE)]), FAILING, 0))  # type: ignore[arg-type]  # not None


def test_too_little_to_learn_from_makes_no_mix() -> None:
    assert cross_fitted(FEATURES[:, :1], FAILING, 0) is None
    few = np.zeros(SIZE)
    few[: FOLDS - 1] = 1
    assert cross_fitted(FEATURES, few, 0) is None
