"""The lines that tell what a run asked of the model."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

from robustfim.record import DataRecord, Environment, ModelRecord, Record, ResidualRecord, ScoreRecord, WindowRecord
from robustfim_drawing import counted
from robustfim_terminal.effort import print_effort

BARE = Record(
    suite="s",
    model=ModelRecord(use="m"),
    data=DataRecord(use="d"),
    environment=Environment(robustfim="0", python="3"),
    seed=0,
    started="",
    model_calls=1200,
    cached_calls=3,
)


def printed(record: Record, verbosity: int = 0) -> list[str]:
    written = io.StringIO()
    print_effort(Console(file=written, width=200), record, verbosity)
    return written.getvalue().splitlines()


def test_a_number_has_its_noun() -> None:
    assert [counted(each, "text") for each in (0, 1, 2000)] == ["0 texts", "1 text", "2,000 texts"]


def test_gradients_and_steps_are_told_where_there_were_any() -> None:
    assert printed(BARE) == ["1,200 texts sent to the model, 3 answered by the store"]
    (line,) = printed(BARE.model_copy(update={"gradient_calls": 40, "step_calls": 1}))
    assert line.endswith("by the store, 40 differentiated, 1 step")


def test_how_exact_iterations_were_and_which_scores_are_infinite_is_told_with_v() -> None:
    score = ScoreRecord(name="smallest_step", hardest="lowest", undefined=3, infinite=2)
    residual = ResidualRecord.of([1e-4, 3e-4, 2e-5])
    record = BARE.model_copy(update={"residual": residual, "scores": [score]})
    assert len(printed(record)) == 1
    assert printed(record, 1)[1:] == [
        "λmax by Lanczos iterations for 3 examples: residual 1.0e-04 in the median, 3.0e-04 at worst",
        "score smallest_step: infinite for 2 examples",
    ]


def test_without_iterations_there_is_no_residual() -> None:
    assert ResidualRecord.of([]) is None


@pytest.mark.parametrize(
    ("data", "line"),
    [
        (DataRecord(use="d", window=WindowRecord(partly=2)), "of 2 examples the model reads a part only"),
        (
            DataRecord(use="d", skipped={"the model gave no finite numbers": 1}),
            "left out: 1 example, since the model gave no finite numbers",
        ),
    ],
)
def test_what_could_not_be_used_is_told(data: DataRecord, line: str) -> None:
    assert printed(BARE.model_copy(update={"data": data}))[1:] == [line]
