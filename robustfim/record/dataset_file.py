"""Write rows to a dataset file: JSON Lines, CSV or Parquet, by the suffix of the name."""

from __future__ import annotations

import csv
import importlib
import io
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from robustfim.errors import DataError, UsageError
from robustfim.whole_file import write_whole, writing

__all__ = ["KINDS", "check_kind", "parquet_library", "write_rows"]

KINDS = (".jsonl", ".csv", ".parquet")
"""Suffixes of the supported files."""


def check_kind(path: Path) -> None:
    """Raise an error if a dataset cannot be written to a file with this suffix, before a long computation.

    Raises:
        UsageError: The suffix of the file is not in ``KINDS``.
        DataError: The file is Parquet, and pyarrow is missing.
    """
    if path.suffix not in KINDS:
        raise UsageError(f"{path}: a dataset is written as {', '.join(KINDS)}, by its suffix.")
    if path.suffix == ".parquet":
        parquet_library(path)


def write_rows(path: Path, columns: Sequence[str], rows: Sequence[Mapping[str, Any]]) -> Path:
    """Write rows to a dataset file (such as CSV or Parquet) atomically.

    In Parquet, a column of numbers holds numbers, and any other column holds texts. In CSV, None is an empty cell.

    Args:
        path: A file with a suffix in ``KINDS``; an existing file is replaced.
        columns: The columns, in their order.
        rows: The rows, each with a value for every column: a text, a number, a boolean or None.

    Raises:
        UsageError: The suffix is unsupported, or the file cannot be written.
        DataError: pyarrow is missing for Parquet.
    """
    check_kind(path)
    data = {".parquet": _parquet, ".csv": _csv, ".jsonl": _jsonl}[path.suffix](path, columns, rows)
    with writing(path):
        return write_whole(path, data)


def parquet_library(path: Path) -> Any:
    """Import pyarrow's Parquet module.

    Raises:
        DataError: pyarrow is not installed.
    """
    try:
        return importlib.import_module("pyarrow.parquet")
    except ModuleNotFoundError:
        raise DataError(f"{path}: Parquet needs pyarrow: pip install 'robustfim[data]'.") from None


def _parquet(path: Path, columns: Sequence[str], rows: Sequence[Mapping[str, Any]]) -> bytes:
    parquet, arrow = parquet_library(path), importlib.import_module("pyarrow")
    written = {}
    for name in columns:
        values = [row[name] for row in rows]
        try:
            written[name] = arrow.array(values)
        except (arrow.ArrowInvalid, arrow.ArrowTypeError):  # of several kinds
            written[name] = arrow.array([None if value is None else str(value) for value in values], arrow.string())
        if arrow.types.is_null(written[name].type):
            written[name] = written[name].cast(arrow.string())
    sink = io.BytesIO()
    parquet.write_table(arrow.table(written), sink)
    return sink.getvalue()


def _csv(path: Path, columns: Sequence[str], rows: Sequence[Mapping[str, Any]]) -> bytes:
    text = io.StringIO(newline="")
    writer = csv.DictWriter(text, columns, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue().encode("utf-8", "backslashreplace")


def _jsonl(path: Path, columns: Sequence[str], rows: Sequence[Mapping[str, Any]]) -> bytes:
    lines = (json.dumps({name: row[name] for name in columns}, ensure_ascii=False) + "\n" for row in rows)
    return "".join(lines).encode("utf-8", "backslashreplace")
