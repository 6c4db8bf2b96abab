"""Correlations with log λmax."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from robustfim_study.estimate import Estimate
from robustfim_study.resilience import Correlation, _answer, correlate

RANDOM = np.random.default_rng(1)
LAMBDA = 10 ** RANDOM.normal(size=80)
OTHER = -np.log10(LAMBDA) + RANDOM.normal(size=80)


def test_both_correlations_are_scipys_on_the_logarithm() -> None:
    found = correlate("η", LAMBDA, OTHER)
    expected = stats.pearsonr(np.log10(LAMBDA), OTHER)
    assert found.examples == 80
    assert found.r == pytest.approx(expected.statistic)
    assert found.rho.value == pytest.approx(stats.spearmanr(LAMBDA, OTHER).statistic)
    assert found.rho.interval is not None
    assert found.rho.interval[0] < found.rho.value < found.rho.interval[1] < 0


def test_examples_without_a_logarithm_or_a_step_are_left_out() -> None:
    known = np.ones(80, dtype=bool)
    lambda_max, other = LAMBDA.copy(), OTHER.copy()
    lambda_max[0], lambda_max[1], other[2], other[3] = 0.0, math.nan, math.inf, math.nan
    known[:4] = False
    found = correlate("η", lambda_max, other)
    assert found.examples == 76
    assert found.r == pytest.approx(np.corrcoef(np.log10(LAMBDA[known]), OTHER[known])[0, 1])


def test_too_few_examples_have_no_correlation() -> None:
    found = correlate("η", LAMBDA[:2], OTHER[:2])
    assert math.isnan(found.r)
    assert math.isnan(found.rho.value)


def test_a_flip_probability_that_does_not_vary_has_no_correlation() -> None:
    found = correlate("flips", LAMBDA, np.zeros(80))
    assert math.isnan(found.r)
    assert found.rho.interval is None


def test_examples_of_a_cluster_count_together_and_those_left_out_leave_theirs() -> None:
    five = np.repeat(np.arange(16), 5)
    values, other = np.repeat(LAMBDA[:16], 5), np.repeat(OTHER[:16], 5)
    together, alone = correlate("η", values, other, five.tolist()), correlate("η", values, other)
    assert together.rho.interval == pytest.approx(correlate("η", LAMBDA[:16], OTHER[:16]).rho.interval, abs=1e-6)
    assert alone.rho.interval is not None
    assert together.rho.interval is not None
    assert alone.rho.interval[1] < together.rho.interval[1]
    values[5:10] = 0.0
    kept = np.arange(80) // 5 != 1
    fewer = correlate("η", values[kept], other[kept], five[kept].tolist())
    assert correlate("η", values, other, five.tolist()) == fewer


@pytest.mark.parametrize(
    ("end", "said"), [(-0.4, "need a smaller step"), (0.1, "are not shown to need a smaller step")]
)
def test_the_answer_counts_checks_and_has_one_sentence_on_the_step(end: float, said: str) -> None:
    flips = [Correlation(f"flip probability under {n}", 9, 0.2, Estimate(r, (r - 0.2, 1.0))) for n, r in
             (("a", 0.1), ("b", 0.5))]  # fmt: skip
    step = Correlation("smallest flipping step η", 9, -0.6, Estimate(-0.6, (-0.8, end)))
    assert _answer([*flips, step]) == (
        f"Examples of higher λmax flip more labels under 1 of 2 checks (ρ 0.10 to 0.50) and {said} to flip (ρ −0.60); "
        "counted where the 95 % interval excludes 0."
    )
