"""Simulated runs are judged as real ones, at rates that a pilot leaves open."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import beta, binom

from robustfim.outcome import Outcome
from robustfim.statistics import corrected, tail
from robustfim.statistics.assurance import Piloted, grown, judged
from robustfim.statistics.power import Aim, limit_power


def test_whole_arrays_are_judged_as_single_runs_are() -> None:
    random = np.random.default_rng(0)
    limits, tested = np.array([0.02, 0.1, 0.1, 0.3]), np.array([20, 150, 400, 90])
    rates = limits * random.choice([0.2, 1.0, 1.6], (300, 4))
    counts = random.binomial(tested, rates)
    signs = {Outcome.FAILED: 1, Outcome.PASSED: -1, Outcome.INCONCLUSIVE: 0}
    one_by_one = [
        [
            signs[each.side]
            for each in corrected([tail(int(k), int(n), each) for k, n, each in zip(row, tested, limits, strict=True)])
        ]
        for row in counts
    ]
    found = judged(counts, tested, limits)
    assert found.tolist() == one_by_one
    assert {-1, 0, 1} == set(found.ravel().tolist())


@pytest.mark.parametrize("rate", [0.05, 0.2])
def test_a_known_rate_has_the_exact_power_and_a_piloted_one_its_mean(rate: float) -> None:
    sizes = [50, 150, 400]
    known = grown([Piloted(0.1, 0, 1, rate=rate)], sizes).decided[:, 0]
    assert known == pytest.approx([limit_power(Aim(rate, 0.1), size) for size in sizes], abs=0.035)
    points = (np.arange(400) + 0.5) / 400
    rates = beta.ppf(points, 100 * rate + 1 / 3, 100 * (1 - rate) + 1 / 3)
    found = grown([Piloted(0.1, 100 * rate, 100)], sizes)
    for row, size in enumerate(sizes):
        most = max(k for k in range(-1, size) if k < 0 or tail(k, size, 0.1).side is Outcome.PASSED)
        assert found.codes[row, 0] == pytest.approx(binom.cdf(most, size, rates).mean(), abs=0.035)


def test_the_share_of_testable_examples_stretches_the_numbers() -> None:
    whole, half = (grown([Piloted(0.1, 5, 100, share, rate=0.05)], until=0.9) for share in (1.0, 0.5))
    one, two = whole.first(0, 0.8), half.first(0, 0.8)
    assert one is not None
    assert two == pytest.approx(2 * one, rel=0.06)
    assert whole.first(0, 0.9999) is None


def test_the_chances_sum_to_one_and_grow_with_the_examples() -> None:
    runs = grown([Piloted(0.1, 4, 100), Piloted(0.1, 1, 50)], [50, 200, 1000])
    assert runs.codes.sum(axis=1) == pytest.approx(1)
    assert (np.diff(runs.codes[:, 0]) > 0).all()
