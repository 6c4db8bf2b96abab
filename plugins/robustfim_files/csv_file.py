"""CSV files."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from pathlib import Path

from robustfim.errors import DataError, UsageError
from robustfim.example import Example
from robustfim_files.rows import Rows
from robustfim_files.text_file import known_encoding, text_lines

__all__ = ["CsvFile"]

LARGEST_CELL = 10_000_000
"""Characters; the standard library's 131,072 refuses a long document, and none at all a forgotten quote."""


class CsvFile:
    r"""Rows of a CSV file with a header line; white space around its names, and around labels, is none of theirs.

    Args:
        path: The file.
        text: The text column, or several, each a field under its own name.
        label: The column of gold labels; of several labels at once a list, or a column each, which holds 0 or 1;
            null when there is none.
        labels: Names for the labels 0, 1, … (a list), or new names for some (a mapping).
        limit: The largest number of examples; null for all.
        delimiter: The one character between cells; ``"\t"`` for tabs.
        encoding: The file's encoding; a byte order mark is skipped.
    """

    def __init__(
        self,
        path: Path,
        text: str | list[str] = "text",
        label: str | list[str] | None = "label",
        labels: list[str] | dict[str, str] | None = None,
        limit: int | None = None,
        delimiter: str = ",",
        encoding: str = "utf-8",
    ) -> None:
        if len(delimiter) != 1 or delimiter in '\r\n"':
            raise UsageError(f'{delimiter=} is not one character; for tabs write "\\t" in double quotes.')
        self._rows = Rows(path, text=text, label=label, labels=labels, limit=limit)
        self._path, self._delimiter, self._encoding = path, delimiter, known_encoding(encoding)

    @property
    def skipped(self) -> dict[str, int]:
        """The rows that the last ``load`` left out: a reason to a count."""
        return self._rows.skipped

    def load(self) -> Iterator[Example]:
        """Read the examples, in the file's order."""
        records = self._records()
        header = [name.strip() for name in next(records, (1, []))[1]]
        if not header:
            raise DataError(f"{self._path} is empty; it needs a header line with the columns' names.")
        yield from self._rows.examples(header, self._named(header, records), self._hint(header))

    def _records(self) -> Iterator[tuple[int, list[str]]]:
        """Read records, each with the line it begins in; blank lines are left out."""
        csv.field_size_limit(max(csv.field_size_limit(), LARGEST_CELL))
        reader = csv.reader(text_lines(self._path, self._encoding, newline=""), delimiter=self._delimiter, strict=True)
        begin = 1
        try:
            for record in reader:
                if record:
                    yield begin, record
                begin = reader.line_num + 1
        except csv.Error as error:
            raise DataError(
                f"{self._path}:{begin}: {error}. A cell in quotes ends with a quote before the next "
                f"{self._delimiter!r}, and doubles each quote inside it."
            ) from None

    def _named(
        self, header: list[str], records: Iterator[tuple[int, list[str]]]
    ) -> Iterator[tuple[str, dict[str, str]]]:
        for line, record in records:
            if len(record) != len(header):
                raise DataError(
                    f"{self._path}:{line}: {_counted(len(record), 'cell')} where the header has "
                    f"{_counted(len(header), 'column')}. A text with {self._delimiter!r} in it needs quotes "
                    "around it."
                )
            yield f"{self._path}:{line}", dict(zip(header, record, strict=True))

    def _hint(self, header: list[str]) -> str:
        found = [each for each in ",;\t|" if each in header[0]] if len(header) == 1 else []
        return f" Is the option delimiter {found[0]!r} rather than {self._delimiter!r}?" if found else ""


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
