"""Pairs of texts with a label, in the formats of published data for natural language inference."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from robustfim.errors import DataError, UsageError, shown, suggestions
from robustfim.example import Example
from robustfim.reading import json_rows, read_text

__all__ = ["Pairs"]

_KNOWN = (
    ("premise", "hypothesis", "label"),
    ("sentence1", "sentence2", "gold_label"),
    ("sentence1", "sentence2", "label"),
    ("question1", "question2", "label"),
    ("question1", "question2", "is_duplicate"),
)
"""Columns of the first text, the second text and the label, as they are released."""


class Pairs:
    """Rows of two texts and a label, from JSON Lines or a tab-separated file with a header.

    The columns are found by the names in published data (SNLI, MultiNLI, GLUE, Quora), or you name them. A row with a
    blank label or the label ``-`` (in SNLI, the annotators did not agree) is left out and counted.

    Args:
        path: A ``.jsonl`` or ``.tsv`` file.
        first: The column of the first text.
        second: The column of the second text.
        label: The column of the labels.

    Attributes:
        skipped: The number of rows left out by the last ``load``, by reason.

    Raises:
        UsageError: The file's suffix is unknown, or only some columns are named.
    """

    def __init__(
        self, path: Path, first: str | None = None, second: str | None = None, label: str | None = None
    ) -> None:
        if path.suffix not in (".jsonl", ".tsv"):
            raise UsageError(
                f"{path} ends in neither .jsonl nor .tsv. Rename the file, or read a CSV file with 'use: csv'."
            )
        named = [each for each in (first, second, label) if each is not None]
        if named and len(set(named)) < 3:
            raise UsageError("name three different columns, 'first', 'second' and 'label', or none of them.")
        self._path = path
        self._columns = (first, second, label) if first and second and label else None
        self.skipped: dict[str, int] = {}

    def load(self) -> Iterator[Example]:
        """Read the pairs, in the file's order."""
        self.skipped = {}
        columns = None
        made = 0
        for place, row in self._rows():
            columns = columns or self._find(row)
            first, second, name = columns
            texts = {key: row.get(key) for key in (first, second)}
            for key, text in texts.items():
                if not isinstance(text, str):
                    raise DataError(f"{place}: {key!r} must be a text, not {text!r:.40}.")
            label = row.get(name)
            if label is None or str(label).strip() in ("", "-"):
                self.skipped["no gold label"] = self.skipped.get("no gold label", 0) + 1
                continue
            if isinstance(label, bool | float | list | dict):
                raise DataError(f"{place}: a label is a text or an integer, not {label!r:.40}.")
            others = {key: value for key, value in row.items() if key not in columns}
            yield Example({key: str(text) for key, text in texts.items()}, str(label).strip(), others)
            made += 1
        if not made:
            raise DataError(f"{self._path}: there is no labelled pair.")

    def _find(self, row: Mapping[str, Any]) -> tuple[str, str, str]:
        if self._columns is not None:
            for name in self._columns:
                if name not in row:
                    raise DataError(f"{self._path}: no column {shown(name)}.{suggestions(name, row, 'Columns')}")
            return self._columns
        for known in _KNOWN:
            if all(name in row for name in known):
                return known
        raise DataError(
            f"{self._path}: its columns ({', '.join(row)}) are not the columns of a released file. Name your columns "
            "with 'first', 'second' and 'label'."
        )

    def _rows(self) -> Iterator[tuple[str, dict[str, Any]]]:
        text = read_text(self._path)
        if self._path.suffix == ".tsv":
            # Releases quote nothing: a quotation mark is part of a sentence.
            table = csv.DictReader(io.StringIO(text), delimiter="\t", quoting=csv.QUOTE_NONE)
            for values in table:
                if None in values:
                    raise DataError(f"{self._path}:{table.line_num}: more cells than the header has columns.")
                yield f"{self._path}:{table.line_num}", dict(values)
            return
        yield from json_rows(text.split("\n"), self._path)
