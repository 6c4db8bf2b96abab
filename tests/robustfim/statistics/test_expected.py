from __future__ import annotations

from fractions import Fraction
from math import comb

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.stats import beta

from robustfim.statistics import expected_count


def literal(count: int, trials: int, number: int) -> list[float]:
    """The chance of each new count: the binomial one, averaged over the share's distribution by quadrature."""
    share = beta(count + 0.5, trials - count + 0.5)

    def chance(k: int) -> float:
        return comb(number, k) * float(
            quad(lambda p: p**k * (1 - p) ** (number - k) * share.pdf(p), 0, 1, limit=400)[0]
        )

    return [chance(k) for k in range(number + 1)]


@pytest.mark.parametrize(("count", "trials", "number"), [(8, 12, 9), (3, 5, 14), (19, 24, 22)])
def test_the_interval_leaves_at_most_two_and_a_half_per_cent_on_each_side(count: int, trials: int, number: int) -> None:
    chances = literal(count, trials, number)
    mean, (low, high) = expected_count(count, trials, number)
    assert mean == pytest.approx(sum(k * chance for k, chance in enumerate(chances)), rel=1e-4)
    assert sum(chances[:low]) <= 0.025 < sum(chances[: low + 1])
    assert sum(chances[high + 1 :]) <= 0.025 < sum(chances[high:])


@pytest.mark.parametrize(("count", "trials"), [(0, 24), (24, 24), (1, 2)])
def test_the_mean_is_that_of_jeffreys_share_and_the_ends_are_counts(count: int, trials: int) -> None:
    mean, (low, high) = expected_count(count, trials, 22)
    assert mean == pytest.approx(float(22 * Fraction(2 * count + 1, 2 * trials + 2)))
    assert 0 <= low <= mean <= high <= 22
    assert expected_count(count, trials, 0) == (0.0, (0, 0))


def test_new_counts_lie_within_the_interval_as_often_as_it_says() -> None:
    random = np.random.default_rng(1)
    hits = []
    for share in (0.5, 0.8, 0.95):
        for count, new in zip(random.binomial(24, share, 300), random.binomial(22, share, 300), strict=True):
            low, high = expected_count(int(count), 24, 22)[1]
            hits.append(low <= new <= high)
    assert np.mean(hits) >= 0.94
