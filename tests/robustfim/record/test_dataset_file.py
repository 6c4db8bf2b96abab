"""A dataset file holds the rows that were written, in each of its kinds."""

from __future__ import annotations

import csv
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from robustfim.errors import DataError, UsageError
from robustfim.record.dataset_file import KINDS, check_kind, write_rows

COLUMNS = ["text", "label", "number", "share", "sure", "nothing", "mixed"]
ROWS: list[dict[str, Any]] = [
    {"text": "naïve, \"so\"\n好", "label": "a", "number": 3, "share": 0.5, "sure": True, "nothing": None, "mixed": 1},
    {"text": "", "label": None, "number": None, "share": 2, "sure": False, "nothing": None, "mixed": "x"},
]  # fmt: skip


def test_json_lines_hold_every_value_as_it_was(tmp_path: Path) -> None:
    path = write_rows(tmp_path / "rows.jsonl", COLUMNS, ROWS)
    assert [json.loads(line) for line in path.read_text(encoding="utf-8").split("\n")[:-1]] == ROWS


def test_csv_has_empty_cells_for_none(tmp_path: Path) -> None:
    path = write_rows(tmp_path / "new" / "rows.csv", COLUMNS, ROWS)
    with path.open(encoding="utf-8", newline="") as file:
        found = list(csv.DictReader(file))
    assert found == [{key: "" if value is None else str(value) for key, value in row.items()} for row in ROWS]


def test_parquet_keeps_the_types_of_columns(tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    table = parquet.read_table(write_rows(tmp_path / "rows.parquet", COLUMNS, ROWS))
    assert [str(each) for each in table.schema.types] == ["string", "string", "int64", "double", "bool"] + [
        "string"
    ] * 2
    assert table.to_pylist() == [ROWS[0] | {"mixed": "1"}, ROWS[1]]


@pytest.mark.parametrize("suffix", KINDS)
def test_no_row_at_all_can_be_written(suffix: str, tmp_path: Path) -> None:
    if suffix == ".parquet":
        pytest.importorskip("pyarrow")
    assert write_rows(tmp_path / f"rows{suffix}", ["text"], []).exists()


def test_another_suffix_and_a_folder_in_the_way_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"rows.xlsx: a dataset is written as .jsonl, .csv, .parquet"):
        check_kind(tmp_path / "rows.xlsx")
    (tmp_path / "rows.csv").mkdir()
    with pytest.raises(UsageError, match="cannot be written"):
        write_rows(tmp_path / "rows.csv", ["text"], [])


def test_parquet_without_pyarrow_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow.parquet", None)
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(DataError, match=r"needs pyarrow: pip install 'robustfim\[data\]'"):
        check_kind(tmp_path / "rows.parquet")
