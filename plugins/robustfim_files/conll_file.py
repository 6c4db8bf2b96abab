"""CoNLL files: one token and its tag on each line, an empty line between sentences."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from robustfim.errors import DataError
from robustfim.example import Example
from robustfim.spans import written_spans
from robustfim_files.gold_spans import spans_of_tags
from robustfim_files.rows import Limit
from robustfim_files.text_file import known_encoding, text_lines

__all__ = ["ConllFile"]


class ConllFile:
    """Sentences with gold spans, in CoNLL format (Tjong Kim Sang and De Meulder 2003), as in WNUT 2017.

    The first column has the token, the last column its tag (``O``, ``B-person``, ``I-person``). Columns are separated
    by tabs, or else by blanks. The text of an example is its tokens, joined by blanks. Lines with only one column, such
    as comments, and the separators of documents are skipped.

    Args:
        path: The file.
        limit: The largest number of sentences; null for all.
        encoding: The file's encoding; a byte order mark is skipped.

    Attributes:
        skipped: The counts of sentences left out by the last ``load``; always empty.
    """

    def __init__(self, path: Path, limit: Limit = None, encoding: str = "utf-8") -> None:
        self.skipped: dict[str, int] = {}
        self._path, self._limit, self._encoding = path, limit, known_encoding(encoding)

    def load(self) -> Iterator[Example]:
        """Read the sentences, in the file's order, with their gold spans as the label."""
        made = 0
        for line, rows in self._sentences():
            try:
                text, spans = spans_of_tags([row[0] for row in rows], [row[-1] for row in rows])
            except ValueError as error:
                raise DataError(f"{self._path}:{line}: {error}.") from None
            yield Example({"text": text}, written_spans(spans))
            made += 1
            if made == self._limit:
                return
        if not made:
            raise DataError(f"{self._path}: no sentence found. Write a token, a tab and a tag on each line.")

    def _sentences(self) -> Iterator[tuple[int, list[list[str]]]]:
        """The rows of each sentence, and the line where it begins."""
        rows: list[list[str]] = []
        begin = 1
        for number, line in enumerate(text_lines(self._path, self._encoding, newline="\n"), start=1):
            if line.isspace():
                if rows:
                    yield begin, rows
                rows = []
                continue
            columns = line.rstrip("\r\n").split("\t") if "\t" in line else line.split()
            if len(columns) > 1 and columns[0] != "-DOCSTART-":
                begin = begin if rows else number
                rows.append(columns)
        if rows:
            yield begin, rows
