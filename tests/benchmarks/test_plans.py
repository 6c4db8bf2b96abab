"""Simulated plans are those of the product, and what comes of them is exact."""

from __future__ import annotations

from dataclasses import replace

import pytest

from benchmarks.plans import LIKELY, NUMBERS, as_markdown, simulate_plans
from robustfim.statistics import tail
from robustfim_plan.assurance import Piloted, grown


def test_a_pilot_alone_is_planned_as_the_product_plans_it() -> None:
    found = simulate_plans(0.1, 30, 1, "a quarter", 1, seed=1)
    plans = {}
    for failing in range(4):
        runs = grown([Piloted(0.1, failing, 30)], until=0.8)
        place = NUMBERS.index(runs.first(0, 0.8) or NUMBERS[-1])
        plans[NUMBERS[place]] = float(runs.codes[place, 0])
    assert found.drawn in plans
    assert found.told == plans[int(found.drawn)]
    number = int(found.drawn)
    most = max(k for k in range(number) if tail(k, number, 0.1).side.value == "passed")
    from scipy.stats import binom

    assert found.came == pytest.approx(binom.cdf(most, number, 0.025))


@pytest.mark.slow
def test_what_is_told_of_one_limit_comes_and_a_plan_at_the_pilots_rate_brings_less() -> None:
    found = simulate_plans(0.1, 100, 1, "half", 1000)
    assert found.plain < 0.77 < found.told + 0.03
    assert found.told - 0.03 < found.came < found.told + 0.08


@pytest.mark.parametrize(("checks", "pilots"), [(1, 1500), pytest.param(3, 60, marks=pytest.mark.slow)])
def test_what_is_told_comes_of_rates_as_likely_as_the_plan_takes_them(checks: int, pilots: int) -> None:
    found = simulate_plans(0.1, 100, checks, LIKELY, pilots, seed=3)
    assert 0 < found.error < 0.04
    assert abs(found.came - found.told) < 3 * found.error + 0.01


def test_the_section_says_what_missed_its_aim_and_the_average() -> None:
    one = replace(simulate_plans(0.1, 30, 1, "half", 5), told=0.7, came=0.75, error=0.03)
    lines = as_markdown([one, replace(one, came=0.69, error=0.04), replace(one, truth=LIKELY, came=0.71)]).splitlines()
    assert " | +5.0 ± 3.0 | " in lines[4]
    assert lines[4].endswith("| ≤ 3 points: missed |")
    assert lines[5].endswith("| ≤ 3 points: met |")
    likely, given = "+1.0 ± 3.0 points at likely rates", "+2.0 ± 3.5 points at given rates"
    assert lines[-1] == f"On the average with 1 limit: {likely}, {given}."
