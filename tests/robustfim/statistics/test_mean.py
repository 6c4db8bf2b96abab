"""The mean of numbers in [0, 1] against its limit: the evidence of bets, literally, and how often it errs."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from robustfim.outcome import Outcome
from robustfim.statistics.clusters import clustered_changes
from robustfim.statistics.mean import Mean
from robustfim.statistics.sequential import bets, evidence
from tests.present import present

LIMIT = 0.1
SIDES = (Outcome.FAILED, Outcome.PASSED)
RUNS = 600


def of_numbers(numbers: np.ndarray, clusters: np.ndarray | None = None) -> Mean:
    ids = [str(each) for each in range(len(numbers))]
    lie_in = {} if clusters is None else dict(zip(ids, map(str, clusters), strict=True))
    return Mean.of(dict(zip(ids, map(float, numbers), strict=True)), lie_in)


def literally(numbers: list[list[float]], limit: float, side: Outcome) -> float:
    """Bet on one side of a limit, cluster after cluster, with each rate of the mixture."""
    largest, evidence = max(map(len, numbers)), 0.0
    for weight, fails, holds in bets(limit, side):
        wealth = math.exp(weight)
        for cluster in numbers:
            trial = limit + (sum(cluster) - limit * len(cluster)) / largest
            wealth *= trial * math.exp(fails) + (1 - trial) * math.exp(holds)
        evidence += wealth
    return math.log(evidence)


@given(
    numbers=st.lists(st.lists(st.floats(0, 1), min_size=1, max_size=4), min_size=1, max_size=12),
    limit=st.floats(0.01, 0.99),
    side=st.sampled_from(SIDES),
)
def test_the_evidence_is_that_of_the_bets_one_after_the_other(
    numbers: list[list[float]], limit: float, side: Outcome
) -> None:
    members = {f"{at}.{place}": each for at, cluster in enumerate(numbers) for place, each in enumerate(cluster)}
    found = Mean.of(members, {id: id.partition(".")[0] for id in members}, max(map(len, numbers)))
    assert found.evidence(limit, side) == pytest.approx(literally(numbers, limit, side), abs=1e-9)
    assert found.rate == pytest.approx(sum(map(sum, numbers)) / sum(map(len, numbers)))
    assert found.tested == sum(map(len, numbers))


@given(failing=st.integers(0, 60), holding=st.integers(0, 60), limit=st.floats(0.01, 0.99))
def test_of_counts_it_is_the_evidence_of_a_budget(failing: int, holding: int, limit: float) -> None:
    if failing + holding == 0:
        return
    found = Mean({trial: number for trial, number in (((0.0, 1), holding), ((1.0, 1), failing)) if number}, 1)
    for side in SIDES:
        expected = evidence(failing, failing + holding, limit, side)
        assert found.evidence(limit, side) == pytest.approx(expected, abs=1e-9)


def test_the_interval_holds_the_limits_that_are_not_rejected() -> None:
    found = Mean({(0.0, 1): 80, (0.25, 1): 12, (0.75, 1): 8})
    low, high = found.interval
    assert low < found.rate < high
    sides = [found.tail(limit).side for limit in (low - 1e-6, low + 1e-6, high - 1e-6, high + 1e-6)]
    assert sides == [Outcome.FAILED, Outcome.INCONCLUSIVE, Outcome.INCONCLUSIVE, Outcome.PASSED]


@pytest.mark.parametrize(
    ("limit", "trials", "side"),
    [
        (0.0, {(0.0, 1): 3}, Outcome.PASSED),
        (0.0, {(0.0, 1): 3, (0.25, 1): 1}, Outcome.FAILED),
        (1.0, {(1.0, 1): 3}, Outcome.PASSED),
    ],
)
def test_a_limit_of_nothing_or_of_all_asks_no_interval(
    limit: float, trials: dict[tuple[float, float], int], side: Outcome
) -> None:
    assert Mean(trials).tail(limit).side is side


def test_shares_that_vary_little_decide_where_as_many_failing_examples_do_not() -> None:
    shares, counts = Mean({(0.0, 1): 70, (0.2, 1): 20}), Mean({(0.0, 1): 86, (1.0, 1): 4})
    assert shares.rate == counts.rate == pytest.approx(4 / 90)
    assert shares.tail(LIMIT).side is Outcome.PASSED
    assert counts.tail(LIMIT).side is Outcome.INCONCLUSIVE


def of_four(random: np.random.Generator, number: int) -> np.ndarray:
    """Shares of four candidates, which are alike within an example."""
    return random.binomial(4, random.beta(0.3, 0.3 * (1 - LIMIT) / LIMIT, number)) / 4


DRAWS: dict[str, Callable[[np.random.Generator, int], np.ndarray]] = {
    "counts": lambda random, number: (random.random(number) < LIMIT).astype(float),
    "shares of four": of_four,
    "evenly": lambda random, number: random.random(number) * 2 * LIMIT,
    "rarely and whole": lambda random, number: np.where(random.random(number) < 0.02, 1.0, 0.08 / 0.98),
    "whole but rarely": lambda random, number: np.where(random.random(number) < 0.9, 0.1111111, 0.0),
}


@pytest.mark.parametrize("number", [25, 200])
@pytest.mark.parametrize("law", DRAWS)
def test_a_mean_at_its_limit_is_called_above_or_below_in_at_most_one_run_of_forty(law: str, number: int) -> None:
    random = np.random.default_rng(number)
    sides = [of_numbers(DRAWS[law](random, number)).tail(LIMIT).side for _ in range(RUNS)]
    most = 0.025 * RUNS + 3 * math.sqrt(0.025 * RUNS)
    assert sides.count(Outcome.FAILED) <= most
    assert sides.count(Outcome.PASSED) <= most


def test_means_of_clusters_whose_members_are_alike_err_no_more_often() -> None:
    random = np.random.default_rng(5)
    sides = []
    for _ in range(RUNS):
        clusters = np.repeat(np.arange(40), random.integers(1, 9, 40))
        sides.append(of_numbers(np.repeat(of_four(random, 40), np.bincount(clusters)), clusters).tail(LIMIT).side)
    most = 0.025 * RUNS + 3 * math.sqrt(0.025 * RUNS)
    assert max(sides.count(Outcome.FAILED), sides.count(Outcome.PASSED)) <= most


def test_as_many_more_examples_as_are_told_decide_in_about_80_percent() -> None:
    random = np.random.default_rng(3)
    numbers = np.repeat([0.0, 0.25, 0.5, 1.0], [32, 4, 2, 2])  # a mean of 10 %
    found = of_numbers(numbers)
    more = present(found.examples_to_decide(0.2))
    assert found.tail(0.2).side is Outcome.INCONCLUSIVE
    drawn = [of_numbers(random.choice(numbers, len(numbers) + more)).tail(0.2).side for _ in range(600)]
    assert 0.74 <= drawn.count(Outcome.PASSED) / 600 <= 0.9
    assert (found.examples_to_decide(0.2, comparisons=10) or 0) > more == found.examples_to_decide(0.2, comparisons=1)
    assert found.examples_to_decide(found.rate) is None


def test_changes_of_shares_are_called_worse_or_no_worse_by_a_margin_no_more_often_than_said() -> None:
    """Sums of changes stand for counts of newly broken and newly fixed examples."""
    random = np.random.default_rng(11)
    errors = {"worse": 0, "no worse": 0}
    for _ in range(RUNS):
        before, now = (random.binomial(4, random.beta(0.5, 2, 150)) / 4 for _ in range(2))
        errors["worse"] += clustered_changes(now - before)[0].is_worse()
        errors["no worse"] += clustered_changes(now - before)[0].is_no_worse(1e-9)
    most = 0.025 * RUNS + 3 * math.sqrt(0.025 * RUNS)
    assert max(errors.values()) <= most, errors
    assert clustered_changes(np.array([0.5, -0.25, 0.0, 1.0]))[0].difference == pytest.approx(1.25 / 4)
