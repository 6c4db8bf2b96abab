"""JSON Lines files."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from pathlib import Path

from robustfim.errors import DataError
from robustfim.example import Example
from robustfim.reading import json_rows
from robustfim_files.gold_spans import Offsets
from robustfim_files.rows import Columns, FromRows, Limit, Names, Rows
from robustfim_files.text_file import known_encoding, text_lines

__all__ = ["JsonlFile"]


class JsonlFile(FromRows):
    """Rows of a JSON Lines file, with one object on each line.

    The keys of all rows together are the columns. A row without its text is left out and counted.

    Args:
        path: The file.
        text: The text key, or several, each a field under its own name.
        label: The key of gold labels; if a text may have several labels at once, a list, or one key with 0 or 1 for
            each label; null for none.
        spans: The key of gold spans, instead of labels: a list of ``{start, end, label}``, of ``{start_position,
            end_position, entity_type}``, or of ``[start, end, label]``. If the value in a row is null, the row has no
            gold spans.
        labels: Names for the labels 0, 1, … (a list), or a mapping from old to new names.
        limit: The largest number of examples; null for all.
        offsets: The unit of the starts and ends of spans. If a span also gives its text, this text must equal the part
            of the row's text.
        encoding: The file's encoding; a byte order mark is skipped.
    """

    def __init__(
        self,
        path: Path,
        text: Columns = "text",
        label: Columns | None = "label",
        spans: str | None = None,
        labels: Names = None,
        limit: Limit = None,
        offsets: Offsets = "characters",
        encoding: str = "utf-8",
    ) -> None:
        self._rows = Rows(path, text=text, label=label, labels=labels, limit=limit, spans=spans, offsets=offsets)
        self._path, self._encoding = path, known_encoding(encoding)

    def load(self) -> Iterator[Example]:
        """Read the examples, in the file's order."""
        rows = json_rows(text_lines(self._path, self._encoding, newline="\n"), self._path)
        columns: dict[str, None] = {}
        begin = []
        for place, row in rows:
            begin.append((place, row))
            columns.update(dict.fromkeys(row))
            if self._rows.asked <= columns.keys():
                break
        if not begin:
            raise DataError(f"{self._path} is empty; it needs one JSON object a line.")
        yield from self._rows.examples(list(columns), chain(begin, rows))
