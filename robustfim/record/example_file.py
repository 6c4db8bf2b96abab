"""The file of examples beside ``results.json``: the table ``examples`` of an SQLite file."""

from __future__ import annotations

import json
import math
import os
import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from robustfim.errors import UsageError
from robustfim.record.example_table import PLAIN, ExampleTable

__all__ = ["ExampleFile", "write_example_file"]

_READ: Mapping[str, Callable[[Any], Any]] = {"probabilities": json.loads, "infinite": json.loads, "correct": bool}
"""How to read values that are neither texts nor numbers."""


class ExampleFile:
    """The table of examples in a file that a run wrote. Fits :class:`robustfim.record.ExampleTable`.

    Args:
        path: The file; it is opened when it is first read.
        rows: The number of examples in the file according to the record.
    """

    def __init__(self, path: Path, rows: int) -> None:
        self._path, self._rows = path, rows
        self._columns: tuple[str, ...] | None = None

    def __len__(self) -> int:
        return self._rows

    @property
    def columns(self) -> tuple[str, ...]:
        """Names of the columns.

        Raises:
            UsageError: The file is missing, malformed, or lacks a required column.
        """
        if self._columns is None:
            columns = tuple(row[1] for row in self._selected("PRAGMA table_info(examples)"))
            self._refuse_missing(PLAIN, columns)
            self._columns = columns
        return self._columns

    def rows(self, columns: Sequence[str]) -> Iterator[tuple[Any, ...]]:
        """Read some columns, row by row.

        Raises:
            UsageError: The file is missing, malformed, or lacks a column.
        """
        self._refuse_missing(columns, self.columns)
        read = [_READ.get(name) for name in columns]
        names = ", ".join(map(_quoted, columns))
        for row in self._selected(f"SELECT {names} FROM examples ORDER BY rowid"):  # noqa: S608  # the names are quoted
            yield tuple(
                value if made is None or value is None else made(value) for made, value in zip(read, row, strict=True)
            )

    def _refuse_missing(self, names: Sequence[str], columns: Sequence[str]) -> None:
        if missing := [name for name in names if name not in columns]:
            raise UsageError(f"{self._path} has no column {missing[0]!r}.")

    def _selected(self, query: str) -> Iterator[tuple[Any, ...]]:
        """Ask the file, and say of one that cannot be read which it is."""
        if not self._path.is_file():
            raise UsageError(
                f"the examples of this run are in {self._path.name}, which is not beside its record in "
                f"{self._path.parent}. Keep the two files together, or run the suite again."
            )
        try:
            uri = f"{self._path.absolute().as_uri()}?mode=ro"
            with closing(sqlite3.connect(uri, uri=True)) as connection:
                connection.execute("PRAGMA trusted_schema=OFF")
                yield from connection.execute(query)
        except sqlite3.Error as error:
            raise UsageError(f"{self._path} is not the examples of a run: {error}.") from error


def write_example_file(record: Path, table: ExampleTable | None) -> Path | None:
    """Write a table beside a record, row by row, as a whole or not at all.

    A lone surrogate, which such a file cannot hold, becomes U+FFFD.

    Args:
        record: The record's file, ``results.json``.
        table: The examples; None if the record holds them all, and a file of an older run is then deleted.

    Returns:
        The file, ``results.examples.sqlite``; None without a table.

    Raises:
        OSError: The file cannot be written; an older file is left unchanged.
    """
    path = record.with_suffix(".examples.sqlite")
    if table is None:
        path.unlink(missing_ok=True)
        return None
    path.parent.mkdir(parents=True, exist_ok=True)
    scratch = path.with_name(f".{path.name}.{os.getpid()}")
    scratch.unlink(missing_ok=True)
    try:
        with closing(sqlite3.connect(scratch, isolation_level=None)) as connection:
            connection.execute("PRAGMA journal_mode=OFF")
            connection.execute(f"CREATE TABLE examples ({', '.join(map(_quoted, table.columns))})")
            connection.execute("BEGIN")
            insert = f"INSERT INTO examples VALUES ({','.join('?' * len(table.columns))})"  # noqa: S608  # marks are ?
            connection.executemany(insert, (tuple(map(_plain, row)) for row in table.rows(table.columns)))
            connection.execute("COMMIT")
        scratch.replace(path)
    except sqlite3.Error as error:
        raise OSError(str(error)) from error
    finally:
        scratch.unlink(missing_ok=True)
    return path


def _plain(value: Any) -> Any:
    """A value that a file can hold."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, str) and not value.isascii():
        return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return (json.dumps(value) if value else "[]") if isinstance(value, list) else value


def _quoted(name: str) -> str:
    doubled = name.replace('"', '""')
    return f'"{doubled}"'
