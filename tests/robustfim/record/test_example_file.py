from __future__ import annotations

import json
import math
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from robustfim.errors import UsageError
from robustfim.record import DataRecord, Environment, ExampleRecord, ModelRecord, Record
from robustfim.record.example_table import ExampleRows


def example(number: int, **more: object) -> ExampleRecord:
    told = {"label": "x", "prediction": "y", "probabilities": [0.1 + 0.2, 0.7], "scores": {"fisher": number / 3}}
    return ExampleRecord.model_validate({"id": f"{number:x}", "fields": {"text": f"é {number}"}, **told, **more})


def written(path: Path, examples: list[ExampleRecord]) -> Record:
    record = Record(
        suite="s", model=ModelRecord(use="m"), data=DataRecord(use="d"), seed=0, started="",
        environment=Environment(robustfim="0", python="3"), examples=[each for each in examples if each.arm],
    )  # fmt: skip
    rows = ExampleRows([each.model_dump() for each in examples])
    return Record.load(record.with_table(rows).dump(path))


def test_every_example_is_read_back_as_it_was(tmp_path: Path) -> None:
    examples = [
        example(1, arm="difficult", correct=True),
        example(2, label=None, correct=None, infinite=["fisher"], scores={"fisher": None}, cluster="c"),
        example(3, correct=False, probabilities=None, prediction=None),
        *map(example, range(10, 5000)),
    ]
    found = written(tmp_path / "results.json", examples)
    assert (tmp_path / "results.examples.sqlite").is_file()
    assert found.examples == examples[:1]
    assert found.all_examples is not None
    assert found.all_examples.rows == len(found.table) == len(examples)
    assert list(found.every_example()) == examples
    assert list(found.look_up({"1", "3", "none"}).values()) == [examples[0], examples[2]]


def test_what_no_file_can_hold_is_null_or_replaced(tmp_path: Path) -> None:
    found = written(tmp_path / "r.json", [example(1, scores={"s": math.nan}, fields={"text": "cut \ud83d, 😀\0"})])
    (read,) = found.every_example()
    assert (read.scores, read.fields) == ({"s": None}, {"text": "cut �, 😀\0"})


def test_a_run_whose_examples_were_all_tested_has_no_second_file(tmp_path: Path) -> None:
    written(tmp_path / "results.json", [example(1)])
    examples = [example(1, arm="all"), example(2, arm="all")]
    found = written(tmp_path / "results.json", examples)
    assert found.all_examples is None
    assert list(found.every_example()) == examples
    assert [each.name for each in tmp_path.iterdir()] == ["results.json"]


def test_a_record_without_its_file_says_what_is_missing(tmp_path: Path) -> None:
    found = written(tmp_path / "results.json", [example(1)])
    beside = tmp_path / "results.examples.sqlite"
    beside.write_bytes(b"something else")
    with pytest.raises(UsageError, match=r"results\.examples\.sqlite is not the examples of a run"):
        list(found.every_example())
    beside.unlink()
    with pytest.raises(UsageError, match=r"results\.examples\.sqlite, which is not beside its record"):
        list(found.every_example())


def test_a_file_with_a_renamed_column_says_which_is_missing(tmp_path: Path) -> None:
    found = written(tmp_path / "results.json", [example(1)])
    beside = tmp_path / "results.examples.sqlite"
    with closing(sqlite3.connect(beside)) as connection:
        connection.execute("ALTER TABLE examples RENAME COLUMN id TO ids")
    with pytest.raises(UsageError, match=r"results.examples.sqlite has no column 'id'"):
        list(found.every_example())


def test_a_program_reads_the_file_as_a_table(tmp_path: Path) -> None:
    written(tmp_path / "results.json", [example(1, correct=True), example(2, scores={"fisher": math.inf})])
    with closing(sqlite3.connect(tmp_path / "results.examples.sqlite")) as connection:
        query = 'SELECT id, prediction, probabilities, correct, "scores.fisher" FROM examples'
        found = connection.execute(query).fetchall()
    assert found == [
        ("1", "y", json.dumps([0.1 + 0.2, 0.7]), 1, 1 / 3),
        ("2", "y", json.dumps([0.1 + 0.2, 0.7]), None, None),
    ]


def test_a_record_cannot_name_a_file_elsewhere(tmp_path: Path) -> None:
    path = tmp_path / "results.json"
    written(path, [example(1)])
    path.write_text(path.read_text(encoding="utf-8").replace('"results.examples', '"../results.examples'), "utf-8")
    with pytest.raises(UsageError, match=r"all_examples\.file"):
        Record.load(path)
