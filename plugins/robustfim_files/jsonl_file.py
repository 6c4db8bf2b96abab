"""JSON Lines files."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from pathlib import Path

from robustfim.errors import DataError
from robustfim.example import Example
from robustfim.reading import json_rows
from robustfim_files.gold_spans import Offsets
from robustfim_files.rows import Rows
from robustfim_files.text_file import known_encoding, text_lines

__all__ = ["JsonlFile"]


class JsonlFile:
    """Rows of a JSON Lines file: one object a line.

    A key of some rows is a column; a row without its text is left out and counted.

    Args:
        path: The file.
        text: The text key, or several, each a field under its own name.
        label: The key of gold labels; of several labels at once a list, or a key each, which holds 0 or 1; null when
            there is none.
        spans: The key of gold spans, in place of labels: a list of ``{start, end, label}``, as also spelled
            ``{start_position, end_position, entity_type}``, or of ``[start, end, label]``; null says unlabelled.
        labels: Names for the labels 0, 1, … (a list), or new names for some (a mapping).
        limit: The largest number of examples; null for all.
        offsets: What the ends of spans count; a span that has its own text must cut it out.
        encoding: The file's encoding; a byte order mark is skipped.
    """

    def __init__(
        self,
        path: Path,
        text: str | list[str] = "text",
        label: str | list[str] | None = "label",
        spans: str | None = None,
        labels: list[str] | dict[str, str] | None = None,
        limit: int | None = None,
        offsets: Offsets = "characters",
        encoding: str = "utf-8",
    ) -> None:
        self._rows = Rows(path, text=text, label=label, labels=labels, limit=limit, spans=spans, offsets=offsets)
        self._path, self._encoding = path, known_encoding(encoding)

    @property
    def skipped(self) -> dict[str, int]:
        """The rows that the last ``load`` left out: a reason to a count."""
        return self._rows.skipped

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
