"""Weights and AUROC within perturbations, against SciPy's optimiser and literal counts."""

from __future__ import annotations

from math import inf

import numpy as np
import pytest
from scipy.optimize import minimize

from robustfim.statistics import auroc
from robustfim_judges.fit import Weights, fit, within


def test_the_weights_are_those_of_the_penalised_likelihood() -> None:
    random = np.random.default_rng(0)
    numbers = random.normal(size=(80, 2)) * [1.0, 30.0] + [0.0, 5.0]
    good = random.random(80) < 1 / (1 + np.exp(-2 * numbers[:, 0] - 0.02 * numbers[:, 1]))
    scaled = (numbers - numbers.mean(0)) / numbers.std(0)

    def loss(weights: np.ndarray) -> float:
        z = scaled @ weights[:2] + weights[2]
        return float(np.logaddexp(0, z).sum() - z[good].sum() + (weights[:2] ** 2).sum() / 2)

    best = minimize(loss, np.zeros(3), tol=1e-12).x
    found = fit(numbers.tolist(), good.tolist())
    sums = [found.number(row) for row in numbers.tolist()]
    assert sums == pytest.approx((scaled @ best[:2] + best[2]).tolist(), abs=1e-3)


def test_separable_pairs_have_finite_weights_and_no_verdict_is_never_let_through() -> None:
    found = fit([[0.0, 1.0], [0.0, 2.0], [1.0, 1.0], [1.0, 2.0]], [False, False, True, True])
    assert all(map(np.isfinite, found.slopes))
    assert found.slopes[0] > 0
    assert Weights((1.0, 1.0), 0.0).number([-inf, 5.0]) == -inf


def test_the_auroc_within_perturbations_counts_couples_of_one_perturbation_alone() -> None:
    numbers = [3.0, 1.0, 2.0, 10.0, 11.0, 12.0, 9.0, 50.0]
    good = [True, False, True, True, False, False, True, True]
    groups = ["a", "a", "a", "b", "b", "b", "b", "c"]
    found = within(numbers, good, groups)
    assert found is not None
    assert found.auroc == pytest.approx((2 * 1.0 + 4 * 0.0) / 6)
    assert found.pairs == 7
    assert within([1.0], [True], ["a"]) is None
    one = within(numbers[:3], good[:3], groups[:3])
    assert one is not None
    assert one.auroc == auroc([3.0, 2.0], [1.0])


def test_the_p_value_is_that_of_numbers_dealt_out_anew() -> None:
    random = np.random.default_rng(3)
    groups = ["a"] * 40 + ["b"] * 40
    good = ([True] * 20 + [False] * 20) * 2
    p_values = []
    for _ in range(40):
        found = within(random.normal(size=80).tolist(), good, groups)
        assert found is not None
        p_values.append(found.p_value)
    assert 0.3 < float(np.mean(p_values)) < 0.7
    told = within((random.normal(size=80) + 2.0 * np.array(good)).tolist(), good, groups)
    assert told is not None
    assert told.p_value < 0.001
    assert told.interval[0] > 0.8
