"""The report ``sqlite``: a run as a database, for Datasette and other SQL readers."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

from robustfim.contract import ReportContract
from robustfim.errors import UsageError
from robustfim.record import Record
from robustfim.result import Run
from robustfim.whole_file import write_whole

__all__ = ["SqliteReport"]

_KEYS: Mapping[Literal["checks", "examples", "failures"], str] = {
    "checks": ', PRIMARY KEY ("check")',
    "examples": ', PRIMARY KEY ("id")',
    "failures": (
        ', FOREIGN KEY ("check") REFERENCES "checks" ("check"), FOREIGN KEY ("example") REFERENCES "examples" ("id")'
    ),
}


class SqliteReport:
    """Writes a run as a SQLite database: the tables ``checks``, ``examples`` and ``failures``, linked by keys.

    Args:
        path: The file; ``results.sqlite`` in the suite's report folder when None.
    """

    contract = ReportContract(suffix=".sqlite")

    def __init__(self, path: Path | None = None) -> None:
        self.path = path

    def write(self, record: Record, folder: Path) -> Path:
        """Write the database as a whole or not at all.

        Raises:
            UsageError: The names of two columns differ only in case, which SQLite ignores.
        """
        run, database = Run(record), sqlite3.connect(":memory:")
        try:
            for table in _KEYS:
                _fill(database, table, run.rows(table))
            database.commit()
            return write_whole(self.path or folder / "results.sqlite", database.serialize())
        except sqlite3.Error as error:
            raise UsageError(f"the run cannot be written as a database: {error}.") from error
        finally:
            database.close()


def _fill(
    database: sqlite3.Connection, table: Literal["checks", "examples", "failures"], rows: Sequence[Mapping[str, Any]]
) -> None:
    """Make a table of rows that have the same columns; where there are none, of the columns that others point to."""
    columns = list(dict.fromkeys(name for row in rows for name in row)) or ["check", "example", "id"]
    names = ", ".join(map(_quoted, columns))
    database.execute(f'CREATE TABLE "{table}" ({names}{_KEYS[table]})')
    marks = ", ".join("?" * len(columns))
    values = ([_plain(row.get(name)) for name in columns] for row in rows)
    database.executemany(f'INSERT INTO "{table}" VALUES ({marks})', values)  # noqa: S608  # the table is one of ours


def _quoted(name: str) -> str:
    """Write a column's name, which the data chose, as SQL reads any text."""
    return '"' + name.replace('"', '""') + '"'


def _plain(value: Any) -> Any:
    """What SQLite can hold: a limit of several arms is written as JSON."""
    return json.dumps(value) if isinstance(value, dict | list) else value
