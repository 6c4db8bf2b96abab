from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import norm

from robustfim.statistics import Rate, percent, wilson
from robustfim.statistics.rate import CONFIDENCE, LEVEL, POWER, Z_POWER, last_rejected, times_to_decide
from robustfim.statistics.rate import Z as QUANTILE
from tests.present import present

Z = 1.959964
"""The 97.5 % point of the normal distribution, from a table."""


@st.composite
def counts(draw: st.DrawFn, most: int = 400) -> tuple[int, int]:
    tested = draw(st.integers(1, most))
    return draw(st.integers(0, tested)), tested


@given(counts())
def test_the_wilson_interval_is_the_textbook_formula(count: tuple[int, int]) -> None:
    failing, tested = count
    rate = failing / tested
    centre = (rate + Z**2 / (2 * tested)) / (1 + Z**2 / tested)
    half = Z / (1 + Z**2 / tested) * math.sqrt(rate * (1 - rate) / tested + Z**2 / (4 * tested**2))
    assert wilson(failing, tested) == pytest.approx((centre - half, centre + half), abs=1e-6)


@pytest.mark.parametrize(
    ("failing", "tested", "published"),
    [
        (81, 263, (0.2553, 0.3662)),
        (15, 148, (0.0624, 0.1605)),
        (0, 20, (0.0000, 0.1611)),
        (1, 29, (0.0061, 0.1718)),
    ],
)
def test_the_wilson_interval_is_the_published_one(failing: int, tested: int, published: tuple[float, float]) -> None:
    """Newcombe, Two-sided confidence intervals for the single proportion (1998), table I, method 3."""
    assert wilson(failing, tested) == pytest.approx(published, abs=5e-5)


@given(counts())
def test_the_wilson_interval_lies_in_0_to_1_and_mirrors(count: tuple[int, int]) -> None:
    failing, tested = count
    interval, mirrored = wilson(failing, tested), wilson(tested - failing, tested)
    assert interval is not None
    assert mirrored is not None
    assert 0 <= interval[0] <= failing / tested <= interval[1] <= 1
    assert (1 - mirrored[1], 1 - mirrored[0]) == pytest.approx(interval, abs=1e-12)


def test_nothing_tested_has_no_interval() -> None:
    assert wilson(0, 0) is None


def test_a_rate_is_its_counts_with_wilsons_interval_unless_another_is_given() -> None:
    assert (Rate(2, 5).rate, Rate(2, 5).interval) == (0.4, wilson(2, 5))
    assert Rate(2, 5, (0.1, 0.9)).interval == (0.1, 0.9)


def test_a_rate_of_nothing_is_unknown() -> None:
    nothing = Rate(0, 0)
    assert (nothing.rate, nothing.interval, nothing.ends, str(nothing)) == (None, None, (0.0, 1.0), "–")


def test_a_rate_is_written_with_its_interval_and_count() -> None:
    assert str(Rate(2, 5)) == "40 % [11.8, 76.9] of 5"
    assert (Rate(2, 5).text, Rate(0, 0).text) == ("40 % [11.8, 76.9]", "–")
    assert str(Rate(1, 2000, (0.0, 0.0123))) == "0.1 % [0.0, 1.2] of 2,000"


@pytest.mark.parametrize(
    ("rate", "shown"), [(0, "0 %"), (1, "100 %"), (0.1, "10 %"), (1 / 3, "33.3 %"), (0.0004, "0 %")]
)
def test_a_rate_is_written_with_one_decimal_where_it_needs_one(rate: float, shown: str) -> None:
    assert percent(rate) == shown


def test_a_difference_is_written_in_points() -> None:
    assert percent(-0.125, (-0.25, 0.01), unit="points") == "-12.5 points [-25.0, 1.0]"


@pytest.mark.parametrize("rate", [None, math.nan, math.inf])
def test_what_is_no_number_is_a_dash(rate: float | None) -> None:
    assert percent(rate, (0.0, 1.0)) == "–"


@given(st.floats(0, 1), st.integers(4, 50))
def test_the_end_that_is_sought_is_the_last_limit_that_is_rejected(edge: float, among: int) -> None:
    low = last_rejected(lambda limits: limits < edge, 0.0, 1.0, among=among)
    high = last_rejected(lambda limits: limits > edge, 1.0, 0.0, among=among)
    near = 1 / (among + 1) ** 3 + 1e-12
    assert edge - near <= low <= edge <= high <= edge + near


def test_the_levels_and_the_normal_quantiles_belong_together() -> None:
    assert (CONFIDENCE, POWER) == (0.95, 0.8)
    assert norm.sf(QUANTILE) == pytest.approx(LEVEL) == pytest.approx(0.025)
    assert norm.cdf(Z_POWER) == pytest.approx(POWER)


@given(st.floats(1.001, 5e5))
def test_the_times_that_decide_are_the_first_that_do_to_one_percent(edge: float) -> None:
    found = present(times_to_decide(lambda times: times >= edge))
    assert edge <= found <= 1.0101 * edge


def test_times_that_are_worth_telling_are_at_most_as_many_as_is_said() -> None:
    for edge, told in ((1e6, False), (65.0, False), (64.0, True), (33.0, True)):
        found = times_to_decide(lambda times, edge=edge: times >= edge, most=64)  # type: ignore[misc]  # a default binds the loop variable
        assert (found is not None) is told
