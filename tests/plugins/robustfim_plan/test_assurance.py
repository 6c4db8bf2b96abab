"""Simulated runs are judged as real ones, at rates that a pilot leaves open."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import binom, norm

from robustfim.outcome import Outcome
from robustfim.statistics import corrected, tail
from robustfim.statistics.power import Aim, limit_power
from robustfim_plan.assurance import _SPREADS, Piloted, grown, judged, piloted_rates


def test_whole_arrays_are_judged_as_single_runs_are() -> None:
    random = np.random.default_rng(0)
    limits, tested = np.array([0.02, 0.1, 0.1, 0.3]), np.array([20, 150, 400, 90])
    rates = limits * random.choice([0.2, 1.0, 1.6], (300, 4))
    counts = random.binomial(tested, rates)
    signs = {Outcome.FAILED: 1, Outcome.PASSED: -1, Outcome.INCONCLUSIVE: 0}
    one_by_one = [
        [
            signs[each.side]
            for each in corrected(
                [tail(int(k), int(n), limit) for k, n, limit in zip(row, tested, limits, strict=True)]
            )
        ]
        for row in counts
    ]
    found = judged(counts, tested, limits)
    assert found.tolist() == one_by_one
    assert {-1, 0, 1} == set(found.ravel().tolist())


@pytest.mark.parametrize("rate", [0.05, 0.2])
def test_a_known_rate_has_the_exact_power(rate: float) -> None:
    sizes = [50, 150, 400]
    known = grown([Piloted(0.1, 0, 1, rate=rate)], sizes).decided[:, 0]
    assert known == pytest.approx([limit_power(Aim(rate, 0.1), size) for size in sizes], abs=0.035)


def literal_mean(aims: list[Piloted], place: int) -> float:
    """The posterior mean of one rate, by summing over means, spreads and the log odds of each rate in turn."""
    total = mean = 0.0
    above = np.linspace(-9, 5, 1501)
    for level in np.arange(-5, 2, 0.5):
        for spread, prior in _SPREADS.items():
            weight, own = prior, 0.0
            for at, aim in enumerate(aims):
                rates = 1 / (1 + np.exp(-above - np.log(aim.limit / (1 - aim.limit))))
                density = norm.pdf(above, level, spread) * binom.pmf(aim.failing, aim.tested, rates)
                weight *= density.sum()
                own = float((density * rates).sum() / density.sum()) if at == place else own
            total, mean = total + weight, mean + weight * own
    return mean / total


@pytest.mark.parametrize("counts", [(5,), (0,), (5, 5, 4), (0, 5, 30)])
def test_the_rates_that_a_pilot_leaves_open_are_those_of_a_literal_posterior(counts: tuple[int, ...]) -> None:
    aims = [Piloted(0.1, count, 100) for count in counts]
    found = piloted_rates(aims, np.random.default_rng(0))
    for place in range(len(aims)):
        error = found[:, place].std() / np.sqrt(len(found))
        assert found[:, place].mean() == pytest.approx(literal_mean(aims, place), abs=4 * error)


def test_rates_that_are_alike_leave_less_open_together_than_one_alone() -> None:
    alone = piloted_rates([Piloted(0.1, 5, 100)], np.random.default_rng(0))
    together = piloted_rates([Piloted(0.1, 5, 100)] * 10, np.random.default_rng(0))
    apart = piloted_rates([Piloted(0.1, 5, 100), *[Piloted(0.1, 0, 100), Piloted(0.1, 40, 100)] * 4],
                          np.random.default_rng(0))  # fmt: skip
    assert together[:, 0].std() < 0.7 * alone[:, 0].std()
    assert (together > 0.1).any(axis=1).mean() < 0.5 * (1 - (1 - (alone > 0.1).mean()) ** 10)
    assert apart[:, 0].std() > 1.4 * together[:, 0].std()
    assert (piloted_rates([Piloted(0.1, 5, 100, rate=0.3)], np.random.default_rng(0)) == 0.3).all()


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
