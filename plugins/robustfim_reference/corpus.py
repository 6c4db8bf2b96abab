"""Labelled texts for training, read from CSV files."""

from __future__ import annotations

import re
from dataclasses import dataclass
from io import StringIO
from pathlib import Path

from robustfim.errors import DataError
from robustfim.reading import csv_rows, read_text

__all__ = ["Row", "cut", "read_rows"]

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
    columns = {text: "; name the right one with --text"}
    if label is not None:
        columns[label] = "; name the right one with --label"
    lines = StringIO(read_text(path), newline="")
    rows = [
        Row(cells[text], "" if label is None else cells[label].strip())
        for _, cells in csv_rows(lines, path, columns, strict=True)
        if cells[text].strip()
    ]
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
