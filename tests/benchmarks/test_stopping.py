"""Simulated budgets stop where a run's own watch does, and their bounds are those of the books."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from benchmarks.stopping import simulate_stopping, told
from robustfim.outcome import Outcome
from robustfim.statistics.sequential import Watch


@pytest.mark.parametrize(("limit", "rate", "look"), [(0.15, 0.4, 1), (0.15, 0.02, 32), (0.15, 0.15, 32)])
def test_simulated_runs_stop_where_a_watch_does(limit: float, rate: float, look: int) -> None:
    runs, most = 12, 3000
    counts = (np.random.default_rng(3).random((runs, most)) < rate).cumsum(axis=1)
    tested, sides = [], []
    for run in counts:
        watch, number = Watch(limit), 0
        for number in range(look, most + 1, look):
            if watch.look(int(run[number - 1]), number):
                break
        tested.append(number if watch.tail.side is not Outcome.INCONCLUSIVE else most)
        sides.append(watch.tail.side)
    found = simulate_stopping(limit, rate, look, runs, seed=3)
    assert found.tested[0] == pytest.approx(np.mean(tested))
    assert found.passed == sides.count(Outcome.PASSED) / runs
    assert found.failed == sides.count(Outcome.FAILED) / runs


def test_the_bound_is_walds_and_a_rate_at_its_limit_has_none() -> None:
    found = simulate_stopping(0.02, 0.0, 32, 5)
    assert found.bound == pytest.approx(math.log(40) / -math.log(0.98))
    assert found.tested == (288, 288, 288)
    assert simulate_stopping(0.15, 0.15, 32, 5).bound is None


def test_the_section_has_a_row_for_each_rate_and_look() -> None:
    assert told("left out") == "Not measured: left out."
    row = told([simulate_stopping(0.02, 0.005, 32, 50)]).splitlines()[-1]
    assert row.startswith("| 2 % | 0.5 % | 32 |")
    assert row.endswith("| 100.0 % | 0.0 % |  |")


def test_the_mean_is_held_to_its_aim_and_wrong_verdicts_to_their_level() -> None:
    assert told([simulate_stopping(0.02, 0.005, 1, 2000)]).endswith("| ≤ 560: met |")
    assert told([replace(simulate_stopping(0.15, 0.15, 32, 20), passed=0.03)]).endswith("| ≤ 2.5 % each: missed |")
