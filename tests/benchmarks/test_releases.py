"""The simulated releases, fewer of them: what they decide is what the gate decides, and a loss is not let through."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.releases import AIM_EQUAL, AIM_REFUSED, AIM_WORSE, MARGIN, MATCHED, gate, planned, released
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
        checks=[CheckRecord(id=name, name=name, outcome=Outcome.INCONCLUSIVE, examples=ids) for name in names],
        failures=[
            Failure(id=f"{name}{ids[row]}", check=name, example=ids[row], fields={}, before=SIDE, after=SIDE)
            for column, name in enumerate(names)
            for row in np.flatnonzero(fails[:, 1 + column])
        ],
    )


def test_the_simulation_decides_as_the_gate_does() -> None:
    random = np.random.default_rng(0)
    seen = set()
    cases = [(0.0, 0.02, 0.2), (0.0, 0.2, 0.2), (0.0, 0.2, 0.01), (0.03, 0.05, 0.2), (0.2, 0.05, 0.2), (0.0, 0.12, 0.2)]
    for loss, margin, of_accuracy in cases * 3:
        drawn = random.random((80, 5))
        was = drawn < 0.1
        now = was ^ (random.random((80, 5)) < 0.02) | (random.random((80, 5)) < loss)
        counts = [
            np.array(
                [
                    [
                        (a & ~b)[:, 0].sum(),
                        (a[:, 1:].any(axis=1) & ~b[:, 1:].any(axis=1)).sum(),
                        *(a & ~b)[:, 1:].sum(axis=0),
                    ]
                ]
            )
            for a, b in ((now, was), (was, now))
        ]
        _, proven, refused = gate(counts[0], counts[1], 80, [of_accuracy, margin])
        after = record(now).model_copy(update={"accuracy_margin": of_accuracy})
        decided = compare(record(was), after, margin=margin)
        assert (decided.proven, decided.failed) == (bool(proven[0]), bool(refused[0]))
        seen.add((decided.proven, decided.failed))
    assert seen == {(True, False), (False, False), (False, True)}


@pytest.mark.parametrize("place", ["the accuracy", "one check of ten"])
def test_a_loss_of_five_points_replaces_no_baseline(place: str) -> None:
    losses = [0.05, *[0.0] * 10] if place == "the accuracy" else [0.0, 0.05, *[0.0] * 9]
    decided = released("worse", losses, MATCHED, 600, seed=11)
    assert decided.by_holm > 0.2, "without a margin the checks alone let it through"
    assert decided.proven <= AIM_WORSE
    assert decided.refused > 0.3


def test_an_equal_model_is_refused_in_few_cases() -> None:
    assert released("equal", [0.0] * 11, MATCHED, 2000, seed=13).refused <= AIM_REFUSED + 0.007  # two standard errors


@pytest.mark.parametrize("place", [None, 0, 1])
def test_an_equal_model_is_proved_with_as_many_examples_as_planned_and_one_at_the_margin_is_not(
    place: int | None,
) -> None:
    losses = [MARGIN if index == place else 0.0 for index in range(11)]
    decided = released("equal", losses, planned(), 250, seed=12)
    if place is None:
        assert decided.proven >= AIM_EQUAL - 0.05
    else:
        assert decided.proven <= AIM_WORSE + 0.02
