"""The files of a record: small JSON beside a database with the rows, or one JSON file with everything."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from robustfim.errors import UsageError
from robustfim.record.database import Database, write_database
from robustfim.record.example_table import ExampleTable, FlatRows
from robustfim.record.rows import StoredExamples, joined, small, tables_of
from robustfim.record.schema_1 import upgraded
from robustfim.whole_file import json_bytes, write_json, write_whole

__all__ = ["UNTIL", "Completed", "write_files", "write_text"]

_EXAMPLES = "all_examples"

UNTIL = f'\n "{_EXAMPLES}": [\n'.encode()
"""The line of a record's file after which each line is one of all usable examples, in the order of ``columns``."""


def write_files(path: Path, record: Any, trials: Iterable[Sequence[Any]]) -> Path:
    """Write the record of a run: a small JSON file, and a database with the rows beside it.

    Args:
        path: The JSON file; an existing file is replaced. The database of ``results.json`` is ``results.sqlite`` in the
            same folder. If the path is a pipe, the record is written to it as JSON, without the untested examples.
        record: The record.
        trials: The results of each check and example, with the values of :data:`robustfim.record.rows.TRIALS`.

    Raises:
        OSError: A file cannot be written. The database is written first; if only the JSON file fails, readers refuse
            the pair.
    """
    if path.exists() and not path.is_file():
        return write_text(path, record, None)
    made, table = small(record), record.table
    beside = path.with_suffix(".sqlite")
    mark = write_database(beside, tables_of(record, table, trials))
    path.with_suffix(".examples.sqlite").unlink(missing_ok=True)  # of schema 1
    number = max(len(table), len(record.examples))
    made["database"] = {"file": beside.name, "run": mark, "examples": number, "failures": len(record.failures)}
    return write_json(path, made)


def write_text(path: Path, record: Any, table: ExampleTable | None) -> Path:
    """Write the record of a run as one JSON file, with one line per usable example.

    Args:
        path: The file.
        record: The record.
        table: All usable examples of the run; None to write only the examples in the record.

    Raises:
        OSError: The file cannot be written; an older file is left unchanged.
    """
    made = record.model_dump(mode="json", by_alias=True)
    if table is None:
        return write_json(path, made)
    head = json_bytes(made | {"columns": list(table.columns)}, indent=1)
    rows = b",\n".join(map(json_bytes, table.rows(table.columns)))
    return write_whole(path, head.removesuffix(b"\n}") + b"," + UNTIL + rows + b"\n]}\n")


class Completed:
    """A reader of a record's JSON file that adds the rows from the database beside it.

    Args:
        path: The file.
        rows: Whether to read the rows, which only their database may hold.

    Attributes:
        table: All usable examples, if the record holds only a part of them; else None.
    """

    table: ExampleTable | None = None

    def __init__(self, path: Path, *, rows: bool) -> None:
        self._path, self._rows = path, rows

    def content(self, raw: dict[str, Any]) -> dict[str, Any]:
        """Return the content of a record's file, with the rows of its database filled in.

        Raises:
            UsageError: The database is missing, damaged or of another run, or the file does not hold a record.
        """
        beside = raw.get("database") if self._rows else None
        try:
            if raw["schema"] == 1:
                raw = upgraded(raw)
                if self._rows:
                    self._read_old(raw.pop(_EXAMPLES, None))
            elif beside is not None:
                del raw["database"]
                database = Database(self._path.with_name(_name(beside["file"])), str(beside["run"]))
                self.table = StoredExamples(database, int(beside["examples"]))
                raw = joined(raw, database)
            elif "columns" in raw and self._rows:
                self._read_lines(raw.pop("columns"), raw.pop(_EXAMPLES))
        except (AttributeError, KeyError, TypeError, ValueError, RecursionError) as error:
            raise UsageError(f"{self._path} and its database are not a run record: {error!r}.") from error
        return raw | {"schema": 2}

    def _read_old(self, beside: Any) -> None:
        """Read the file of all examples of schema 1."""
        if beside is not None:
            self.table = StoredExamples(Database(self._path.with_name(_name(beside["file"])), None), beside["rows"])

    def _read_lines(self, columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> None:
        """Read the examples after the line that ends the record, or among the rest if somebody wrote it anew."""
        if rows:
            self.table = FlatRows(columns, len(rows), lambda: rows)
        else:
            self.table = FlatRows(columns, sum(1 for _ in self._lines()), self._lines)

    def _lines(self) -> Iterator[Sequence[Any]]:
        """Read the rows one by one, since they may not fit into memory."""
        begins = UNTIL.strip(b"\n")
        try:
            with self._path.open("rb") as file:
                for line in file:
                    if line.rstrip(b"\n") == begins:
                        break
                for line in file:
                    if line.startswith(b"["):
                        yield json.loads(line.rstrip(b",\n"))
        except (OSError, ValueError, RecursionError) as error:
            raise UsageError(f"{self._path} is not a run record: {error}.") from error


def _name(file: Any) -> str:
    """Refuse the name of a file in another folder."""
    if not isinstance(file, str) or Path(file).name != file or not file.endswith(".sqlite"):
        raise ValueError(f"{file!r} is no database beside it")
    return file
