"""A record's files: small JSON beside a database, or one text; what was written is read, anything else refused."""

from __future__ import annotations

import json
import math
import os
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from robustfim.errors import UsageError
from robustfim.judge import write_record
from robustfim.outcome import Outcome
from robustfim.record import (
    CheckRecord,
    DataRecord,
    EditCounts,
    EditRecord,
    Environment,
    ErrorRecord,
    ExampleRecord,
    ExampleRows,
    Failure,
    ImportanceRecord,
    ModelRecord,
    PredictionRecord,
    Record,
    SelectionRecord,
    SliceRecord,
    StepRecord,
    ThresholdRecord,
    WordRecord,
)
from robustfim.record.rows import FIRST
from robustfim.statistics import Rate

BEFORE = PredictionRecord(label="x", probabilities=[0.1 + 0.2, 0.7])
AFTER = PredictionRecord(label="y", probabilities=[1 / 3, 2 / 3])


def example(number: int, **more: object) -> ExampleRecord:
    given = {"label": "x", "prediction": "y", "probabilities": [0.1 + 0.2, 0.7], "scores": {"fisher": number / 3}}
    return ExampleRecord.model_validate({"id": f"{number:x}", "fields": {"text": f"é {number}"}, **given, **more})


def failure(number: int, **more: Any) -> Failure:
    given: dict[str, Any] = {
        "id": f"f{number}", "check": "s.yaml::a", "example": "1", "fields": {"text": "è"}, "before": BEFORE,
        "after": AFTER,
    }  # fmt: skip
    return Failure(**given | more)


def alone(record: Record) -> Record:
    """The record without its table of all examples, which is compared row by row."""
    return record.with_table(ExampleRows([]))


def made(examples: list[ExampleRecord], **more: Any) -> Record:
    record = Record(
        suite="s", model=ModelRecord(use="m"), data=DataRecord(use="d"), seed=0, started="",
        environment=Environment(robustfim="0", python="3"),
        examples=[example for example in examples if example.arm], **more,
    )  # fmt: skip
    return record.with_table(ExampleRows([example.model_dump() for example in examples]))


def full() -> Record:
    """A record with something in each list that is a table."""
    edit = EditRecord(field="text", start=0, end=1, before="é", after="è", origin="typo")
    errors = {"missed": ErrorRecord(tested=2, failing=1, examples=["1", "2"], wrong=["2"]),
              "false_alarm": ErrorRecord(tested=0, failing=0)}  # fmt: skip
    checks = [
        CheckRecord(id="s.yaml::a", name="a", outcome=Outcome.FAILED, tested=2, failing=1, rate=0.5, limit=0.1,
                    interval=(0.1, 0.9), examples=["1", "2"], errors=errors),
        CheckRecord(id="s.yaml::b", name="b", outcome=Outcome.MEASURED, examples=["2", "1"], numbers={"1": 0.25},
                    partners={"2": "a", "1": "2"}),
        CheckRecord(id="s.yaml::c", name="c", outcome=Outcome.SKIPPED, numbers={}),
    ]  # fmt: skip
    failures = [
        failure(1, edits=[edit], right_before=True, right_after=False, arm="difficult", margin=0.25, queries=3),
        failure(2, step=StepRecord(direction="eigenvector", norm=0.5), review="valid", reason="b", label="z"),
    ]
    words = [WordRecord(field="text", start=0, end=1, value=-0.5)]
    examples = [
        example(1, arm="difficult", correct=True, again=(1, 2), importance=ImportanceRecord(words=words, change=0.1)),
        example(2, arm="control", correct=False, cluster="c", label=None, infinite=["fisher"], scores={"fisher": None}),
        example(3, prediction=None, probabilities=None),
        *map(example, range(10, 5000)),
    ]
    return made(
        examples, checks=checks, failures=failures,
        edits=[EditCounts(check="s.yaml::a", before="é", after="è", tried=2, broken=1)],
        selection=SelectionRecord(strata={"1": 3, "2": 2}, drawn={"1": ["1", "2"], "2": []}),
        slices=[SliceRecord(name="short", members=["2", "1"], accuracy=Rate(1, 2), failures=Rate(0, 2))],
    )  # fmt: skip


@pytest.mark.parametrize("write", [write_record, Record.dump_text])
def test_all_that_was_written_is_read(tmp_path: Path, write: Callable[[Record, Path], Path]) -> None:
    written = full()
    found = Record.load(write(written, tmp_path / "results.json"))
    assert alone(found) == alone(written)
    assert len(found.table) == len(written.table) == 4993
    assert list(found.every_example()) == [
        example_record.model_copy(update={"importance": None, "again": None})
        for example_record in written.every_example()
    ]
    assert list(found.look_up({"1", "3", "none"}).values()) == [
        written.examples[0],
        example(3, prediction=None, probabilities=None),
    ]


def test_a_text_whose_lines_were_joined_is_read_as_well(tmp_path: Path) -> None:
    written = full()
    path = written.dump_text(tmp_path / "s.json")
    path.write_text(json.dumps(json.loads(path.read_text(encoding="utf-8"))), encoding="utf-8")
    found = Record.load(path)
    assert alone(found) == alone(written)
    assert list(found.every_example()) == list(written.every_example())


def test_a_baseline_has_a_line_for_each_untested_example(tmp_path: Path) -> None:
    path = full().dump_text(tmp_path / "s.json")
    assert [each.name for each in tmp_path.iterdir()] == ["s.json"]
    lines = path.read_text(encoding="utf-8").splitlines()
    assert sum(line.startswith('["') for line in lines) == 4993
    assert '["a","x","y",[0.30000000000000004,0.7],null,null,null,[],"é 10",3.3333333333333335],' in lines


def test_two_runs_with_the_same_results_have_equal_files(tmp_path: Path) -> None:
    one, two = (write_record(full(), tmp_path / name / "results.json") for name in ("one", "two"))
    assert one.read_bytes() == two.read_bytes()
    assert one.with_suffix(".sqlite").read_bytes() == two.with_suffix(".sqlite").read_bytes()


def test_the_small_file_has_the_first_failures_of_each_check_and_no_lists_of_ids(tmp_path: Path) -> None:
    failures = [failure(number, check=f"s.yaml::{'ab'[number % 2]}") for number in range(3 * FIRST)]
    path = write_record(full().model_copy(update={"failures": failures}), tmp_path / "results.json")
    data = json.loads(path.read_text(encoding="utf-8"))
    assert [each["id"] for each in data["failures"]] == [f"f{number}" for number in range(2 * FIRST)]
    assert data["database"]["failures"] == 3 * FIRST
    assert [each["id"] for each in data["examples"]] == ["1"]
    assert all("examples" not in check for check in data["checks"])
    assert Record.load(path).failures == failures


def test_a_program_reads_the_tables(tmp_path: Path) -> None:
    path = write_record(full(), tmp_path / "results.json")
    with closing(sqlite3.connect(path.with_suffix(".sqlite"))) as connection:
        columns = 'id, prediction, probabilities, correct, "scores.fisher"'
        examples = connection.execute(f"SELECT {columns} FROM examples LIMIT 2").fetchall()  # noqa: S608  # no input
        trials = connection.execute("SELECT * FROM trials").fetchall()
        edits = connection.execute("SELECT * FROM edits").fetchall()
    assert examples == [
        ("1", "y", json.dumps([0.1 + 0.2, 0.7]), 1, 1 / 3),
        ("2", "y", json.dumps([0.1 + 0.2, 0.7]), 0, None),
    ]
    assert trials == [
        ("s.yaml::a", "1", 1.0, 1, 0, 0, 0, None),
        ("s.yaml::a", "2", 0.0, 0, None, 0, 0, None),
        ("s.yaml::b", "2", 0.0, 0, None, 0, 0, "a"),
        ("s.yaml::b", "1", 0.25, 1, 1, 0, 0, "2"),
    ]
    assert edits == [("s.yaml::a", "é", "è", 2, 1)]


def test_names_that_differ_in_case_alone_are_two_columns(tmp_path: Path) -> None:
    examples = [example(1, arm="all", fields={"Text": "a", "text": "b", "TEXT": "c"}), example(2)]
    examples.append(example(3, fields={"\0": "a", "\ud83d": "b", '"; DROP TABLE trials; --': "c"}))
    found = Record.load(write_record(made(examples), tmp_path / "results.json"))
    assert list(found.every_example()) == examples


def test_what_no_file_can_hold_is_null_and_half_a_surrogate_pair_is_kept(tmp_path: Path) -> None:
    text = {"text": "cut \ud83d, 😀\0"}
    written = made(
        [example(1, arm="all", scores={"s": math.nan}, fields=text), example(2, scores={"s": math.inf}, fields=text)],
        failures=[failure(1, fields=text | {"\ud83d": "b"})],
    )
    found = Record.load(write_record(written, tmp_path / "r.json"))
    assert [example_record.fields for example_record in found.every_example()] == [text, text]
    assert [example_record.scores for example_record in found.every_example()] == [{"s": None}] * 2
    assert found.failures == written.failures


def test_a_read_only_folder_is_read(tmp_path: Path) -> None:
    written = full()
    path = write_record(written, tmp_path / "run" / "results.json")
    path.parent.chmod(0o500)
    try:
        assert alone(Record.load(path)) == alone(written)
        assert sorted(os.listdir(path.parent)) == ["results.json", "results.sqlite"]  # noqa: PTH208  # names alone
    finally:
        path.parent.chmod(0o700)


def test_a_record_without_its_database_says_what_is_missing(tmp_path: Path) -> None:
    path = write_record(full(), tmp_path / "results.json")
    path.with_suffix(".sqlite").unlink()
    with pytest.raises(UsageError, match=r"results\.sqlite, which is not beside its record"):
        Record.load(path)


def test_a_summary_is_read_without_the_database(tmp_path: Path) -> None:
    written = full()
    path = write_record(written, tmp_path / "results.json")
    path.with_suffix(".sqlite").unlink()
    found = Record.load(path, rows=False)
    assert (found.failures, found.examples) == (written.failures, written.examples[:1])
    assert [(check.id, check.rate, check.interval) for check in found.checks] == [
        (check.id, check.rate, check.interval) for check in written.checks
    ]
    with pytest.raises(UsageError, match=r"results\.sqlite, which is not beside its record"):
        found.rows.columns("trials")


def test_a_database_of_another_run_is_refused(tmp_path: Path) -> None:
    path = write_record(full(), tmp_path / "results.json")
    content = path.read_bytes()
    write_record(full().model_copy(update={"failures": []}), path)
    path.write_bytes(content)
    with pytest.raises(UsageError, match="belongs to another run than the record beside the database"):
        Record.load(path)


@pytest.mark.parametrize(
    ("statement", "message"),
    [
        ("PRAGMA application_id=0", "is not the database of a run"),
        ("PRAGMA user_version=3", "has schema 3; this robustfim reads up to 2"),
        ("ALTER TABLE examples RENAME COLUMN id TO ids", "it has other tables than"),
        ("CREATE VIEW more AS SELECT * FROM examples", "it has other tables than"),
        ("CREATE TRIGGER more AFTER INSERT ON trials BEGIN DELETE FROM trials; END", "it has other tables than"),
        ("DROP TABLE run", "it has other tables than"),
        ("UPDATE trials SET \"check\" = 'other'", "are not a run record"),
        ("UPDATE failures SET edits = '['", "are not a run record"),
        ("UPDATE failures SET fields = '{\"text\": 1}'", r"is not a run record: failures\.0\.fields\.text"),
    ],
)
def test_a_database_that_somebody_changed_is_refused(tmp_path: Path, statement: str, message: str) -> None:
    path = write_record(full(), tmp_path / "results.json")
    with closing(sqlite3.connect(path.with_suffix(".sqlite"), isolation_level=None)) as connection:
        connection.execute(statement)
    with pytest.raises(UsageError, match=message):
        Record.load(path)


def test_a_damaged_database_is_refused(tmp_path: Path) -> None:
    path = write_record(full(), tmp_path / "results.json")
    beside = path.with_suffix(".sqlite")
    content = bytearray(beside.read_bytes())
    content[20_000:60_000] = bytes(40_000)
    beside.write_bytes(content)
    with pytest.raises(UsageError, match=r"results\.sqlite is damaged"):
        Record.load(path)
    beside.write_bytes(b"something else")
    with pytest.raises(UsageError, match=r"results\.sqlite is not the database of a run"):
        Record.load(path)


def test_a_file_that_is_no_database_of_a_run_is_not_replaced(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "store.sqlite")) as store:
        store.execute("CREATE TABLE answers (text)")
    content = (tmp_path / "store.sqlite").read_bytes()
    with pytest.raises(OSError, match=r"store\.sqlite is there and is not the database of a run"):
        write_record(full(), tmp_path / "store.json")
    assert [path.name for path in tmp_path.iterdir()] == ["store.sqlite"]
    assert (tmp_path / "store.sqlite").read_bytes() == content


@pytest.mark.parametrize("file", ["../results.sqlite", "/etc/passwd", "results.json", "", 1, None])
def test_a_record_cannot_name_a_file_elsewhere(tmp_path: Path, file: object) -> None:
    path = write_record(full(), tmp_path / "run" / "results.json")
    data = json.loads(path.read_text(encoding="utf-8"))
    data["database"]["file"] = file
    path.write_text(json.dumps(data), encoding="utf-8")
    with pytest.raises(UsageError, match="is no database beside it"):
        Record.load(path)


def test_a_baseline_of_schema_1_is_read_with_its_examples(tmp_path: Path) -> None:
    written = full()
    data = written.model_dump(mode="json", by_alias=True) | {
        "schema": 1, "all_examples": {"file": "s.examples.sqlite", "rows": 4993},
    }  # fmt: skip
    threshold = {"label": "y", "at": 0.7, "fpr": 0.05, "alarms": 3, "texts": 80, "interval": [0.01, 0.1]}
    data["model"] |= {"accuracy": 0.75, "accuracy_interval": [0.3, 0.9], "labelled": 4, "threshold": threshold}
    data["checks"][0]["estimate"] = {"rate": 0.4, "interval": [0.1, 0.8], "examples": 99, "of": "population"}
    del data["database"]
    path = tmp_path / "s.json"
    path.write_text(json.dumps(data), encoding="utf-8")
    table = written.table
    with closing(sqlite3.connect(tmp_path / "s.examples.sqlite")) as connection:
        names = ", ".join(f'"{name}"' for name in table.columns)
        connection.execute(f"CREATE TABLE examples ({names})")
        rows = (
            [json.dumps(each) if isinstance(each, list) else each for each in row] for row in table.rows(table.columns)
        )
        marks = ", ".join("?" * len(table.columns))
        connection.executemany(f"INSERT INTO examples VALUES ({marks})", rows)  # noqa: S608  # marks are ?
        connection.commit()
    found = Record.load(path)
    right = Rate(3, 4, (0.3, 0.9), 0.75)
    reached = ThresholdRecord(label="y", at=0.7, fpr=0.05, alarms=Rate(3, 80, (0.01, 0.1)))
    model = written.model.model_copy(update={"accuracy": right, "threshold": reached})
    checks = [written.checks[0].model_copy(update={"rate": 0.4, "interval": (0.1, 0.8)}), *written.checks[1:]]
    assert alone(found) == alone(written.model_copy(update={"model": model, "checks": checks}))
    assert list(found.every_example()) == list(written.every_example())
