"""A dataset file to which rows are added without duplicates."""

from __future__ import annotations

import csv
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from robustfim.errors import DataError, shown_names
from robustfim.record import check_kind, parquet_library, write_rows

__all__ = ["add_rows"]


def add_rows(path: Path, rows: Mapping[str, Mapping[str, Any]]) -> tuple[int, int]:
    """Add rows to a dataset file without changing existing rows; after an error the file is as before.

    Args:
        path: A ``.jsonl``, ``.csv`` or ``.parquet`` file; created if it is missing.
        rows: Rows by id, all with the same columns, one of which is ``id``.

    Returns:
        The number of rows added, and the number of rows in the file afterwards.

    Raises:
        UsageError: The suffix is unknown, or the file cannot be written.
        DataError: The file cannot be read, has other columns, or pyarrow is missing for Parquet.
    """
    check_kind(path)
    old = _read(path) if path.exists() else []
    columns = list(next(iter(rows.values()), old[0] if old else {"id": ""}))
    for number, row in enumerate(old, start=1):
        if set(row) != set(columns):
            raise DataError(
                f"{path}: row {number} has the columns {shown_names(row)}, and the new rows have "
                f"{shown_names(columns)}; write to another file."
            )
    known = {row["id"] for row in old}
    new = [row for key, row in rows.items() if key not in known]
    if new or not path.exists():
        write_rows(path, columns, [*old, *new])
    return len(new), len(old) + len(new)


def _read(path: Path) -> list[dict[str, Any]]:
    try:
        if path.suffix == ".parquet":
            found: list[dict[str, Any]] = parquet_library(path).read_table(path).to_pylist()
        elif path.suffix == ".csv":
            with path.open(encoding="utf-8", newline="") as file:
                found = [_typed(row) for row in csv.DictReader(file, strict=True)]
        else:
            with path.open(encoding="utf-8", newline="\n") as file:
                found = [json.loads(line) for line in file if not line.isspace()]
    except (OSError, ValueError, csv.Error) as error:  # arrow's errors are ValueErrors and OSErrors
        raise DataError(f"{path} cannot be read: {error}.") from error
    if not all(isinstance(row, dict) for row in found):
        raise DataError(f"{path} is not a dataset of 'robustfim export': a row is not a JSON object.")
    return found


def _typed(row: Mapping[str, str]) -> dict[str, Any]:
    """Read a row of CSV, in which null is an empty cell."""
    return {key: value or None for key, value in row.items()}
