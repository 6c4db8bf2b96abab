"""Reads the files of a run for comparison by ``benchmarks.faults``: records without times, incomplete reports."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

__all__ = ["halves", "plain_record", "rows"]

_TIMES = {"started", "duration_s", "model_calls", "cached_calls", "gradient_calls", "step_calls", "cost", "environment"}
"""The fields in which the records of two equal runs may differ."""


def plain_record(path: Path) -> Any:
    """Read a record without its times and counters; None if the file does not exist.

    Args:
        path: The path of the record.
    """

    def plain(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: plain(item) for key, item in value.items() if key not in _TIMES | {"warnings", "asked_again"}}
        return [plain(item) for item in value] if isinstance(value, list) else value

    return plain(json.loads(path.read_text(encoding="utf-8"))) if path.exists() else None


def rows(folder: Path) -> list[Any]:
    """Read the rows of all tables of the databases in a folder of reports.

    Args:
        folder: The folder.
    """
    return [list(_rows(path)) for path in sorted(folder.glob("*.sqlite"))]


def _rows(path: Path) -> Iterator[tuple[object, ...]]:
    """Read a database, all of it.

    Raises:
        sqlite3.Error: It is half of one.
    """
    with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as connection:
        tables = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name").fetchall()
        for (table,) in tables:
            yield from connection.execute(f"SELECT * FROM {table} ORDER BY rowid")  # noqa: S608  # robustfim's names


def halves(folder: Path) -> Iterator[str]:
    """List the reports in a folder that are incomplete.

    Args:
        folder: The folder.
    """
    for path in folder.glob("[!.]*"):
        try:
            text = "" if path.suffix == ".sqlite" else path.read_text(encoding="utf-8")
            if path.suffix == ".sqlite":
                list(_rows(path))
            elif path.suffix == ".json":
                json.loads(text)
            elif path.suffix == ".xml":
                ElementTree.fromstring(text)  # noqa: S314  # robustfim wrote it
            elif not text.rstrip().endswith("</html>" if path.suffix == ".html" else ""):
                yield f"half of {path.name} was written"
        except (ValueError, ElementTree.ParseError, sqlite3.Error):
            yield f"half of {path.name} was written"
