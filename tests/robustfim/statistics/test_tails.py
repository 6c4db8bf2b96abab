from __future__ import annotations

import math
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binomtest

from robustfim.outcome import Outcome
from robustfim.statistics import Tail, tail, wilson
from robustfim.statistics.tails import corrected, family, mcnemar
from tests.present import present

Z = 1.959964
"""The 97.5 % point of the normal distribution, from a table."""


@st.composite
def counts(draw: st.DrawFn, most: int = 400) -> tuple[int, int]:
    tested = draw(st.integers(1, most))
    return draw(st.integers(0, tested)), tested


def at_least(failing: int, tested: int, rate: float) -> float:
    """P(count ≥ failing), summed term by term."""
    return sum(math.comb(tested, k) * rate**k * (1 - rate) ** (tested - k) for k in range(failing, tested + 1))


@given(counts(150), st.floats(0.01, 0.99))
def test_a_verdict_is_the_side_of_the_interval_with_its_exact_binomial_p_value(
    count: tuple[int, int], limit: float
) -> None:
    failing, tested = count
    interval = present(wilson(failing, tested))
    got = tail(failing, tested, limit)
    if interval[0] > limit:
        assert got.side is Outcome.FAILED
        assert got.p_value == pytest.approx(at_least(failing, tested, limit), rel=1e-9, abs=1e-300)
    elif interval[1] < limit:
        assert got.side is Outcome.PASSED
        # The count of successes at least as small is the count of the others at least as large.
        assert got.p_value == pytest.approx(at_least(tested - failing, tested, 1 - limit), rel=1e-9, abs=1e-300)
    else:
        assert got == Tail(Outcome.INCONCLUSIVE, 1.0)


@pytest.mark.parametrize(
    ("failing", "tested", "limit", "side"),
    [
        (0, 1, 0.0, Outcome.PASSED),
        (0, 1000, 0.0, Outcome.PASSED),
        (1, 1000, 0.0, Outcome.FAILED),
        (1, 1, 1.0, Outcome.PASSED),
        (1000, 1000, 1.0, Outcome.PASSED),
    ],
)
def test_limits_of_0_and_1_need_no_interval(failing: int, tested: int, limit: float, side: Outcome) -> None:
    assert tail(failing, tested, limit) == Tail(side, 0.0)


@pytest.mark.parametrize("limit", [0.0, 0.1, 1.0])
def test_a_rate_of_nothing_is_refused(limit: float) -> None:
    with pytest.raises(ValueError, match="at least one tested example"):
        tail(0, 0, limit)


def test_holm_corrects_as_by_hand() -> None:
    # Sorted: .005 × 4 = .020, .010 × 3 = .030, .030 × 2 = .060, .040 × 1 = .040, raised to .060 before it.
    tails = [Tail(Outcome.FAILED, p) for p in (0.010, 0.040, 0.030, 0.005)]
    after_all = corrected(tails)
    assert [each.p_value for each in after_all] == pytest.approx([0.030, 0.060, 0.060, 0.020])
    assert [each.side for each in after_all] == [Outcome.INCONCLUSIVE] * 3 + [Outcome.FAILED]


@settings(max_examples=8)
@given(st.lists(st.floats(0, 1), min_size=1, max_size=8))
def test_holm_is_that_of_statsmodels(p_values: list[float]) -> None:
    from statsmodels.stats.multitest import multipletests

    tails = [Tail(Outcome.FAILED, p_value) for p_value in p_values]
    reference = multipletests(p_values, alpha=0.025, method="holm")[1]
    after_all = corrected(tails)
    assert [each.p_value for each in after_all] == pytest.approx(reference.tolist())
    for before, after in zip(tails, after_all, strict=True):
        assert after.side is (before.side if after.p_value <= 0.025 else Outcome.INCONCLUSIVE)


@pytest.mark.parametrize("counts", [(2, 40, 0.2), (18, 40, 0.2), (0, 30, 0.2), (30, 30, 0.8)])
def test_the_p_value_of_whole_numbers_is_the_binomial_tests(counts: tuple[int, int, float]) -> None:
    found = tail(*counts)
    side = "greater" if counts[0] / counts[1] > counts[2] else "less"
    assert found.side is not Outcome.INCONCLUSIVE
    assert found.p_value == pytest.approx(binomtest(*counts, alternative=side).pvalue)


def test_a_single_verdict_stands_at_one_half_of_5_percent() -> None:
    assert corrected([Tail(Outcome.PASSED, 0.0249)])[0].side is Outcome.PASSED
    assert corrected([Tail(Outcome.PASSED, 0.0251)])[0].side is Outcome.INCONCLUSIVE


def test_what_raises_no_alarm_stands_at_full_level_and_makes_the_family_no_smaller() -> None:
    tails = [Tail(Outcome.PASSED, 0.02), Tail(Outcome.FAILED, 0.01), Tail(Outcome.FAILED, 0.02)]
    found = corrected(tails)
    assert found[0] == tails[0]
    assert [each.p_value for each in found[1:]] == pytest.approx([0.03, 0.04])
    # Where a failure is expected, the success raises the alarm.
    found = corrected(tails, alarms=[Outcome.PASSED, Outcome.PASSED, Outcome.FAILED])
    assert [each.p_value for each in found] == pytest.approx([0.06, 0.01, 0.06])
    assert [each.side for each in found] == [Outcome.INCONCLUSIVE, Outcome.FAILED, Outcome.INCONCLUSIVE]


def test_a_test_of_little_weight_costs_the_others_little() -> None:
    assert family([0.01, 0.005]).tolist() == [0.01, 0.01]
    assert family([0.02, 1.0], weights=[1.0, 0.1]) == pytest.approx([0.022, 1.0])
    assert family([0.2, 1e-9], weights=[1.0, 0.1]) == pytest.approx([0.2, 1.1e-8])
    assert family([]).tolist() == []


def test_no_verdicts_need_no_correction() -> None:
    assert corrected([]) == []


@pytest.mark.parametrize("others_pass", [False, True])
def test_with_every_true_rate_at_its_limit_few_whole_runs_hold_a_wrong_verdict(others_pass: bool) -> None:
    runs, checks = 20_000, 10
    passed = np.zeros(checks)
    tested = [25, 40, 60, 80, 100, 120, 150, 200, 300, 500]
    limits = [0.05, 0.1, 0.2, 0.3, 0.1, 0.05, 0.15, 0.02, 0.1, 0.5]
    rates = np.array(limits)
    if others_pass:  # half of the checks lie far below their limits, and leave Holm's steps to the others
        rates[::2] = 0.0
    drawn = np.random.default_rng(0).binomial(tested, rates, size=(runs, checks))
    compare = cache(tail)
    wrong_failed = all_passed = 0
    for row in drawn.tolist():
        tails = [compare(*each) for each in zip(row, tested, limits, strict=True)]
        if min(each.p_value for each in tails) > 0.025:
            continue  # a corrected p-value is never smaller: nothing stands
        sides = [each.side for each in corrected(tails)]
        wrong_failed += Outcome.FAILED in sides
        passed += [side is Outcome.PASSED for side in sides]
        all_passed += all(side is Outcome.PASSED for side in sides)
    assert 0 < wrong_failed / runs <= 0.025
    # Each may pass in 2.5 %, with a standard error of 0.1 %; that all do, which an exit with 0 needs, is rarer.
    assert max(passed[rates == limits] / runs) <= 0.028
    assert all_passed / runs <= 0.025


def test_mcnemar_is_the_binomial_test_of_the_discordant_pairs() -> None:
    assert mcnemar(0, 0) == 1.0
    assert mcnemar(5, 0) == pytest.approx(2 / 2**5)
    assert mcnemar(5, 1, alternative="greater") == pytest.approx((6 + 1) / 2**6)
    assert mcnemar(1, 5, alternative="greater") == pytest.approx(1 - 1 / 2**6)


@pytest.mark.parametrize(("number", "raised"), [(1, 0), (2, 1), (5, 0), (5, 3), (12, 4)])
def test_one_more_stands_at_the_level_over_its_rivals_and_not_above(number: int, raised: int) -> None:
    level = 0.025 / (number - raised)
    for p_value, stands in ((level * (1 - 1e-9), True), (level * (1 + 1e-9), False)):
        found = family([0.0] * raised + [p_value] + [1.0] * (number - raised - 1))
        assert [each <= 0.025 for each in found] == [True] * raised + [stands] + [False] * (number - raised - 1)
