"""The simulated releases, fewer of them: what they decide is what the gate decides, and a loss is not let through."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.releases import AIMS, Kind, arms, exact_no_worse, gate, released
from robustfim.judge.comparison import compare
from robustfim.outcome import Outcome
from robustfim.record import (
    CheckRecord,
    DataRecord,
    Environment,
    ExampleRecord,
    Failure,
    ModelRecord,
    PredictionRecord,
    Record,
)

SIDE = PredictionRecord(label="x", probabilities=[1.0])


def record(fails: np.ndarray[tuple[int, int], np.dtype[np.bool_]]) -> Record:
    """A run in which these examples are answered wrongly (column 0) and fail a check, ``[examples, 1 + checks]``."""
    ids = [f"e{number}" for number in range(len(fails))]
    names = [f"c{number}" for number in range(fails.shape[1] - 1)]
    return Record(
        suite="s",
        model=ModelRecord(use="toy"),
        data=DataRecord(use="rows"),
        environment=Environment(robustfim="0", python="3"),
        seed=0,
        started="2026-01-01",
        examples=[
            ExampleRecord(id=id, fields={"text": id}, label=gold, prediction="y" if wrong else gold, correct=not wrong)
            for id, gold, wrong in zip(ids, "xz" * len(ids), fails[:, 0], strict=False)
        ],
        checks=[
            CheckRecord(
                id=name, name=name, outcome=Outcome.INCONCLUSIVE, examples=ids, expectation={"use": "invariant"}
            )
            for name in names
        ],
        failures=[
            Failure(id=f"{name}{ids[row]}", check=name, example=ids[row], fields={}, before=SIDE, after=SIDE)
            for column, name in enumerate(names)
            for row in np.flatnonzero(fails[:, 1 + column])
        ],
    )


def test_the_simulation_decides_as_the_gate_does() -> None:
    random = np.random.default_rng(0)
    seen = set()
    for loss, margin in [(0.0, 0.2), (0.0, 0.05), (0.03, 0.2), (0.2, 0.2), (0.0, 0.15)] * 4:
        drawn = random.random((80, 5))
        was: np.ndarray[tuple[int, int], np.dtype[np.bool_]] = drawn < 0.1
        now = np.logical_or(was ^ (random.random((80, 5)) < 0.02), random.random((80, 5)) < loss)
        old, new = (
            np.array(array) | np.array(array)[:, :1] for array in (was, now)
        )  # what is wrong is robust under no check
        columns = [(side[:, :1], side.any(axis=1)[:, None], side[:, 1:]) for side in (old, new)]
        before, after = (np.concatenate(column, axis=1) for column in columns)
        counts = [(one & ~other).sum(axis=0)[None] for one, other in ((after, before), (before, after))]
        proven, refused, _ = gate(counts[0], counts[1], 80, margin)
        decided = compare(record(was), record(now), margin=margin)
        assert (decided.proven, decided.failed) == (bool(proven[0]), bool(refused[0]))
        seen.add((decided.proven, decided.failed))
    assert seen == {(True, False), (False, False), (False, True)}


def test_the_exact_test_that_the_power_is_held_against_is_wrong_in_at_most_a_fortieth() -> None:
    margin, number, random = 0.1, 60, np.random.default_rng(2)
    for churn in (0.0, 0.05, 0.2):
        drawn = random.multinomial(number, [churn + margin, churn, 1 - 2 * churn - margin], 400)
        wrong = np.mean([exact_no_worse(int(lost), int(won), number, margin) for lost, won, _ in drawn])
        assert wrong <= 0.025 + 0.02
    assert exact_no_worse(0, 0, 60, margin)
    assert not exact_no_worse(9, 0, 60, margin)


@pytest.mark.parametrize("aim", ["equal", "planted", "worse"])
def test_an_equal_model_passes_a_planted_loss_is_found_and_one_of_the_margin_is_not_let_through(aim: str) -> None:
    kinds = {
        "equal": Kind("equal", 400, 0.05, 0.02, aim=aim),
        "planted": Kind("planted", 1000, 0.05, 0.02, check=(8, 0.4), aim=aim),
        "worse": Kind("worse", 400, 0.05, 0.02, accuracy=0.05, aim=aim),
    }
    found = released(kinds[aim], 150, seed=11)
    assert found.verdict.endswith("met")
    assert found.reference > 0.5 or aim == "worse"
    assert found.refused <= AIMS["refused"] + 0.02 or aim != "equal"


def test_a_loss_that_one_arm_dilutes_is_not_let_through() -> None:
    assert arms(1000, 400, 0.042, 0.03, 400) <= AIMS["worse"]
