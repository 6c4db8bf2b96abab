"""docs/concepts.md: its numbers are those of the code, and the formulas of the files that it names are exact."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.special import logit
from scipy.stats import binom, lognorm

from robustfim.outcome import Outcome
from robustfim.statistics import percent, tail, wilson
from robustfim.statistics.expected import expected_count
from robustfim.statistics.paired import Paired
from robustfim.statistics.sequential import evidence
from robustfim.statistics.stratified import Stratum, stratified_rate
from tests.docs.page import DOCS

TEXT = " ".join((DOCS / "concepts.md").read_text(encoding="utf-8").split())


def test_the_intervals_of_the_page_are_those_of_a_report() -> None:
    assert "10 of 200 tested examples fail. The failure rate is 5 %" in TEXT
    assert f"interval: {percent(10 / 200, wilson(10, 200))}" in TEXT
    arms = stratified_rate([Stratum(100, 100, 100, 27), Stratum(900, 100, 100, 1)])
    assert arms is not None
    assert f"1,000: {percent(*arms)}" in TEXT
    mean, (low, high) = expected_count(19, 24, 10)
    assert f"about {mean:.0f}, with an interval from {low} to {high}" in TEXT


def test_the_eigenvalues_of_the_large_matrix_are_those_of_the_small_one() -> None:
    random = np.random.default_rng(0)
    logits, jacobian = random.normal(size=3), random.normal(size=(3, 7))
    p = np.exp(logits) / np.exp(logits).sum()
    gradients = jacobian - p @ jacobian  # of log p_y
    literal = sum(p[y] * np.outer(gradients[y], gradients[y]) for y in range(3))
    s = np.diag(p) - np.outer(p, p)
    assert np.allclose(literal, jacobian.T @ s @ jacobian)
    root = np.linalg.cholesky(s + 1e-12 * np.eye(3))
    small = np.linalg.eigvalsh(root.T @ jacobian @ jacobian.T @ root)
    assert np.allclose(np.linalg.eigvalsh(literal)[-3:], small, atol=1e-6)
    assert np.linalg.matrix_rank(literal, tol=1e-9) == 2


def test_lambda_max_of_two_labels_has_the_closed_form_of_the_page() -> None:
    gradient, p = np.array([0.3, -0.2, 0.5]), 0.3  # of z₁ − z₀
    literal = p * np.outer((1 - p) * gradient, (1 - p) * gradient) + (1 - p) * np.outer(p * gradient, p * gradient)
    assert np.linalg.eigvalsh(literal)[-1] == pytest.approx(p * (1 - p) * gradient @ gradient)


def test_a_verdict_is_the_side_of_wilsons_interval_with_an_exact_binomial_p_value() -> None:
    low, high = wilson(20, 100) or (0.0, 0.0)
    assert tail(20, 100, 0.1).side is Outcome.FAILED
    assert low > 0.1
    assert tail(20, 100, 0.1).p_value == pytest.approx(binom.sf(19, 100, 0.1))
    assert tail(20, 100, (low + high) / 2).side is Outcome.INCONCLUSIVE
    assert tail(1, 100, 0).side is Outcome.FAILED


def test_the_evidence_of_a_budget_is_the_integral_of_the_page() -> None:
    k, n, limit = 7, 20, 0.2

    def weighted(p: float) -> float:
        times = logit(p) - logit(limit)
        density = lognorm.pdf(times, 0.6, scale=math.log(2.5)) / (p * (1 - p))
        return float(p**k * (1 - p) ** (n - k) * density)

    ratio = quad(weighted, limit, 1, limit=500)[0] / (limit**k * (1 - limit) ** (n - k))
    assert evidence(k, n, limit, Outcome.FAILED) == pytest.approx(math.log(ratio), abs=1e-3)


def test_a_difference_is_newly_broken_minus_newly_fixed_with_mcnemars_p_value() -> None:
    pair = Paired(broken=8, fixed=2, matched=100)
    assert pair.difference == pytest.approx(0.06)
    assert pair.p_value == pytest.approx(2 * binom.cdf(2, 10, 0.5))
