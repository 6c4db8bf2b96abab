"""Readers of CSV, JSON and JSON Lines files that report the place of each row."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from robustfim.errors import DataError, did_you_mean
from robustfim.reading import csv_rows, json_rows, read_json, read_text

__all__ = ["Row", "json_file", "json_lines", "table"]

Row = tuple[str, dict[str, Any]]
"""The place of a row, ``file:line``, and its values by column."""


def table(path: Path, columns: Sequence[str], *, tabs: bool = False, quotes: bool = True) -> list[Row]:
    """Read a CSV or TSV file with a header line.

    Args:
        path: The file.
        columns: The columns that the file must have.
        tabs: Whether cells are separated by tabs instead of commas.
        quotes: Whether double quotes may enclose a cell.

    Raises:
        DataError: The file cannot be read, a column is missing, or the number of cells in a row differs from the
            header's.
    """
    quoting = csv.QUOTE_MINIMAL if quotes else csv.QUOTE_NONE
    source = io.StringIO(read_text(path), newline="")
    rows: list[Row] = []
    rows += csv_rows(source, path, dict.fromkeys(columns, ""), delimiter="\t" if tabs else ",", quoting=quoting)
    if not rows:
        raise DataError(f"{path} has a header and no rows.")
    return rows


def json_file(path: Path) -> Any:
    """Read a JSON file.

    Raises:
        DataError: The file cannot be read, or is not JSON.
    """
    try:
        return read_json(read_text(path))
    except json.JSONDecodeError as error:
        raise DataError(f"{path}:{error.lineno}: malformed JSON at column {error.colno}: {error.msg}.") from None
    except (RecursionError, ValueError) as error:  # nested too deeply; a number of too many digits
        raise DataError(f"{path}: JSON that cannot be read: {error}.") from None


def json_lines(path: Path, keys: Sequence[str]) -> Iterator[Row]:
    """Read a file with a JSON object in each line.

    Yields:
        The place and content of each row, in order.

    Raises:
        DataError: The file cannot be read, or a line is not an object with these keys.
    """
    for place, row in json_rows(read_text(path).split("\n"), path):
        for key in keys:
            if key not in row:
                raise DataError(f"{place}: the key {key!r} is missing.{did_you_mean(key, row)}")
        yield place, row
