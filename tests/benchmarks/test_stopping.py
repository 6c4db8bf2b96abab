"""Simulated budgets stop where a run's own watch does, and their bounds are those of the books."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from benchmarks.stopping import LOOKS, as_markdown, simulate_scored, simulate_stopping
from robustfim.outcome import Outcome
from robustfim.statistics.sequential import Watch


@pytest.mark.parametrize(("limit", "rate"), [(0.15, 0.4), (0.15, 0.02), (0.15, 0.25)])
def test_simulated_runs_stop_where_a_watch_does(limit: float, rate: float) -> None:
    runs, most = 6, 3000
    counts = (np.random.default_rng(3).random((runs, most)) < rate).cumsum(axis=1)
    tested, sides = [], []
    for run in counts:
        watch, number = Watch(limit, planned=most), 0
        for number in LOOKS:
            if watch.look(int(run[number - 1]), number):
                break
        tested.append(number if watch.tail.side is not Outcome.INCONCLUSIVE else most)
        sides.append(watch.tail.side)
    found = simulate_stopping(limit, rate, runs, seed=3)
    assert found.tested[0] == pytest.approx(np.mean(tested))
    assert found.passed == sides.count(Outcome.PASSED) / runs
    assert found.failed == sides.count(Outcome.FAILED) / runs


def test_the_bound_is_walds_and_a_rate_at_its_limit_has_none() -> None:
    found = simulate_stopping(0.02, 0.0, 5)
    assert found.bound == pytest.approx(math.log(40) / -math.log(0.98))
    assert found.tested[0] == found.tested[2] < 320
    assert simulate_stopping(0.15, 0.15, 5).bound is None


def test_the_section_has_a_row_for_each_rate() -> None:
    row = as_markdown([simulate_stopping(0.02, 0.005, 50)]).splitlines()[-1]
    assert row.startswith("| – | 2 % | 0.5 % | ")
    assert row.endswith("| 100.0 % | 0.0 % | ≤ 560: met |")


def test_the_mean_is_held_to_its_aim_and_wrong_verdicts_to_their_level() -> None:
    assert as_markdown([simulate_stopping(0.02, 0.005, 2000)]).endswith("| ≤ 560: met |")
    assert as_markdown([replace(simulate_stopping(0.15, 0.15, 20), passed=0.03, runs=10_000)]).endswith(
        "| ≤ 2.5 % each: missed |"
    )


@pytest.mark.slow
def test_a_score_saves_examples_and_its_bound_is_that_of_its_strata() -> None:
    passed, failed = (simulate_scored(0.02, rate, 0.9, 60) for rate in (0.005, 0.04))
    assert passed.bound == pytest.approx(359, rel=0.06)
    assert failed.bound == pytest.approx(122, rel=0.1)
    assert passed.passed == 1
    assert passed.tested[0] <= 1.35 * 359
    assert failed.failed >= 0.95
    assert failed.tested[0] < 400
    assert as_markdown([passed]).splitlines()[-1].startswith("| 0.9 | 2 % | 0.5 % | ")


def test_of_data_in_clusters_it_is_told_whether_the_check_knows_of_them() -> None:
    found = replace(simulate_stopping(0.15, 0.15, 20), auroc=0.9, cluster=50)
    rows = as_markdown([found, replace(found, told=False)]).splitlines()
    assert rows[-2].startswith("| 0.9, clusters of 50 | 15 % | 15 % | ")
    assert rows[-2].endswith("2.5 % each: met |")
    assert rows[-1].startswith("| 0.9, clusters of 50, not told | ")
    assert rows[-1].endswith(" % |  |")


@pytest.mark.slow
def test_of_data_in_clusters_a_check_that_knows_of_them_is_seldom_wrong() -> None:
    found, ignored = (simulate_scored(0.15, 0.15, 0.9, 60, cluster=50, told=told) for told in (True, False))
    assert max(found.passed, found.failed) <= 0.05
    assert ignored.passed + ignored.failed >= 0.2


@pytest.mark.slow
@pytest.mark.parametrize("of_file", [False, True])
def test_at_the_limit_few_runs_from_strata_are_ever_wrong(of_file: bool) -> None:
    found = simulate_scored(0.02, 0.02, 0.9, 400, of_file=of_file)
    assert max(found.passed, found.failed) <= 0.045  # 2.5 %, and what 400 runs may miss it by
