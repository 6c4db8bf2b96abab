"""The test of a fixed number of clusters: exact values, a simulation of its definition, and how often it errs."""

from __future__ import annotations

import math

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.stats import binom

from robustfim.outcome import Outcome
from robustfim.statistics.gaffke import chance_above, largest_feared, tail_of_clusters
from robustfim.statistics.mean import Mean

RUNS = 300
Array = NDArray[np.float64]


@pytest.mark.parametrize(
    ("failing", "tested", "limit"), [(0, 30, 0.1), (2, 30, 0.2), (10, 1000, 0.02), (0, 1, 0.97), (900, 100_000, 0.01)]
)
def test_of_examples_it_is_the_binomial_tail(failing: int, tested: int, limit: float) -> None:
    kinds = [(1.0, failing), (0.0, tested - failing)]
    sums, times = (np.array(each, float) for each in zip(*(kind for kind in kinds if kind[1]), strict=True))
    below, _ = tail_of_clusters(sums, np.ones(len(sums)), times, limit, above=False)
    above, _ = tail_of_clusters(sums, np.ones(len(sums)), times, limit, above=True)
    assert below == pytest.approx(float(binom.cdf(failing, tested, limit)), abs=1e-9, rel=1e-9)
    assert above == pytest.approx(float(binom.sf(failing - 1, tested, limit)), abs=1e-9)


def test_a_far_tail_is_exact_as_a_share_of_itself() -> None:
    found, _ = chance_above(np.array([1.0, -1.0]), np.array([1.0, 40.0]))
    assert found == pytest.approx(2.0**-40, rel=1e-9)  # one exponential number exceeds the sum of forty
    assert chance_above(np.array([-1.0]), np.array([2.0]))[0] == 0
    assert chance_above(np.array([1.0, 0.5]), np.array([2.0, 1.0]))[0] == 1


def test_it_is_the_chance_that_the_weighted_mean_of_the_clusters_and_a_failing_one_reaches_the_limit() -> None:
    random = np.random.default_rng(4)
    sizes = random.integers(1, 9, 30).astype(float)
    sums = np.round(sizes * random.random(30) ** 3, 2)
    kappa = largest_feared(sizes, np.ones(30), 0.35, 0.175)
    expected = np.maximum(0.175 * sizes, sizes - kappa)
    assert expected.sum() == pytest.approx(0.35 * sizes.sum())
    assert (sizes - expected).max() == pytest.approx(kappa)
    weights = random.exponential(size=(400_000, 31))
    drawn = float((weights @ np.append(sums - expected, kappa) >= 0).mean())
    found, _ = tail_of_clusters(sums, sizes, np.ones(30), 0.35, above=False)
    assert found == pytest.approx(drawn, abs=4 * math.sqrt(drawn / 400_000))


@pytest.mark.parametrize(
    ("sizes", "limit"), [([1] * 300 + [60] * 5, 0.27), ([10] * 30, 0.115), ([1] * 100 + [20] * 10, 0.207)]
)
def test_nothing_passes_below_what_whole_clusters_that_were_not_seen_may_fail(sizes: list[int], limit: float) -> None:
    none = Mean({(0.0, float(size)): sizes.count(size) for size in {*sizes}})
    assert none.tail(limit - 0.005).side is Outcome.INCONCLUSIVE
    assert none.tail(limit + 0.005).side is Outcome.PASSED


def _drawn(sizes: Array, law: str, rate: float, random: np.random.Generator) -> Array:
    """Failing examples of each cluster."""
    whole = sizes.astype(int)
    if law == "whole":
        return sizes * (random.random(len(sizes)) < rate)
    if law == "half whole":
        others = random.binomial(whole, rate / (2 - rate))
        return np.where(random.random(len(sizes)) < rate / 2, sizes, others)
    if law == "the large ones whole":
        large = sizes >= sizes.max() / 2
        part = sizes[large].sum() / sizes.sum()
        chance = np.where(large, min(1.0, rate / part), max(0.0, (rate - part) / max(1e-9, 1 - part)))
        return np.asarray(sizes * (random.random(len(sizes)) < chance), np.float64)
    return random.binomial(whole, random.beta(rate * 4, (1 - rate) * 4, len(sizes))).astype(float)


@pytest.mark.parametrize("law", ["whole", "half whole", "the large ones whole", "beta-binomial"])
@pytest.mark.parametrize(
    ("name", "limit"),
    [("300 of 1, 5 of 60", 0.3), ("100 of 1, 10 of 20", 0.25), ("30 of 10", 0.2), ("log-normal", 0.15)],
)
def test_clusters_at_the_limit_pass_or_fail_in_at_most_one_run_of_forty(name: str, limit: float, law: str) -> None:
    random, wrong = np.random.default_rng(7), {Outcome.PASSED: 0, Outcome.FAILED: 0, Outcome.INCONCLUSIVE: 0}
    laid = {
        "300 of 1, 5 of 60": [1.0] * 300 + [60.0] * 5,
        "100 of 1, 10 of 20": [1.0] * 100 + [20.0] * 10,
        "30 of 10": [10.0] * 30,
    }
    for _ in range(RUNS):
        sizes = np.array(laid.get(name) or np.ceil(np.exp(random.normal(1, 1, 100))))
        sums = _drawn(sizes, law, limit, random)
        kinds, times = np.unique(np.stack([sums, sizes]), axis=1, return_counts=True)
        for side in (Outcome.PASSED, Outcome.FAILED):
            p_value, _ = tail_of_clusters(kinds[0], kinds[1], times.astype(float), limit, above=side is Outcome.FAILED)
            wrong[side] += p_value <= 0.025
    assert max(wrong.values()) <= 0.025 * RUNS + 3 * math.sqrt(0.025 * RUNS), wrong


def test_clusters_that_are_little_alike_prove_what_bets_do_not() -> None:
    random, passed, bets = np.random.default_rng(8), 0, 0
    for _ in range(200):
        failing = random.binomial(8, random.beta(0.04 * 9, 0.96 * 9, 85))
        kinds, times = np.unique(failing, return_counts=True)
        trials = {(float(kind), 8.0): int(number) for kind, number in zip(kinds, times, strict=True)}
        passed += Mean(trials).tail(0.1).side is Outcome.PASSED
        bets += Mean(trials, 8).tail(0.1).side is Outcome.PASSED
    assert passed / 200 >= 0.8
    assert bets / 200 < 0.5
