"""Brier's score and the calibration error, against literal sums, and their intervals in simulation."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from scipy.optimize import brentq
from scipy.stats import chi2, ncx2

from robustfim.decision import DecisionRule
from robustfim.prediction import Prediction
from robustfim.statistics.calibration import brier_score, calibration_error, claims, worth_of


def literal_error(p: list[float], y: list[bool], clusters: list[int], weights: list[float], bins: int) -> float:
    """The error by its definition: Σ w_b (d_b² − s_b²), bin by bin, cluster by cluster."""
    rows = sorted(range(len(p)), key=p.__getitem__)
    whole, before = sum(weights), 0.0
    members: list[list[int]] = [[] for _ in range(bins)]
    for row in rows:
        members[min(bins - 1, int(before / whole * bins + 1e-9))].append(row)
        before += weights[row]
    total = 0.0
    for here in members:
        weight = sum(weights[row] for row in here)
        mean = sum(weights[row] * (y[row] - p[row]) for row in here) / weight
        sums: dict[int, float] = {}
        for row in here:
            sums[clusters[row]] = sums.get(clusters[row], 0.0) + weights[row] * (y[row] - p[row] - mean)
        number = len(sums)
        variance = sum(each**2 for each in sums.values()) / weight**2 * number / (number - 1)
        total += weight / whole * (mean**2 - variance)
    return math.sqrt(max(0.0, total))


@pytest.mark.parametrize(("examples", "texts", "bins"), [(60, 1, 6), (45, 4, 4), (300, 3, 15)])
def test_the_error_is_that_of_its_definition(examples: int, texts: int, bins: int) -> None:
    random = np.random.default_rng(examples)
    p = random.beta(4, 1, examples * texts).tolist()
    y = (random.random(examples * texts) < 0.7).tolist()
    clusters = np.repeat(np.arange(examples), texts).tolist()
    weights = np.repeat(random.uniform(0.5, 2, examples), texts).tolist()
    found = calibration_error(p, y, clusters, weights)
    assert found is not None
    assert found.value == pytest.approx(literal_error(p, y, clusters, weights, bins), abs=1e-12)


def test_independent_rows_of_one_bin_have_the_error_of_all_pairs() -> None:
    p, y = [0.9, 0.8, 0.95, 0.7, 0.85], [True, False, False, False, True]
    gaps = [right - sure for sure, right in zip(p, y, strict=True)]
    pairs = [one * other for i, one in enumerate(gaps) for j, other in enumerate(gaps) if i != j]
    found = calibration_error(p, y, range(5))
    assert found is not None
    assert found.value == pytest.approx(math.sqrt(max(0.0, sum(pairs) / len(pairs))), abs=1e-12)


def test_equal_probabilities_share_a_bin_and_too_few_clusters_say_nothing() -> None:
    even = calibration_error([0.5] * 400, [True, False] * 200, range(400))
    assert even is not None
    assert even.value == 0.0
    assert even.interval is not None
    assert even.interval[0] == 0.0
    assert 0 < even.interval[1] < 0.1
    assert calibration_error([0.5, 0.6], [True, False], [3, 3]) is None
    assert brier_score([], []) is None


def test_the_mean_loss_has_the_interval_of_its_clusters() -> None:
    losses, clusters = [0.1, 0.3, 0.2, 0.6, 0.1, 0.1], [0, 0, 1, 1, 2, 3]
    found = brier_score(losses, clusters)
    mean = sum(losses) / 6
    sums = [sum(loss - mean for loss, one in zip(losses, clusters, strict=True) if one == each) for each in range(4)]
    half = 3.182446305 * math.sqrt(4 / 3 * sum(each**2 for each in sums)) / 6
    assert found is not None
    assert found.interval is not None
    assert found.value == pytest.approx(mean)
    assert found.interval[0] == pytest.approx(max(0.0, mean - half))
    assert found.interval[1] == pytest.approx(mean + half)


def _simulated(random: np.random.Generator, examples: int, texts: int, slope: float, shift: float) -> list[Any]:
    """P by a logit, and the truth by a line over it; the texts of an example share their luck."""
    logits = np.repeat(random.normal(1.5, 1.5, examples), texts) + random.normal(0, 0.7, examples * texts) * (texts > 1)
    p, true = (1 / (1 + np.exp(-each)) for each in (logits, slope * logits + shift))
    return [p, np.repeat(random.random(examples), texts) < true, np.repeat(np.arange(examples), texts), true]


@pytest.mark.slow
@pytest.mark.parametrize(("slope", "shift"), [(1.0, 0.0), (0.8, 0.0), (0.5, 0.0), (0.5, -0.5), (1.0, -1.0)])
@pytest.mark.parametrize(("examples", "texts"), [(400, 1), (2000, 1), (1000, 8)])
def test_the_intervals_hold_what_they_are_of(slope: float, shift: float, examples: int, texts: int) -> None:
    random = np.random.default_rng(7)
    p, _, _, true = _simulated(random, 200_000, min(texts, 2), slope, shift)
    order = np.argsort(p)
    error = math.sqrt(np.mean([np.mean((true - p)[rows]) ** 2 for rows in np.array_split(order, 15)]))
    loss = np.mean(true * (1 - p) ** 2 + (1 - true) * p**2)
    runs, held, scored, values = 400, 0, 0, []
    for _ in range(runs):
        p, y, clusters, _ = _simulated(random, examples, texts, slope, shift)
        found, brier = calibration_error(p, y, clusters), brier_score((y - p) ** 2, clusters)
        assert found is not None
        assert brier is not None
        assert found.interval is not None
        assert brier.interval is not None
        held += found.interval[0] <= error <= found.interval[1]
        scored += brier.interval[0] <= loss <= brier.interval[1]
        values.append(found.value**2)
    # 95 % less three standard errors of 400 runs, and what the approximation costs.
    assert held / runs > 0.905
    assert scored / runs > 0.915
    if error > 0.05:
        assert math.sqrt(np.mean(values)) == pytest.approx(error, rel=0.03)


def told(prediction: Prediction, *gold: str) -> list[tuple[float, bool, float]]:
    """The claims of an example, rounded."""
    return [(round(p, 9), holds, round(loss, 9)) for _, p, holds, loss in claims("x", prediction, gold)]


def test_what_is_claimed_follows_the_decision() -> None:
    plain = Prediction.of([0.2, 0.5, 0.3], ("a", "b", "c"))
    assert told(plain, "c") == [(0.5, False, 0.39)]  # ½ (0.2² + 0.5² + 0.7²)
    assert told(plain, "b", "c") == [(0.5, True, 0.19)]
    assert told(plain) == []
    assert told(Prediction.of([0.2, 0.8], ("a", "b")), "b") == [(0.8, True, 0.04)]
    assert told(Prediction.of([0.8, 0.2], ("b", "not b"), DecisionRule(0.9, "b")), "b") == [(0.8, True, 0.04)]
    unsure = Prediction.of([0.2, 0.8, 0.0], ("a", "b", "(abstains)"), DecisionRule(0.9))
    assert told(unsure, "b") == [(0.8, True, 0.04)]
    each = DecisionRule.read({"each": {"rude": 0.5, "long": 0.3}})
    sets = Prediction.of(each.probabilities([0.9, 0.2], ["rude", "long"]), each.decisions(["rude", "long"]), each)
    assert told(sets, "rude + long") == [(0.9, True, 0.01), (0.2, True, 0.64)]
    assert told(Prediction.of_answers([("Paris", 0.7)]), "paris") == []


def test_the_texts_of_an_example_share_what_it_counts() -> None:
    one = [("a", 0.9, True, 0.01), ("b", 0.6, False, 0.36), ("c", 0.7, True, 0.09)]
    told = {"a": 0, "b": 1, "c": 2}
    twice = worth_of([*one, one[0]], told.__getitem__, lambda id: 1.0)
    once = worth_of(one, told.__getitem__, lambda id: 1.0)
    assert once is not None
    assert twice is not None
    assert twice[0].value == pytest.approx(once[0].value) == pytest.approx(0.46 / 3)
    assert worth_of([("a", 1.0, True, 0.0), ("b", 0.0, False, 0.0)], told.__getitem__, lambda id: 1.0) is None
    assert worth_of([], told.__getitem__, lambda id: 1.0) is None


def literal_interval(
    p: list[float], y: list[bool], clusters: list[int], weights: list[float], members: list[list[int]]
) -> tuple[float, float]:
    """The interval by its definition: the non-central χ² of the docstring, inverted by search."""
    whole, ids = sum(weights), sorted({*clusters})
    shares, means, held, sums, expected = ([] for _ in range(5))
    for here in members:
        weight = sum(weights[row] for row in here)
        shares.append(weight / whole)
        means.append(sum(weights[row] * (y[row] - p[row]) for row in here) / weight)
        number = len({clusters[row] for row in here})
        held.append(number)
        sums.append([
            math.sqrt(number / (number - 1)) / weight
            * sum(weights[row] * (y[row] - p[row] - means[-1]) for row in here if clusters[row] == each)
            for each in ids
        ])  # fmt: skip
        expected.append(sum(weights[row] ** 2 * p[row] * (1 - p[row]) for row in here) / weight**2)
    # Each covariance of n clusters, mixed with one cluster's worth of what the p's say.
    bins = range(len(members))
    covariance = [
        [
            sum(a * b for a, b in zip(sums[i], sums[j], strict=True))
            * math.sqrt(held[i] / (held[i] + 1) * held[j] / (held[j] + 1))
            + (expected[i] / (held[i] + 1) if i == j else 0.0)
            for j in bins
        ]
        for i in bins
    ]
    total = sum(share * mean**2 for share, mean in zip(shares, means, strict=True))
    noise = sum(shares[i] * covariance[i][i] for i in bins)
    if total:
        scale = sum(shares[i] * means[i] * covariance[i][j] * shares[j] * means[j] for i in bins for j in bins) / total
    else:
        scale = sum((shares[i] * covariance[i][i]) ** 2 for i in bins) / noise

    def least(value: float, level: float) -> float:
        def off(squared: float) -> float:
            shape = noise / scale, squared / scale
            return float(ncx2.cdf(value / scale, *shape) if squared else chi2.cdf(value / scale, shape[0])) - level

        return math.sqrt(brentq(off, 0.0, 4.0, xtol=1e-15)) if off(0.0) > 0 else 0.0

    return least(total, 0.975), min(1.0, least(max(total, noise), 0.025))


@pytest.mark.parametrize(("share", "texts"), [(0.5, 1), (0.75, 2), (0.95, 3), (1.0, 1)])
def test_the_interval_is_that_of_its_definition(share: float, texts: int) -> None:
    random = np.random.default_rng(texts)
    p = np.sort(random.uniform(0.55, 0.99, 40 * texts)).tolist()
    y = (random.random(40 * texts) < share).tolist()
    clusters = random.permutation(np.repeat(np.arange(40), texts)).tolist()
    weights = random.uniform(0.8, 1.2, 40 * texts).tolist()
    members: list[list[int]] = [[] for _ in range(4)]
    for row, before in enumerate(np.cumsum([0.0, *weights])[:-1]):
        members[min(3, int(before / sum(weights) * 4))].append(row)
    found = calibration_error(p, y, clusters, weights)
    assert found is not None
    assert found.interval == pytest.approx(literal_interval(p, y, clusters, weights, members), abs=1e-6)


def test_where_all_is_as_it_should_be_the_interval_is_that_of_chance() -> None:
    p, y = [0.5] * 20, [True, False] * 10
    found = calibration_error(p, y, range(20))
    assert found is not None
    assert found.value == 0
    expected = literal_interval(p, y, [*range(20)], [1.0] * 20, [[*range(20)]])
    assert found.interval == pytest.approx(expected, abs=1e-6)


def test_there_are_as_many_bins_as_have_two_clusters_each() -> None:
    p = [0.5 + row / 100 for row in range(40)]
    y = [row % 3 > 0 for row in range(40)]
    weights = [15.0, *[1.0] * 39]  # a quarter of the weight, and not a third
    found = calibration_error(p, y, range(40), weights)
    assert found is not None
    assert found.value == pytest.approx(literal_error(p, y, [*range(40)], weights, 3), abs=1e-12)
    assert found.value != pytest.approx(literal_error(p, y, [*range(40)], weights, 2), abs=1e-3)


def test_fewer_than_three_clusters_and_losses_that_are_all_equal_have_no_interval() -> None:
    for losses, clusters in (([0.1, 0.3, 0.2], [0, 0, 1]), ([0.25] * 6, range(6))):
        found = brier_score(losses, clusters)
        assert found is not None
        assert found.value == pytest.approx(sum(losses) / len(losses))
        assert found.interval is None
    three = brier_score([0.1, 0.3, 0.2], range(3))
    assert three is not None
    assert three.interval is not None
    two = calibration_error([0.9, 0.8], [True, False], [0, 1])
    assert two is not None
    assert calibration_error([0.9, 0.8], [True, False], [0, 0]) is None
    sure = calibration_error([1.0, 1.0, 0.0], [True, True, False], range(3))
    assert sure is not None
    assert (sure.value, sure.interval) == (0.0, None)
