"""The margin and the limits of a drafted suite, as an equal model meets them."""

from __future__ import annotations

import numpy as np
import pytest

from robustfim.outcome import Outcome
from robustfim.statistics import LEVEL, tail, wilson
from robustfim_doctor.equal_model import limit_for, margin_for, smallest_limit
from robustfim_power import Churn, paired_power


@pytest.mark.parametrize("tested", [20, 100, 400])
def test_the_smallest_limit_passes_and_one_percent_less_does_not(tested: int) -> None:
    for failing in range(0, tested // 2, max(1, tested // 20)):
        limit = smallest_limit(failing, tested)
        assert limit > wilson(failing, tested)[1]  # type: ignore[index]  # something was tested

        def passes(limit: float, failing: int = failing) -> bool:
            found = tail(failing, tested, limit)
            return found.side is Outcome.PASSED and found.p_value <= LEVEL

        assert passes(limit)
        assert limit == 0.01 or not passes(round(limit - 0.01, 2))


def test_a_rate_near_one_has_no_limit_that_it_passes() -> None:
    assert smallest_limit(100, 100) == 0.99


@pytest.mark.parametrize("churn", [0.02, 0.1, 0.3])
def test_an_equal_model_passes_all_limits_together_in_nine_of_ten_cases(churn: float) -> None:
    """Simulated example by example: a failing one may be mended, and another one may break, as often."""
    random, runs = np.random.default_rng(0), 2000
    counts = {60: 400, 40: 300, 100: 350}
    limits = {failing: limit_for(failing, tested, len(counts), churn) for failing, tested in counts.items()}
    passed = np.ones(runs, dtype=bool)
    for failing, tested in counts.items():
        half = min(churn / 2, failing / tested * (1 - failing / tested))
        gained = random.binomial(tested - failing, half / (1 - failing / tested), runs)
        after = failing + gained - random.binomial(failing, half / (failing / tested), runs)
        passes = {number: smallest_limit(number, tested) <= limits[failing] for number in set(after.tolist())}
        passed &= np.array([passes[number] for number in after.tolist()])
    assert passed.mean() > 0.88


def test_the_margin_is_the_smallest_that_an_equal_model_passes_in_both_comparisons() -> None:
    margin = margin_for(1000, 500)
    assert margin == 0.05
    equal = Churn(0.05, 0.05)
    assert sum(1 - paired_power(equal, number, margin) for number in (1000, 500)) <= 0.1
    assert sum(1 - paired_power(equal, number, margin - 0.01) for number in (1000, 500)) > 0.1
    assert margin_for(1000, 500, churn=0.4) == pytest.approx(0.1, abs=0.02)
    assert margin_for(20, 20) is None
