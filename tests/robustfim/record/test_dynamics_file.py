from __future__ import annotations

import json
from pathlib import Path

import pytest

from robustfim.errors import UsageError
from robustfim.record import write_dynamics


def test_an_epoch_is_written_as_cartography_reads_it(tmp_path: Path) -> None:
    rows = [("one", [0.5, -1.25], 1), ("two", [2.0, 1.0], 0), ("one", [9.0, 9.0], 0)]
    path = write_dynamics(tmp_path / "new", 3, rows)
    assert path.name == "dynamics_epoch_3.jsonl"
    assert [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()] == [
        {"guid": "one", "logits_epoch_3": [0.5, -1.25], "gold": 1},
        {"guid": "two", "logits_epoch_3": [2.0, 1.0], "gold": 0},
    ]


def test_a_file_in_the_way_is_told(tmp_path: Path) -> None:
    (tmp_path / "here").write_text("", encoding="utf-8")
    with pytest.raises(UsageError, match=r"dynamics_epoch_0\.jsonl cannot be written"):
        write_dynamics(tmp_path / "here", 0, [])
