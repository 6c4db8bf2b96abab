"""Rows that a script gives: frames whose columns are odd, and gold spans."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from robustfim import DataError
from robustfim_files.given_rows import GivenRows
from robustfim_files.jsonl_file import JsonlFile

pandas = pytest.importorskip("pandas")


def frame(*columns: Any) -> Any:
    return pandas.DataFrame([["one film", "yes", "two"], ["a cast", "no", "three"]], columns=list(columns))


def test_two_columns_of_one_name_are_refused() -> None:
    with pytest.raises(DataError, match="2 columns are named 'text'"):
        GivenRows(frame("text", "label", "text"))
    with pytest.raises(DataError, match="2 columns are named '0'"):
        GivenRows(frame(0, 1, "0"))
    with pytest.raises(DataError, match="row 1: 2 columns are named '0'"):
        list(GivenRows([{"text": "one"}, {"text": "two", 0: 1, "0": 2}]).load())


def test_a_column_whose_name_is_a_number_is_named_by_its_text() -> None:
    found = list(GivenRows(frame(0, 1, 2), text="0", label="1").load())
    assert [(example.text, example.label, dict(example.meta)) for example in found] == [
        ("one film", "yes", {"2": "two"}),
        ("a cast", "no", {"2": "three"}),
    ]


def test_gold_spans_are_read_as_from_a_file(tmp_path: Path) -> None:
    rows = [{"text": "Anna lives in Rome", "found": [{"start": 0, "end": 4, "label": "PER"}], "label": "x"}]
    (tmp_path / "rows.jsonl").write_text(json.dumps(rows[0]), encoding="utf-8")
    read = list(JsonlFile(tmp_path / "rows.jsonl", spans="found").load())
    for given in (rows, pandas.DataFrame(rows)):
        assert [(example.text, example.label) for example in GivenRows(given, spans="found").load()] == [
            (example.text, example.label) for example in read
        ]
    with pytest.raises(DataError, match=r"no column 'founds' for 'spans'\. Did you mean 'found'\?"):
        list(GivenRows(rows, spans="founds").load())
