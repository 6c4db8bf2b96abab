"""Exact tests at several looks: errors, boundaries, p-values, intervals and power against literal references."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from scipy.stats import binom, norm

from robustfim.outcome import Outcome
from robustfim.statistics.power import Aim, limit_power
from robustfim.statistics.spending import Spending, chance_to_decide, ladder, spending_interval, spent

LOOKS = [(2, 2), (5, 4), (9, 8)]
"""Drawn and tested examples at three looks, few enough to write down every path."""
SIDES = [Outcome.FAILED, Outcome.PASSED]


def literal_bounds(limit: float, level: float, side: Outcome, planned: int) -> list[int]:
    """Each boundary by summing over all paths of counts that crossed none before."""
    bounds: list[int] = []
    used = 0.0
    steps = np.diff([0, *(tested for _, tested in LOOKS)])
    for look, (drawn, tested) in enumerate(LOOKS):
        chances: dict[int, float] = {}
        for path in itertools.product(*(range(step + 1) for step in steps[: look + 1])):
            totals = np.cumsum(path)
            crossed = any(
                (total >= bound if side is Outcome.FAILED else total <= bound)
                for total, bound in zip(totals[:-1], bounds, strict=True)
            )
            if not crossed:
                chance = np.prod(
                    [binom.pmf(count, step, limit) for count, step in zip(path, steps[: look + 1], strict=True)]
                )
                chances[int(totals[-1])] = chances.get(int(totals[-1]), 0.0) + float(chance)
        left = float(spent(np.array([level]), drawn, planned)[0]) - used
        far = range(tested, -1, -1) if side is Outcome.FAILED else range(tested + 1)
        bound, total = (tested + 1 if side is Outcome.FAILED else -1), 0.0
        for count in far:
            if total + chances.get(count, 0.0) > left:
                break
            total += chances.get(count, 0.0)
            bound = count
        used += total
        bounds.append(bound)
    return bounds


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize(("limit", "level"), [(0.3, 0.2), (0.5, 0.1), (0.7, 0.3)])
def test_the_boundaries_are_those_of_all_paths_written_down(limit: float, level: float, side: Outcome) -> None:
    test = Spending(limit, np.array([level]), side, 9)
    found = [int(test.take(drawn, tested, 0)[0]) for drawn, tested in LOOKS]
    expected = literal_bounds(limit, level, side, 9)
    # A count that no path reaches any more is as good a boundary as the one beside it.
    assert [min(max(each, -1), at + 1) for each, (_, at) in zip(found, LOOKS, strict=True)] == expected


def test_the_error_that_is_spent_rises_to_the_whole_and_mostly_early() -> None:
    level = np.array([0.025])
    by_draw = [float(spent(level, drawn, 960)[0]) for drawn in range(32, 961, 32)]
    assert by_draw == sorted(by_draw)
    assert by_draw[-1] == pytest.approx(0.025)
    expected = 0.025 * 0.7 * np.log(2) / np.log(31) + 0.3 * 2 * norm.sf(norm.isf(0.0125) / np.sqrt(1 / 30))
    assert by_draw[0] == pytest.approx(expected)


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize(("limit", "looks", "share"), [(0.02, 30, 1.0), (0.15, 15, 0.4)])
def test_a_rate_at_its_limit_is_called_wrong_no_oftener_than_stated(
    side: Outcome, limit: float, looks: int, share: float
) -> None:
    random, runs = np.random.default_rng(5), 400
    testable = random.binomial(32, share, looks).cumsum()
    test = Spending(limit, ladder(), side, 32 * looks)
    bounds = np.array([test.take(32 * (at + 1), int(testable[at]), 0) for at in range(looks)])
    fresh = np.diff(testable, prepend=0)
    counts = random.binomial(fresh, limit, (runs, looks)).cumsum(axis=1)
    for row in (0, 9, 30):
        crossed = counts >= bounds[:, row] if side is Outcome.FAILED else counts <= bounds[:, row]
        level = float(ladder()[row])
        assert crossed.any(axis=1).mean() <= level + 3 * np.sqrt(level / runs)
        # What one level rejects, so do all above it.
        assert (bounds[:, 0] <= bounds[:, row]).all() if side is Outcome.FAILED else True


@pytest.mark.parametrize(("rate", "level"), [(0.005, 0.025), (0.04, 0.025), (0.05, 0.0025)])
def test_looking_early_costs_little_of_the_power_of_one_look(rate: float, level: float) -> None:
    assert chance_to_decide(rate, 0.02, level, 480) >= limit_power(Aim(rate, 0.02), 480, level) - 0.06


def test_the_p_value_is_the_least_level_that_a_look_rejected() -> None:
    test = Spending(0.1, ladder(), Outcome.FAILED, 320)
    assert test.p_value == 1.0
    bounds = test.take(64, 64, 20)
    assert test.p_value == ladder()[bounds <= 20].min()
    before = test.p_value
    test.take(320, 320, 21)
    assert test.p_value == before


def test_the_interval_holds_what_neither_side_rejects() -> None:
    looks = [(32, 20, 2), (64, 41, 5), (96, 60, 6)]
    low, high = spending_interval(looks, 320) or (1.0, 0.0)
    assert low < 0.1 < high
    for end, side, step in ((low, Outcome.FAILED, -1e-4), (high, Outcome.PASSED, 1e-4)):
        for limit, rejected in ((end + step, True), (end - step, False)):
            test = Spending(limit, np.array([0.025]), side, 320)
            for look in looks:
                test.take(*look)
            assert bool(test.rejected[0]) is rejected
    assert spending_interval([], 320) is None
    assert (spending_interval([(32, 20, 0)], 32) or (1.0, 0.0))[0] == 0.0


@pytest.mark.parametrize(("rate", "limit", "level"), [(0.005, 0.02, 0.025), (0.06, 0.02, 0.0025), (0.0, 0.05, 0.025)])
def test_the_chance_to_decide_is_that_of_simulated_runs(rate: float, limit: float, level: float) -> None:
    planned, runs = 400, 2000
    side = Outcome.FAILED if rate > limit else Outcome.PASSED
    test = Spending(limit, np.array([level]), side, planned)
    looks = [*range(32, planned, 32), planned]
    bounds = np.array([test.take(number, number, 0)[0] for number in looks])
    fresh = np.diff(looks, prepend=0)
    counts = np.random.default_rng(2).binomial(fresh, rate, (runs, len(looks))).cumsum(axis=1)
    crossed = counts >= bounds if side is Outcome.FAILED else counts <= bounds
    chance = chance_to_decide(rate, limit, level, planned)
    assert chance == pytest.approx(crossed.any(axis=1).mean(), abs=4 * np.sqrt(0.25 / runs))


def test_the_levels_at_which_a_p_value_is_sought_are_those_that_are_said() -> None:
    steps = [0.025]
    while steps[-1] > 1e-7:
        steps.append(steps[-1] / 1.2)
    rivals = [0.025 / (number + 0.1) for number in range(1, 25)]
    assert ladder() == pytest.approx(sorted([*rivals, *steps], reverse=True))
