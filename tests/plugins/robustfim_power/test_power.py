from __future__ import annotations

from dataclasses import astuple

import pytest

from robustfim.outcome import Outcome
from robustfim.statistics import tail
from robustfim.statistics.paired import Paired
from robustfim_power import Churn, equal_failures, limit_kept, paired_power, pass_all


@pytest.mark.parametrize("churn", [Churn(0.03, 0.03), Churn(0.0, 0.0), Churn(0.08, 0.01), Churn(0.0, 0.2)])
def test_the_power_against_a_baseline_is_the_sum_over_all_tables(churn: Churn) -> None:
    from scipy.stats import multinomial

    matched, margin, expected = 60, 0.06, 0.0
    for broken in range(matched + 1):
        for fixed in range(matched + 1 - broken):
            if Paired(broken, fixed, matched).is_no_worse(margin):
                shares = [churn.broken, churn.fixed, 1 - churn.broken - churn.fixed]
                expected += multinomial.pmf([broken, fixed, matched - broken - fixed], matched, shares)
    assert paired_power(churn, matched, margin) == pytest.approx(expected, abs=1e-9)


def test_an_independent_model_with_a_rate_breaks_and_fixes_what_chance_does() -> None:
    assert list(astuple(Churn.of(0.2))) == pytest.approx([0.16, 0.16])
    worse = Churn.of(0.2, 0.05)
    assert worse.broken - worse.fixed == pytest.approx(0.05)
    assert (Churn.of(0.2, -0.5), astuple(Churn.of(0.9, 0.5))) == (Churn(0.0, 0.2), (pytest.approx(0.1), 0.0))


def test_what_breaks_everything_is_never_proved_harmless() -> None:
    assert paired_power(Churn(1.0, 0.0), 20, 0.05) == 0.0
    assert paired_power(Churn(0.0, 1.0), 20, 0.05) == pytest.approx(1.0)


@pytest.mark.parametrize(("failing", "churn"), [(6, 0.1), (0, 0.1), (60, 0.2), (20, 1.0)])
def test_an_equal_model_keeps_a_limit_as_often_as_the_sum_over_all_changes_of_sides(failing: int, churn: float) -> None:
    from scipy.stats import binom

    tested, limit, expected = 60, 0.2, 0.0
    half = min(churn / 2, failing / tested * (1 - failing / tested))
    for gained in range(tested - failing + 1):
        for lost in range(failing + 1):
            chance = binom.pmf(gained, tested - failing, half * tested / max(1, tested - failing))
            chance *= binom.pmf(lost, failing, half * tested / max(1, failing))
            expected += chance * (tail(failing + gained - lost, tested, limit).side is Outcome.PASSED)
    assert limit_kept(failing, tested, limit, churn) == pytest.approx(expected, abs=1e-9)
    chances = equal_failures(failing, tested, churn)
    assert sum(number * chance for number, chance in enumerate(chances)) == pytest.approx(failing)


def test_several_tests_pass_at_once_at_least_as_often_as_bonferroni_says() -> None:
    assert pass_all([0.9, 0.95]) == pytest.approx(0.85)
    assert pass_all([0.4, 0.5]) == 0
    assert pass_all([]) == 1
