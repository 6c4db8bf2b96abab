"""JSON Lines files."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import Any

from robustfim.errors import DataError
from robustfim.example import Example
from robustfim.reading import read_json
from robustfim_files.rows import Rows
from robustfim_files.text_file import known_encoding, text_lines

__all__ = ["JsonlFile"]


class JsonlFile:
    """Rows of a JSON Lines file: one object a line.

    The first object says which columns there are; a row without its text is left out and counted.

    Args:
        path: The file.
        text: The text key, or several, each a field under its own name.
        label: The key of gold labels; of several labels at once a list, or a key each, which holds 0 or 1; null when
            there is none.
        spans: The key of gold spans, in place of labels: a list of ``{start, end, label}``, as also spelled
            ``{start_position, end_position, entity_type}``, or of ``[start, end, label]``.
        labels: Names for the labels 0, 1, … (a list), or new names for some (a mapping).
        limit: The largest number of examples; null for all.
        encoding: The file's encoding; a byte order mark is skipped.

    Raises:
        UsageError: An option has no usable value.
    """

    def __init__(
        self,
        path: Path,
        text: str | list[str] = "text",
        label: str | list[str] | None = "label",
        spans: str | None = None,
        labels: list[str] | dict[str, str] | None = None,
        limit: int | None = None,
        encoding: str = "utf-8",
    ) -> None:
        self._rows = Rows(path, text=text, label=label, labels=labels, limit=limit, spans=spans)
        self._path, self._encoding = path, known_encoding(encoding)

    @property
    def skipped(self) -> dict[str, int]:
        """The rows that the last ``load`` left out: a reason to a count."""
        return self._rows.skipped

    def load(self) -> Iterator[Example]:
        """Read the examples, in the file's order."""
        rows = self._objects()
        first = next(rows, None)
        if first is None:
            raise DataError(f"{self._path} is empty; it needs one JSON object a line.")
        yield from self._rows.examples(list(first[1]), chain([first], rows))

    def _objects(self) -> Iterator[tuple[str, dict[str, Any]]]:
        for number, line in enumerate(text_lines(self._path, self._encoding, newline="\n"), start=1):
            if line.isspace():
                continue
            place = f"{self._path}:{number}"
            try:
                row = read_json(line)
            except json.JSONDecodeError as error:
                array = " JSON Lines has one object a line, without an array around them."
                raise DataError(
                    f"{place}: malformed JSON at column {error.colno}: {error.msg}."
                    f"{array if line.lstrip().startswith(('[', ']')) else ''}"
                ) from None
            except (RecursionError, ValueError) as error:  # nested too deeply; a number of too many digits
                raise DataError(f"{place}: JSON that cannot be read: {error}.") from None
            if not isinstance(row, dict):
                raise DataError(f"{place}: a JSON {_KINDS[type(row)]}, not an object; one object a line is a row.")
            yield place, row


_KINDS = {list: "array", str: "string", int: "number", float: "number", bool: "boolean", type(None): "null"}
