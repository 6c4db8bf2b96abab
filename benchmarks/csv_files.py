"""CSV files of data."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Sequence
from pathlib import Path

import pandas as pd

__all__ = ["read_rows", "write_rows"]


def read_rows(path: Path, delimiter: str = ",") -> list[dict[str, str]]:
    """Read the rows of a file, each as a mapping from the columns' names to its cells.

    Args:
        path: The path of the file, whose first line has the names of the columns.
        delimiter: The character between two cells.
    """
    frame = pd.read_csv(path, sep=delimiter, dtype=str, keep_default_na=False)
    return frame.to_dict("records")  # type: ignore[return-value]  # its keys and cells are strings


def write_rows(path: Path, head: Sequence[str], rows: Iterable[Sequence[object]]) -> Path:
    """Write a file.

    Args:
        path: The path of the file.
        head: The names of the columns.
        rows: The cells of each row.

    Returns:
        ``path``.
    """
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([head, *rows])
    return path
