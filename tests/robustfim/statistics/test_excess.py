"""The excess says of the same examples what a gap says of different ones."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np
import pytest
from scipy.stats import beta, multinomial, norm

from robustfim.outcome import Outcome
from robustfim.statistics.excess import Excess, exact_p_value
from robustfim.statistics.paired import Paired
from robustfim.statistics.tails import Tail, corrected
from tests.present import present


def test_the_side_is_that_on_which_the_whole_interval_lies() -> None:
    excess = Excess(Paired(40, 10, 200))
    assert excess.rate == pytest.approx(0.15)
    low, high = excess.interval
    assert excess.tail(low - 1e-6).side is Outcome.FAILED
    assert excess.tail(low + 1e-6) == excess.tail(high - 1e-6) == Tail(Outcome.INCONCLUSIVE, 1.0)
    assert excess.tail(high + 1e-6).side is Outcome.PASSED


def literally(broken: int, fixed: int, number: int, limit: float, side: Outcome) -> float:
    """Add up every table whose score is as far, at many shares of fixed examples that the ones found allow for."""
    tables = [(b, c, number - b - c) for b in range(number + 1) for c in range(number + 1 - b)]
    scores = np.array([Paired(b, c, number).score(limit) for b, c, _ in tables])
    found = Paired(broken, fixed, number).score(limit)
    far = scores >= found - 1e-9 if side is Outcome.FAILED else scores <= found + 1e-9
    low = beta.ppf(5e-5, fixed, number - fixed + 1) if fixed else 0.0
    high = beta.ppf(1 - 5e-5, fixed + 1, number - fixed) if fixed < number else 1.0
    low, high = np.minimum([low, high], (1 - limit) / 2)
    shares = [[q + limit, q, 1 - 2 * q - limit] for q in np.linspace(low, high, 100)]
    return min(
        1.0, 1e-4 + max(float(multinomial.pmf(tables, number, np.abs(fraction))[far].sum()) for fraction in shares)
    )


@pytest.mark.parametrize(
    ("broken", "fixed", "limit"),
    [(5, 0, 0.02), (6, 2, 0.05), (0, 0, 0.08), (20, 1, 0.1), (9, 9, 0.3), (24, 12, 0.05), (0, 36, 0.45)],
)
def test_the_p_value_is_the_largest_chance_of_a_score_as_far(broken: int, fixed: int, limit: float) -> None:
    for side in (Outcome.FAILED, Outcome.PASSED):
        found = exact_p_value(Paired(broken, fixed, 40), limit, side)
        assert found == pytest.approx(literally(broken, fixed, 40, limit, side), rel=0.01)


@pytest.mark.parametrize(
    ("limit", "churn"),
    [
        (0.01, 0.001),
        (0.02, 0.0),
        pytest.param(0.01, 0.02, marks=pytest.mark.slow),
        pytest.param(0.05, 0.1, marks=pytest.mark.slow),
    ],
)
def test_a_verdict_at_the_limit_is_wrong_in_no_more_cases_than_it_says(limit: float, churn: float) -> None:
    number, most = 400, np.arange(90)
    chances = multinomial.pmf(
        [(b, c, number - b - c) for b in most for c in most], number, [churn + limit, churn, 1 - 2 * churn - limit]
    ).reshape(90, 90)
    likely = [(int(b), int(c)) for b, c in zip(*np.nonzero(chances > 1e-6), strict=True)]
    ends = {pair: corrected([Excess(Paired(*pair, number)).tail(limit)])[0].side for pair in likely}
    for side in (Outcome.FAILED, Outcome.PASSED):
        assert sum(chances[pair] for pair, end in ends.items() if end is side) <= 0.025


def test_counts_of_clusters_are_whole_examples_at_most() -> None:
    whole, parts = (exact_p_value(Paired(12, 2, number), 0.02, Outcome.FAILED) for number in (100, 100.7))
    assert parts == pytest.approx(whole, rel=0.1)


def test_a_limit_of_one_is_never_exceeded() -> None:
    assert Excess(Paired(9, 0, 9)).tail(1.0) == Tail(Outcome.PASSED, 0.0)


@pytest.mark.parametrize(("broken", "fixed", "limit"), [(30, 10, 0.05), (22, 20, 0.05), (6, 5, 0.04)])
def test_so_many_more_examples_decide_in_four_of_five_cases(broken: int, fixed: int, limit: float) -> None:
    excess = Excess(Paired(broken, fixed, 200))
    more = present(excess.examples_to_decide(limit))
    shares = [broken / 200, fixed / 200, 1 - (broken + fixed) / 200]
    draws = np.random.default_rng(0).multinomial(200 + more, shares, 150)
    tables = Counter((int(one), int(two)) for one, two, _ in draws)
    decided = [
        pair for pair in tables if Excess(Paired(*pair, 200 + more)).tail(limit).side is not Outcome.INCONCLUSIVE
    ]
    assert sum(tables[pair] for pair in decided) / 150 == pytest.approx(0.8, abs=0.12)


def test_a_difference_without_any_spread_needs_no_more_than_its_level_asks_for() -> None:
    excess = Excess(Paired(3, 0, 3))  # all are broken, so that a sample of them varies in nothing
    times = (norm.isf(0.025 / 100) / excess.paired.score(0.9)) ** 2
    assert excess.examples_to_decide(0.9, 100) == math.ceil(3 * (times - 1)) > 100


def test_far_from_the_limit_one_more_example_decides() -> None:
    assert Excess(Paired(60, 0, 100)).examples_to_decide(0.05) == 1


def test_the_difference_of_no_examples_may_be_any() -> None:
    assert Excess(Paired(0, 0, 0)).interval == (-1.0, 1.0)


def test_no_number_of_examples_decides_where_the_excess_is_the_limit() -> None:
    assert Excess(Paired(20, 10, 100)).examples_to_decide(0.1) is None


@pytest.mark.parametrize(
    ("broken", "fixed", "number"), [(1, 0, 1), (0, 0, 1), (0, 1, 1), (1, 1, 2), (2, 0, 2), (1, 2, 3), (6, 6, 12)]
)
@pytest.mark.parametrize("limit", [0.0, 0.1, 0.45])
def test_of_very_few_examples_the_p_value_is_that_of_all_tables_too(
    broken: int, fixed: int, number: int, limit: float
) -> None:
    for side in (Outcome.FAILED, Outcome.PASSED):
        found = exact_p_value(Paired(broken, fixed, number), limit, side)
        assert found <= 1
        assert found == pytest.approx(literally(broken, fixed, number, limit, side), rel=0.01)


def test_a_difference_near_its_limit_needs_about_as_many_more_as_the_normal_approximation_says() -> None:
    excess = Excess(Paired(45, 30, 200))
    score = excess.paired.score(0.05)
    assert 0 < score < 1
    expected = 200 * ((1.959964 + 0.841621) / score) ** 2 - 200  # both quantiles, over the score of these examples
    assert excess.examples_to_decide(0.05) == pytest.approx(expected, rel=0.02)
    assert excess.examples_to_decide(0.05) == excess.examples_to_decide(0.05, comparisons=1)
    assert Excess(excess.paired, 0.25).examples_to_decide(0.05) == pytest.approx(4 * expected, rel=0.02)
