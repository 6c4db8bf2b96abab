"""The event file, read back by TensorBoard."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from robustfim.commands import printable
from robustfim.record import Record
from robustfim_trackers.tensorboard_report import TensorBoardReport
from tests.plugins.robustfim_ci.hostile import hostile
from tests.plugins.robustfim_html.synthetic import build

pytest.importorskip("tensorboardX")
reading = pytest.importorskip("tensorboard.backend.event_processing.event_accumulator")


def read(path: Path) -> Any:
    found = reading.EventAccumulator(str(path), {"tensors": 0, "scalars": 0})
    return found.Reload()


def text(found: Any, name: str) -> str:
    (event,) = found.Tensors(name)
    return str(event.tensor_proto.string_val[0].decode())


def test_tensorboard_reads_the_numbers_at_their_step_and_the_failing_texts(tmp_path: Path) -> None:
    record = build()
    file = TensorBoardReport(step=300, failures=40).write(record, tmp_path)
    assert file.parent == tmp_path / "tensorboard"
    found = read(file)
    check = next(each for each in record.checks if each.rate is not None)
    (event,) = found.Scalars(f"{record.suite}/checks/{check.name}/rate")
    assert (event.step, event.value) == (300, pytest.approx((check.estimate or check).rate))
    assert f"outcome/{check.name}" in text(found, f"{record.suite}/settings/text_summary").replace("&#95;", "_")
    rows = text(found, f"{record.suite}/failures/text_summary").splitlines()
    assert len(rows) == 2 + 40


def test_a_second_run_stands_beside_the_first(tmp_path: Path) -> None:
    first, second = (TensorBoardReport(tmp_path / "log", failures=0).write(build(), tmp_path) for _ in range(2))
    assert first != second
    assert {first, second} == {*(tmp_path / "log").iterdir()}


def test_a_text_of_an_example_is_no_markup(tmp_path: Path) -> None:
    record: Record = hostile()
    found = read(TensorBoardReport().write(record, tmp_path))
    shown = text(found, f"{printable(record.suite)}/failures/text_summary")
    assert "<script" not in shown
    assert "](" not in shown
    assert {line.count("|") for line in shown.splitlines()} == {7}
