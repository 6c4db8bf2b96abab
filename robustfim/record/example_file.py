"""The file of examples beside ``results.json``: Parquet where pyarrow is installed, else a table in an SQLite file."""

from __future__ import annotations

import importlib
import json
import math
import os
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from robustfim.errors import UsageError
from robustfim.record.dataset_file import parquet_library
from robustfim.record.example_table import BLOCK, PLAIN, ExampleTable

__all__ = ["ExampleFile", "write_example_file"]

_PARQUET, _SQLITE = ".examples.parquet", ".examples.sqlite"
_LISTS = ("probabilities", "infinite")


class ExampleFile:
    """The table in a file that a run wrote. Fits :class:`robustfim.record.ExampleTable`.

    Args:
        path: The file; it is opened when it is first read.
        rows: How many examples the record says that it holds.
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
            UsageError: The file is missing or something else, or lacks a column that all such files have.
        """
        if self._columns is None:
            with self._reading():
                columns = (_parquet_columns if self._parquet else _sqlite_columns)(self._path)
            if missing := [name for name in PLAIN if name not in columns]:
                raise UsageError(f"{self._path} has no column {missing[0]!r}.")
            self._columns = columns
        return self._columns

    def blocks(self, columns: Sequence[str]) -> Iterator[dict[str, list[Any]]]:
        """Read some columns, block by block.

        Raises:
            UsageError: The file is missing or something else, or lacks a column.
        """
        missing = [name for name in columns if name not in self.columns]
        if missing:
            raise UsageError(f"{self._path} has no column {missing[0]!r}.")
        with self._reading():
            yield from (_parquet_blocks if self._parquet else _sqlite_blocks)(self._path, columns)

    @property
    def _parquet(self) -> bool:
        return self._path.suffix == ".parquet"

    @contextmanager
    def _reading(self) -> Iterator[None]:
        """Say of a file that cannot be read which it is."""
        if not self._path.is_file():
            raise UsageError(
                f"the examples of this run are in {self._path.name}, which is not beside its record in "
                f"{self._path.parent}. Keep the two files together, or run the suite again."
            )
        try:
            yield
        except (ValueError, OSError, sqlite3.Error) as error:  # pyarrow's errors are among them
            raise UsageError(f"{self._path} is not the examples of a run: {error}.") from error


def write_example_file(record: Path, table: ExampleTable | None) -> Path | None:
    """Write a table beside a record, block by block, whole or not at all.

    Half of a surrogate pair, which no such file can hold, becomes U+FFFD.

    Args:
        record: The record's file, ``results.json``.
        table: The examples; None where the record holds them all, and what an older one left is taken away.

    Returns:
        The file: ``results.examples.parquet`` or ``results.examples.sqlite``; one of the other kind is taken away. None
        without a table.

    Raises:
        OSError: It cannot be written; an older one is left as it was.
    """
    parquet = find_spec("pyarrow") is not None
    path, other = (record.with_suffix(each) for each in ((_PARQUET, _SQLITE) if parquet else (_SQLITE, _PARQUET)))
    if table is None:
        path.unlink(missing_ok=True)
        other.unlink(missing_ok=True)
        return None
    path.parent.mkdir(parents=True, exist_ok=True)
    scratch = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        (_write_parquet if parquet else _write_sqlite)(scratch, table)
        scratch.replace(path)
    except sqlite3.Error as error:
        raise OSError(str(error)) from error
    finally:
        scratch.unlink(missing_ok=True)
    other.unlink(missing_ok=True)
    return path


def _plain(value: Any) -> Any:
    """A value that a file can hold."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, str) and not value.isascii():
        return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return value


# ---- Parquet --------------------------------------------------------------------------------------------


def _write_parquet(path: Path, table: ExampleTable) -> None:
    parquet, arrow, reader = parquet_library(path), *map(importlib.import_module, ("pyarrow", "pyarrow.json"))
    number, text = arrow.float64(), arrow.string()
    kinds = {"correct": arrow.bool_(), "probabilities": arrow.list_(number), "infinite": arrow.list_(text)}
    schema = arrow.schema(
        [(name, kinds.get(name, number if name.startswith("scores.") else text)) for name in table.columns]
    )
    parsed = reader.ParseOptions(explicit_schema=schema, unexpected_field_behavior="error")
    with parquet.ParquetWriter(path, schema) as writer:
        for block in table.blocks(table.columns):
            columns = [block[name] if name in _LISTS else map(_plain, block[name]) for name in table.columns]
            rows = (dict(zip(table.columns, row, strict=True)) for row in zip(*columns, strict=True))
            # Of Python objects, Arrow makes columns with pandas, whose import takes longer than all of this.
            text = "\n".join(json.dumps(row) for row in rows).encode()
            if text:
                whole = reader.ReadOptions(use_threads=False, block_size=len(text) + 1)
                read = reader.read_json(arrow.BufferReader(text), read_options=whole, parse_options=parsed)
                writer.write_table(read)


def _parquet_columns(path: Path) -> tuple[str, ...]:
    with parquet_library(path).ParquetFile(path) as file:
        return tuple(file.schema_arrow.names)


def _parquet_blocks(path: Path, columns: Sequence[str]) -> Iterator[dict[str, list[Any]]]:
    with parquet_library(path).ParquetFile(path) as file:
        for batch in file.iter_batches(BLOCK, columns=list(columns)):
            yield batch.to_pydict()


# ---- SQLite ---------------------------------------------------------------------------------------------


def _write_sqlite(path: Path, table: ExampleTable) -> None:
    path.unlink(missing_ok=True)
    names = table.columns
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode=OFF")
        connection.execute(f"CREATE TABLE examples ({', '.join(map(_quoted, names))})")
        connection.execute("BEGIN")
        for block in table.blocks(names):
            columns = [map(json.dumps if name in _LISTS else _plain, block[name]) for name in names]
            marks = ",".join("?" * len(names))
            connection.executemany(f"INSERT INTO examples VALUES ({marks})", zip(*columns, strict=True))  # noqa: S608  # marks are ?
        connection.execute("COMMIT")


def _opened(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)
    connection.execute("PRAGMA trusted_schema=OFF")
    return connection


def _sqlite_columns(path: Path) -> tuple[str, ...]:
    with closing(_opened(path)) as connection:
        return tuple(row[1] for row in connection.execute("PRAGMA table_info(examples)"))


def _sqlite_blocks(path: Path, columns: Sequence[str]) -> Iterator[dict[str, list[Any]]]:
    with closing(_opened(path)) as connection:
        found = connection.execute(f"SELECT {', '.join(map(_quoted, columns))} FROM examples ORDER BY rowid")  # noqa: S608  # the names are quoted
        while rows := found.fetchmany(BLOCK):
            block = dict(zip(columns, map(list, zip(*rows, strict=True)), strict=True))
            yield {name: _read_column(name, values) for name, values in block.items()}


def _read_column(name: str, values: list[Any]) -> list[Any]:
    if name in _LISTS:
        return [json.loads(each) for each in values]
    return [None if each is None else bool(each) for each in values] if name == "correct" else values


def _quoted(name: str) -> str:
    doubled = name.replace('"', '""')
    return f'"{doubled}"'
