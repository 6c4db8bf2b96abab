"""The simulated gate of drafted suites, against draws and against the power of the exact test."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.drafted import churn_of, drafted, opened, rows
from robustfim.statistics import LEVEL, Aim, limit_power
from robustfim_doctor.equal_model import margin_for


@pytest.mark.parametrize("apart", [0.0, 0.2, 1.0])
def test_the_churn_is_that_of_the_rows(apart: float) -> None:
    number = 100_000
    wrong, broken, reached = rows(number, apart, np.random.default_rng(0))
    assert not (broken & ~reached).any()
    robust = ~(wrong | broken.any(axis=2))
    found, expected = float((robust[0] != robust[1]).mean()), churn_of(apart)
    assert found == pytest.approx(expected, abs=4 * (expected / number) ** 0.5)
    assert robust.mean(axis=1) == pytest.approx([robust.mean()] * 2, abs=0.01), "the true rates are the same"


@pytest.mark.parametrize("limit", [0.1, 0.02])
def test_a_check_is_open_where_the_power_of_neither_side_decides_it(limit: float) -> None:
    passes = limit_power(Aim(limit / 2, limit), 500, LEVEL)
    assert opened(limit, 0.5, 500).share == pytest.approx(1 - passes, abs=1e-4)
    assert opened(limit, 0.5, 500).exact <= opened(limit, 0.5, 500).share + 1e-6


def test_a_model_with_the_assumed_churn_passes_what_was_drafted() -> None:
    found = drafted(0.1, runs=20)
    assert found.margin == margin_for(1000, 1000, 0.1)
    assert sum(found.codes) == pytest.approx(1)
    assert found.codes[0] >= 0.8
    assert found.differs == pytest.approx(0.1, abs=0.01)
    far = drafted(0.25, 0.02, runs=20)
    assert far.codes[0] < 0.6, "a suite for a churn of 2 % lets few models pass that differ in 25 %"
    assert sum(far.reasons.values()) >= 20 * (1 - far.codes[0]) - 1e-9, "each run that does not pass has a reason"
