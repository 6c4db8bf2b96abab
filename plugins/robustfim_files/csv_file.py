"""CSV and TSV files."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import Literal

from robustfim.errors import DataError, UsageError
from robustfim.example import Example
from robustfim.printable import counted
from robustfim.reading import csv_reader
from robustfim_files.rows import Columns, FromRows, Limit, Names, Rows
from robustfim_files.text_file import known_encoding, text_lines

__all__ = ["CsvFile"]

_SEPARATOR = re.compile(r'"?sep=(.)"?[\r\n]*', re.IGNORECASE)
"""Excel's first line, which names the delimiter."""

_LETTERS = "If quotes are letters in this file, say 'quotes: letters', or --data quotes=letters."


class CsvFile(FromRows):
    r"""Rows of a CSV or TSV file with a header line.

    White space around column names and labels is removed. Columns without a name are ignored.

    Args:
        path: The file.
        text: The text column, or several, each a field under its own name.
        label: The column of gold labels; if a text may have several labels at once, a column of lists, or one column of
            0 and 1 for each label; null for none.
        labels: Names for the labels 0, 1, … (a list), or a mapping from old to new names.
        limit: The largest number of examples; null for all.
        delimiter: The character between cells, ``"\t"`` for tabs. By default the character in Excel's first line
            ``sep=;``, else a tab in a ``.tsv`` file and a comma in other files.
        encoding: The file's encoding; a byte order mark is skipped.
        quotes: ``cells`` if quotes enclose cells, which may then contain line breaks; ``letters`` if a quote is an
            ordinary character. By default quotes enclose cells, and a quoted cell that looks like several rows is an
            error.
    """

    def __init__(
        self,
        path: Path,
        text: Columns = "text",
        label: Columns | None = "label",
        labels: Names = None,
        limit: Limit = None,
        delimiter: str | None = None,
        encoding: str = "utf-8",
        quotes: Literal["cells", "letters"] | None = None,
    ) -> None:
        if delimiter is not None and (len(delimiter) != 1 or delimiter in '\r\n"'):
            raise UsageError(f'{delimiter=} is not one character; for tabs write "\\t" in double quotes.')
        self._rows = Rows(path, text=text, label=label, labels=labels, limit=limit)
        self._path, self._encoding, self._quotes = path, known_encoding(encoding), quotes
        tabs = path.name.lower().removesuffix(".gz").endswith((".tsv", ".tab"))
        self._given, self._delimiter = delimiter, delimiter or ("\t" if tabs else ",")

    def load(self) -> Iterator[Example]:
        """Read the examples, in the file's order."""
        records = self._records()
        header = [name.strip() for name in next(records, (1, []))[1]]
        if not header:
            raise DataError(f"{self._path} is empty; it needs a header line with the columns' names.")
        yield from self._rows.examples(header, self._named(header, records), self._hint(header))

    def _records(self) -> Iterator[tuple[int, list[str]]]:
        """Read records, each with the line it begins in; blank lines are left out."""
        lines = text_lines(self._path, self._encoding, newline="")
        first = next(lines, "")
        begin = 1
        if separator := _SEPARATOR.fullmatch(first):
            self._delimiter, begin, first = self._given or separator[1], 2, ""
        taken: list[str] = []  # the lines of a record

        def note(line: str) -> str:
            taken.append(line)
            return line

        quoting: Literal[0, 3] = csv.QUOTE_NONE if self._quotes == "letters" else csv.QUOTE_MINIMAL
        noted = map(note, filter(None, chain([first], lines)))
        cells, rows = 0, True  # of the header; whether each line so far is a row where quotes are letters
        try:
            for record in csv_reader(noted, delimiter=self._delimiter, strict=True, quoting=quoting):
                cells = cells or len(record)
                rows = rows and (not record or self._are_rows(taken, cells))
                tabs = self._delimiter == "\t" and any("\t" in cell and "\n" in cell for cell in record)
                if self._quotes is None and len(taken) > 1 and (rows or tabs):
                    raise DataError(
                        f"{self._path}:{begin}: a quote opens a cell that ends in line {begin + len(taken) - 1}, and "
                        f"the lines may be rows. {_LETTERS} If the cell has these line breaks, say 'quotes: cells'."
                    )
                if record:
                    yield begin, record
                begin += len(taken)
                taken.clear()
        except csv.Error as error:
            raise DataError(
                f"{self._path}:{begin}: {error}. A cell in quotes ends with a quote before the next "
                f"{self._delimiter!r}, and doubles each quote inside it. {_LETTERS}"
            ) from None

    def _are_rows(self, lines: list[str], cells: int) -> bool:
        """Whether each line has as many cells as the header; behind a comma of a sentence stands a blank."""
        sign = self._delimiter
        return all(line.count(sign) == cells - 1 and line.strip() and f"{sign} " not in line for line in lines)

    def _named(
        self, header: list[str], records: Iterator[tuple[int, list[str]]]
    ) -> Iterator[tuple[str, dict[str, str]]]:
        for line, record in records:
            if len(record) != len(header):
                raise DataError(
                    f"{self._path}:{line}: {counted(len(record), 'cell')} where the header has "
                    f"{counted(len(header), 'column')}. A text with {self._delimiter!r} in it needs quotes "
                    "around it."
                )
            yield f"{self._path}:{line}", dict(zip(header, record, strict=True))

    def _hint(self, header: list[str]) -> str:
        found = [each for each in ",;\t|" if each in header[0]] if len(header) == 1 else []
        return f" Is the option delimiter {found[0]!r} rather than {self._delimiter!r}?" if found else ""
