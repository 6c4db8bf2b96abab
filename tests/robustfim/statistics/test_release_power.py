from __future__ import annotations

from dataclasses import astuple

import pytest

from robustfim.statistics.paired import Paired
from robustfim.statistics.release_power import Churn, paired_power


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
