"""Labelled texts for training, read from CSV files."""

from __future__ import annotations

import csv
import re
from dataclasses import dataclass
from pathlib import Path

from robustfim.errors import DataError, did_you_mean, shown

__all__ = ["Row", "cut", "read_rows"]

_LARGEST_CELL = 10_000_000
"""Characters of a cell; csv's own limit is shared by the whole process."""

# A sentence: up to its closing marks with what closes a quotation, or up to a line break of HTML.
_SENTENCE = re.compile(r"\S.*?(?:[.!?]+[\"')\]]*(?=\s|<br|$)|<br\s*/?>|$)", re.DOTALL | re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Row:
    """A row of training data: a text with its label.

    Attributes:
        text: The text.
        label: The label.
        norm: The signed length of a step along the top eigenvector: training uses the text's embeddings moved by this
            step. 0 for an unmoved text.
    """

    text: str
    label: str
    norm: float = 0.0


def read_rows(path: Path, text: str, label: str | None) -> list[Row]:
    """Read a CSV file with a header.

    Args:
        path: The file, UTF-8.
        text: The column with the texts.
        label: The column with the labels; None for texts without labels, whose label is then empty.

    Returns:
        The rows in order, without rows whose text is empty.

    Raises:
        DataError: The file is missing, unreadable or empty, or lacks a column.
    """
    csv.field_size_limit(max(csv.field_size_limit(), _LARGEST_CELL))
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            reader = csv.DictReader(file, strict=True)
            columns = list(reader.fieldnames or ())
            for option, column in (("--text", text), ("--label", label)):
                if column is not None and column not in columns:
                    raise DataError(
                        f"{path}: no column {shown(column)}.{did_you_mean(column, columns)} "
                        f"It has {', '.join(columns) or 'none'}; name the right one with {option}."
                    )
            rows = []
            for row in reader:
                if row[text] is None or (label is not None and row[label] is None):
                    raise DataError(f"{path}:{reader.line_num}: the row has fewer cells than the header.")
                if row[text].strip():
                    rows.append(Row(row[text], "" if label is None else row[label].strip()))
    except FileNotFoundError:
        raise DataError(f"no file {path}; paths are relative to the current folder.") from None
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise DataError(f"{path} cannot be read as CSV in UTF-8: {error}.") from error
    if not rows:
        raise DataError(f"{path} has no row with a text.")
    return rows


def cut(row: Row, words: int) -> list[Row]:
    """Cut a long text into runs of whole sentences, each with the text's label.

    Args:
        row: The row.
        words: The largest number of words of a run, ≥ 1. A longer sentence stays whole.

    Returns:
        Only the row itself if it has at most ``words`` words, else its runs in order.
    """
    if len(row.text.split()) <= words:
        return [row]
    runs: list[list[str]] = []
    length = 0
    for sentence in _SENTENCE.findall(row.text):
        size = len(sentence.split())
        if not runs or length + size > words:
            runs.append([])
            length = 0
        runs[-1].append(sentence)
        length += size
    return [Row(" ".join(run), row.label) for run in runs]
