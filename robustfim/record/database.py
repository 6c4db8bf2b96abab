"""The database beside ``results.json``: an SQLite file with the rows of a run."""

from __future__ import annotations

import hashlib
import json
import math
import os
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from robustfim.errors import UsageError

__all__ = ["Database", "Table", "write_database"]

_APPLICATION = int.from_bytes(b"rfim", "big")
"""SQLite's ``application_id`` of these files."""

_VERSION = 2
"""SQLite's ``user_version`` of these files: the schema of the record that they belong to."""

_COLUMNS, _RUN = "columns", "run"
"""The table of the other tables' columns, since SQLite takes two names that differ in case for one; and the mark."""


class Table(NamedTuple):
    """A table to write into the database of a run.

    Attributes:
        name: The name of the table.
        columns: The names of the columns; two names may differ in case alone.
        rows: The values of the columns, for each row.
        looked_up: A column that has an index because few rows have a value in it; empty for no index.
    """

    name: str
    columns: Sequence[str]
    rows: Iterable[Sequence[Any]]
    looked_up: str = ""


class Database:
    """The SQLite database beside a run's ``results.json``, opened to read.

    Args:
        path: The SQLite file; it is opened read-only.
        mark: The hash that identifies the run; the file must have the same one. None for the older format, which has
            none.
    """

    def __init__(self, path: Path, mark: str | None) -> None:
        self._path, self._mark = path, mark
        self._known: dict[str, tuple[str, ...]] = {}

    def columns(self, table: str) -> tuple[str, ...]:
        """Return the names of a table's columns.

        Raises:
            UsageError: The file is missing or damaged, belongs to another run, or is not a database of a run.
        """
        if not self._known:
            self._known = self._by_name() if self._mark is None else self._checked(self._mark)
        if table not in self._known:
            raise UsageError(f"{self._path} has no table {table!r}.")
        return self._known[table]

    def rows(self, table: str, columns: Sequence[str], where: str = "") -> Iterator[tuple[Any, ...]]:
        """Read the named columns of a table row by row, in the order in which the rows were written.

        Args:
            table: The table.
            columns: Names of columns of the table.
            where: The name of a column: only rows with a value in this column are read, sorted by the value.

        Returns:
            The values of each row: texts, numbers, or None. Lists and mappings are texts in JSON.

        Raises:
            UsageError: The table lacks a column, or the file is wrong as for :meth:`columns`.
        """
        known = self.columns(table)
        if missing := [name for name in (*columns, *[where] * bool(where)) if name not in known]:
            raise UsageError(f"{self._path} has no column {missing[0]!r}.")
        stored = dict(zip(known, _stored(known), strict=True))
        names = ", ".join(stored[name] for name in columns) or "NULL"
        end = f"WHERE {stored[where]} IS NOT NULL ORDER BY {stored[where]}" if where else "ORDER BY rowid"
        for row in self._selected(f"SELECT {names} FROM {_quoted(table)} {end}"):  # noqa: S608  # the names are quoted
            yield tuple(map(_read, row)) if bytes in map(type, row) else row

    def _checked(self, mark: str) -> dict[str, tuple[str, ...]]:
        """Check the file, and read the columns of each table."""
        (application,), (version,) = (self._only(f"PRAGMA {name}") for name in ("application_id", "user_version"))
        if application != _APPLICATION:
            raise UsageError(f"{self._path} is not the database of a run.")
        if version > _VERSION:
            raise UsageError(f"{self._path} has schema {version}; this robustfim reads up to {_VERSION}: upgrade it.")
        if (damage := self._only("PRAGMA quick_check(1)")) != ("ok",):
            raise UsageError(f"{self._path} is damaged: {damage[0]}. Run the suite again.")
        known: dict[str, list[str]] = {_COLUMNS: ["table", "name"], _RUN: ["mark"]}
        made = dict(self._selected("SELECT name, sql FROM sqlite_master WHERE type != 'index'"))
        if made.keys() >= known.keys():
            for table, name in self._selected(f"SELECT * FROM {_COLUMNS} ORDER BY rowid"):  # noqa: S608  # no input
                known.setdefault(str(table), []).append(str(_read(name)))
        if made != {table: _creation(table, names) for table, names in known.items()}:
            raise UsageError(
                f"{self._path} is not the database of a run: it has other tables than the database of a run."
            )
        if self._only(f"SELECT mark FROM {_RUN}") != (mark,):  # noqa: S608  # as above
            raise UsageError(
                f"the database {self._path} belongs to another run than the record beside the database. Run the "
                "suite again."
            )
        return {table: tuple(names) for table, names in known.items()}

    def _by_name(self) -> dict[str, tuple[str, ...]]:
        """Read the columns of a file of schema 1."""
        return {"examples": tuple(row[1] for row in self._selected("PRAGMA table_info(examples)"))}

    def _only(self, query: str) -> tuple[Any, ...]:
        return next(self._selected(query), (None,))

    def _selected(self, query: str) -> Iterator[tuple[Any, ...]]:
        """Ask the file, and say of one that cannot be read which it is."""
        if not self._path.is_file():
            raise UsageError(
                f"the rows of this run are in {self._path.name}, which is not beside its record in "
                f"{self._path.parent}. Copy it there, or run the suite again. 'robustfim index' and reports such as "
                "junit and markdown need no rows."
            )
        try:
            # Nothing writes to a file that is here: it is replaced as a whole. So its folder may be read-only, too.
            uri = f"{self._path.absolute().as_uri()}?mode=ro&immutable=1"
            with closing(sqlite3.connect(uri, uri=True)) as connection:
                for pragma in ("trusted_schema=OFF", "cell_size_check=ON", "query_only=ON"):
                    connection.execute(f"PRAGMA {pragma}")
                yield from connection.execute(query)
        except sqlite3.Error as error:
            raise UsageError(f"{self._path} is not the database of a run: {error}.") from error


def write_database(path: Path, tables: Iterable[Table]) -> str:
    """Write the database of a run atomically: the whole file, or nothing on an error.

    Args:
        path: The file. An older database of a run is replaced.
        tables: The tables.

    Returns:
        The mark of the run, which is a hash of all rows: runs with equal results have equal marks.

    Raises:
        OSError: The file cannot be written, or the path holds something other than a run's database, which is left
            unchanged.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.is_file() and path.stat().st_size and path.open("rb").read(72)[68:] != _APPLICATION.to_bytes(4, "big"):
        raise FileExistsError(f"{path.name} is there and is not the database of a run: move it away")
    scratch = path.with_name(f".{path.name}.{os.getpid()}")
    scratch.unlink(missing_ok=True)
    try:
        with closing(sqlite3.connect(scratch, isolation_level=None)) as connection:
            connection.execute("PRAGMA journal_mode=OFF")
            connection.execute(f"PRAGMA application_id={_APPLICATION}")
            connection.execute(f"PRAGMA user_version={_VERSION}")
            connection.execute("BEGIN")
            named: list[tuple[str, str]] = []
            for table in tables:
                named += ((table.name, name) for name in table.columns)
                _fill(connection, table)
            _fill(connection, Table(_COLUMNS, ("table", "name"), named))
            connection.execute("COMMIT")
            with scratch.open("rb") as file:
                mark = hashlib.file_digest(file, partial(hashlib.blake2b, digest_size=16)).hexdigest()
            _fill(connection, Table(_RUN, ("mark",), [(mark,)]))
        scratch.replace(path)
    except sqlite3.Error as error:
        raise OSError(str(error)) from error
    finally:
        scratch.unlink(missing_ok=True)
    return mark


def _fill(connection: sqlite3.Connection, table: Table) -> None:
    connection.execute(_creation(table.name, table.columns))
    name, marks = _quoted(table.name), ", ".join("?" * len(table.columns))
    rows = (tuple(map(_plain, row)) for row in table.rows)
    connection.executemany(f"INSERT INTO {name} VALUES ({marks})", rows)  # noqa: S608  # the names are quoted
    if table.looked_up:
        column = _stored(table.columns)[list(table.columns).index(table.looked_up)]
        index = _quoted(f"{table.name}.{table.looked_up}")
        connection.execute(f"CREATE INDEX {index} ON {name} ({column}) WHERE {column} IS NOT NULL")


def _creation(table: str, columns: Sequence[str]) -> str:
    """The statement that makes a table; SQLite keeps it as it is."""
    return f"CREATE TABLE {_quoted(table)} ({', '.join(_stored(columns))})"


def _stored(columns: Sequence[str]) -> list[str]:
    """The names of columns in the file: a name that differs from an earlier one in case alone gets a number.

    What no name can hold is written as an escape.
    """
    taken: set[str] = set()
    names = []
    for given in columns:
        column = given.encode("utf-8", "backslashreplace").decode().replace("\0", "\\0")
        name, number = column, 2
        while name.lower() in taken:
            name, number = f"{column} {number}", number + 1
        taken.add(name.lower())
        names.append(_quoted(name))
    return names


def _plain(value: Any) -> Any:
    """A value that a file can hold."""
    kind = type(value)
    if kind is str:
        return value if value.isascii() else _text(value)
    if kind is float:
        return value if math.isfinite(value) else None
    return (json.dumps(value) if value else "[]") if kind is list else value


def _text(value: str) -> str | bytes:
    """A text; as bytes where half of a surrogate pair makes it none for SQLite."""
    try:
        value.encode()
    except UnicodeEncodeError:
        return value.encode("utf-8", "surrogatepass")
    return value


def _read(value: Any) -> Any:
    return value.decode("utf-8", "surrogatepass") if isinstance(value, bytes) else value


def _quoted(name: str) -> str:
    doubled = name.replace('"', '""')
    return f'"{doubled}"'
