"""The database of a run, read back with SQL."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from robustfim.errors import UsageError
from robustfim.record import ExampleRecord
from robustfim.result import Run
from robustfim_files.sqlite_report import SqliteReport
from tests.plugins.robustfim_html.synthetic import build


def test_sql_finds_the_checks_examples_and_failing_texts_of_a_run(tmp_path: Path) -> None:
    run = Run(build())
    path = run.report(tmp_path / "run.sqlite")
    with closing(sqlite3.connect(path)) as database:
        database.row_factory = sqlite3.Row
        for table in ("checks", "failures", "examples"):
            rows = [dict(row) for row in database.execute(f"SELECT * FROM {table}")]  # noqa: S608  # a name from above
            wanted = run.rows(table)
            assert len(rows) == len(wanted) > 0
            plain = {key: value for key, value in wanted[0].items() if not isinstance(value, dict)}
            assert {key: rows[0][key] for key in plain} == plain
        assert database.execute("PRAGMA foreign_key_check").fetchall() == []
        joined = 'SELECT count(*) FROM failures JOIN examples ON example = id JOIN checks USING ("check")'
        assert database.execute(joined).fetchone()[0] == len(run.failures)


def test_a_run_without_failures_has_an_empty_table_and_a_name_of_the_data_is_never_code(tmp_path: Path) -> None:
    odd = 'a"); DROP TABLE checks; --'
    record = build()
    first = ExampleRecord.model_validate({**record.examples[0].model_dump(by_alias=True), "fields": {odd: "text"}})
    calm = record.model_copy(update={"failures": [], "examples": [first]})
    with closing(sqlite3.connect(SqliteReport().write(calm, tmp_path))) as database:
        assert database.execute("SELECT count(*) FROM failures").fetchone() == (0,)
        assert odd in [row[1] for row in database.execute("PRAGMA table_info(examples)")]
        assert database.execute("SELECT count(*) FROM checks").fetchone()[0] == len(record.checks)
    twice = first.model_copy(update={"fields": {"Text": "a", "text": "b"}})
    with pytest.raises(UsageError, match="duplicate column name"):
        SqliteReport().write(calm.model_copy(update={"examples": [twice]}), tmp_path)
