"""The learned mix of scores: no example is scored by what saw it."""

from __future__ import annotations

import numpy as np
import pytest

from robustfim_study.association import auroc
from robustfim_study.mix import FOLDS, cross_fitted

linear = pytest.importorskip("sklearn.linear_model")

RANDOM = np.random.default_rng(0)
SIZE = 300
FEATURES = RANDOM.normal(size=(SIZE, 4))
FAILING = (FEATURES @ [1.0, -0.5, 0.0, 2.0] + RANDOM.logistic(size=SIZE) > 1).astype(float)


def test_a_mix_knows_what_its_scores_know_and_no_more() -> None:
    found = cross_fitted(FEATURES, FAILING, 0)
    assert found is not None
    best = max(float(auroc(FEATURES[:, column], FAILING)) for column in range(4))
    assert float(auroc(found, FAILING)) > best
    noise = RANDOM.normal(size=(SIZE, 30))  # which fits what it has seen, and says nothing of the rest
    unknown = cross_fitted(noise, FAILING, 0)
    assert unknown is not None
    assert abs(float(auroc(unknown, FAILING)) - 0.5) < 0.1
    fitted = linear.LogisticRegression().fit(noise, FAILING)
    assert float(auroc(fitted.decision_function(noise), FAILING)) > 0.65


def test_scores_that_are_not_finite_take_part() -> None:
    broken = FEATURES.copy()
    broken[::7, 0], broken[::11, 3], broken[::13, 3] = np.nan, np.inf, -np.inf
    given = np.column_stack([broken, np.ones(SIZE), np.full(SIZE, np.nan), np.full(SIZE, np.inf)])
    found, again = cross_fitted(given, FAILING, 0), cross_fitted(given, FAILING, 0)
    assert found is not None
    assert again is not None
    assert np.isfinite(found).all()
    assert np.array_equal(found, again)


def test_too_little_to_learn_from_makes_no_mix() -> None:
    assert cross_fitted(FEATURES[:, :1], FAILING, 0) is None
    few = np.zeros(SIZE)
    few[: FOLDS - 1] = 1
    assert cross_fitted(FEATURES, few, 0) is None
