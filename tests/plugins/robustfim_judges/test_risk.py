"""Thresholds by risk control: against a literal computation, and wrong as seldom as they say on simulated judges."""

from __future__ import annotations

from fractions import Fraction
from math import comb, inf

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import norm

from robustfim_judges.risk import Promise, promise, thresholds

RISK, ERROR = Fraction(1, 20), Fraction(1, 20)


def literal(numbers: list[float], bad: list[bool], sequence: list[float]) -> Promise | None:
    """One threshold after another, each with the sum of its binomial probabilities as fractions."""
    found = None
    for at in sequence:
        let = [is_bad for number, is_bad in zip(numbers, bad, strict=True) if number >= at]
        n, k = len(let), sum(let)
        p_value = sum(comb(n, i) * RISK**i * (1 - RISK) ** (n - i) for i in range(k + 1))
        if p_value > ERROR:
            return found
        found = Promise(at, n, k, len(numbers))
    return found


@given(
    st.lists(st.tuples(st.integers(0, 30), st.booleans()), max_size=25),
    st.integers(0, 150),
    st.lists(st.integers(-1, 30), min_size=1, max_size=6, unique=True),
)
def test_a_promise_is_that_of_the_literal_sequence(pairs: list[tuple[int, bool]], good: int, at: list[int]) -> None:
    numbers = [float(number) for number, _ in pairs] + [20.0] * good
    bad = [is_bad for _, is_bad in pairs] + [False] * good
    sequence = [float(each) for each in sorted(at, reverse=True)]
    assert promise(numbers, bad, sequence) == literal(numbers, bad, sequence)


@pytest.mark.parametrize(("good", "bad", "proved"), [(59, 0, True), (58, 0, False), (92, 1, True), (91, 1, False)])
def test_fifty_nine_pairs_without_a_bad_one_prove_it_or_ninety_three_with_one(
    good: int, bad: int, proved: bool
) -> None:
    found = promise([1.0] * (good + bad), [False] * good + [True] * bad, [-inf])
    assert (found is not None) is proved


def test_a_sequence_begins_where_something_can_be_proved_and_ends_with_all() -> None:
    other = list(np.random.default_rng(0).normal(size=100))
    sequence = thresholds(other, 186)
    assert sequence == sorted(sequence, reverse=True)
    assert sequence[-1] == -inf
    assert sum(number >= sequence[0] for number in other) == 50  # 93 of 186
    assert thresholds(other, 60) == [-inf]
    assert thresholds([], 600) == [-inf]


def simulated(auroc: float, bad: float, runs: int, seed: int = 0) -> tuple[float, float]:
    """How often a promise is made, and how often one is wrong.

    A good pair's number is normal around √2 Φ⁻¹(AUROC), a bad one's around 0, so the true risk of a threshold is
    known: π Φ(−t) / (π Φ(−t) + (1 − π) Φ(d − t)).
    """
    random, distance = np.random.default_rng(seed), np.sqrt(2) * norm.ppf(auroc)
    made = wrong = 0
    for _ in range(runs):
        is_bad = random.random(420) < bad
        numbers = random.normal(size=420) + distance * ~is_bad
        sequence = thresholds(list(numbers[:170]), 250)
        found = promise(numbers[170:].tolist(), is_bad[170:].tolist(), sequence)
        if found is not None:
            made += 1
            through = bad * norm.sf(found.at), (1 - bad) * norm.sf(found.at - distance)
            wrong += through[0] / sum(through) > 0.05
    return made / runs, wrong / runs


@pytest.mark.parametrize("auroc", [0.5, 0.7, 0.8, 0.9, 0.95])
@pytest.mark.parametrize("bad", [0.06, 0.15])
def test_a_promise_is_wrong_in_at_most_one_of_twenty_runs_whatever_the_judge_is_worth(auroc: float, bad: float) -> None:
    runs = 300
    assert simulated(auroc, bad, runs)[1] <= 0.05 + 3 * (0.05 * 0.95 / runs) ** 0.5


def test_a_good_judge_is_mostly_promised_and_a_worthless_one_is_not() -> None:
    assert simulated(0.95, 0.15, 200)[0] >= 0.8
    assert simulated(0.5, 0.15, 200)[0] <= 0.02
