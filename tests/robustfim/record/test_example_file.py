from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path

import pytest

from robustfim.errors import UsageError
from robustfim.record import DataRecord, Environment, ExampleRecord, ModelRecord, Record
from robustfim.record import example_file as module
from robustfim.record.example_table import BLOCK, ExampleRows

KINDS = pytest.mark.parametrize("kind", ["parquet", "sqlite"])


@pytest.fixture
def without_pyarrow(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    def choose(kind: str) -> None:
        if kind == "sqlite":
            monkeypatch.setattr(module, "find_spec", lambda name: None)
        else:
            pytest.importorskip("pyarrow")

    return choose


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


@KINDS
def test_every_example_is_read_back_as_it_was(
    kind: str, tmp_path: Path, without_pyarrow: Callable[[str], None]
) -> None:
    without_pyarrow(kind)
    examples = [
        example(1, arm="difficult", correct=True),
        example(2, label=None, correct=None, infinite=["fisher"], scores={"fisher": None}, cluster="c"),
        example(3, correct=False, probabilities=None, prediction=None),
        *map(example, range(10, BLOCK + 20)),
    ]
    found = written(tmp_path / "results.json", examples)
    assert (tmp_path / f"results.examples.{kind}").is_file()
    assert found.examples == examples[:1]
    assert found.all_examples is not None
    assert found.all_examples.rows == len(found.table) == len(examples)
    assert list(found.every_example()) == examples
    assert list(found.look_up({"1", "3", "none"}).values()) == [examples[0], examples[2]]


@KINDS
def test_what_no_file_can_hold_is_null_or_replaced(
    kind: str, tmp_path: Path, without_pyarrow: Callable[[str], None]
) -> None:
    without_pyarrow(kind)
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


def test_a_file_of_the_other_kind_is_taken_away(tmp_path: Path, without_pyarrow: Callable[[str], None]) -> None:
    (tmp_path / "results.examples.parquet").write_bytes(b"old")
    without_pyarrow("sqlite")
    written(tmp_path / "results.json", [example(1)])
    assert sorted(each.name for each in tmp_path.iterdir()) == ["results.examples.sqlite", "results.json"]


@KINDS
def test_a_record_without_its_file_says_what_is_missing(
    kind: str, tmp_path: Path, without_pyarrow: Callable[[str], None]
) -> None:
    without_pyarrow(kind)
    found = written(tmp_path / "results.json", [example(1)])
    beside = tmp_path / f"results.examples.{kind}"
    beside.write_bytes(b"something else")
    with pytest.raises(UsageError, match=f"results.examples.{kind} is not the examples of a run"):
        list(found.every_example())
    beside.unlink()
    with pytest.raises(UsageError, match=f"results.examples.{kind}, which is not beside its record"):
        list(found.every_example())


def test_a_file_with_a_renamed_column_says_which_is_missing(tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    found = written(tmp_path / "results.json", [example(1)])
    beside = tmp_path / "results.examples.parquet"
    table = parquet.read_table(beside)
    parquet.write_table(table.rename_columns(["ids", *table.column_names[1:]]), beside)
    with pytest.raises(UsageError, match=r"results.examples.parquet has no column 'id'"):
        list(found.every_example())


def test_a_record_cannot_name_a_file_elsewhere(tmp_path: Path) -> None:
    path = tmp_path / "results.json"
    written(path, [example(1)])
    path.write_text(path.read_text(encoding="utf-8").replace('"results.examples', '"../results.examples'), "utf-8")
    with pytest.raises(UsageError, match=r"all_examples\.file"):
        Record.load(path)
