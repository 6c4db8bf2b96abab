"""The simulated releases, fewer of them: what they decide is what the gate decides, and a loss is not let through."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.releases import AIM_EQUAL, AIM_WORSE, MARGIN, MATCHED, gate, planned, released
from robustfim.judge.comparison import compare
from robustfim.outcome import Outcome
from robustfim.record import CheckRecord, DataRecord, Environment, Failure, ModelRecord, PredictionRecord, Record

SIDE = PredictionRecord(label="x", probabilities=[1.0])


def record(fails: np.ndarray[tuple[int, int], np.dtype[np.bool_]]) -> Record:
    """A run in which these examples fail, ``[examples, checks]``."""
    ids = [f"e{number}" for number in range(len(fails))]
    names = [f"c{number}" for number in range(fails.shape[1])]
    return Record(
        suite="s",
        model=ModelRecord(use="toy"),
        data=DataRecord(use="rows"),
        environment=Environment(robustfim="0", python="3"),
        seed=0,
        started="2026-01-01",
        checks=[CheckRecord(id=name, name=name, outcome=Outcome.INCONCLUSIVE, examples=ids) for name in names],
        failures=[
            Failure(id=f"{name}{ids[row]}", check=name, example=ids[row], fields={}, before=SIDE, after=SIDE)
            for column, name in enumerate(names)
            for row in np.flatnonzero(fails[:, column])
        ],
    )


def test_the_simulation_decides_as_the_gate_does() -> None:
    random = np.random.default_rng(0)
    seen = set()
    for loss, margin in [(0.0, 0.02), (0.0, 0.2), (0.03, 0.05), (0.1, 0.05), (0.02, 0.01), (0.0, 0.12)] * 3:
        drawn = random.random((80, 4))
        was = drawn < 0.1
        now = was ^ (random.random((80, 4)) < 0.02) | (random.random((80, 4)) < loss)
        counts = [
            np.array([[(a.any(axis=1) & ~b.any(axis=1)).sum(), *(a & ~b).sum(axis=0)]])
            for a, b in ((now, was), (was, now))
        ]
        _, proven, allowed = gate(counts[0], counts[1], 80, margin)
        found = compare(record(was), record(now), margin=margin)
        assert (found.proven, not found.failed) == (bool(proven[0]), bool(allowed[0]))
        seen.add((found.proven, found.failed))
    assert seen == {(True, False), (False, False), (False, True)}


def test_a_loss_of_five_points_in_one_check_of_ten_is_seldom_released() -> None:
    found = released("worse", [0.05] + [0.0] * 9, MATCHED, 600, seed=11)
    assert found.before > 0.2, "without a margin the checks alone let it through"
    assert found.proven == 0
    assert found.allowed <= AIM_WORSE


@pytest.mark.parametrize("loss", [0.0, MARGIN])
def test_an_equal_model_is_proved_no_worse_with_as_many_examples_as_planned_and_one_at_the_margin_is_not(
    loss: float,
) -> None:
    found = released("equal", [loss] + [0.0] * 9, planned(), 250, seed=12)
    if loss:
        assert found.proven <= 0.05
    else:
        assert found.proven >= AIM_EQUAL - 0.05
