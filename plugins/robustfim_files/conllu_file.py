"""CoNLL-U files: sentences of a treebank, with entities in the last column."""

from __future__ import annotations

import re
from collections.abc import Iterator

from robustfim.errors import DataError, shown
from robustfim.example import Example
from robustfim.spans import Span, written_spans
from robustfim_files.conll_file import ConllFile
from robustfim_files.text_file import text_lines

__all__ = ["ConlluFile"]

_COLUMNS = 10
_PART = re.compile(r"\((?P<opens>[^()]+)(?P<closes>\))?|(?P<ends>[^()]+)\)")
_PIECES = re.compile(r"\[\d+/\d+\]")
_ORDER = "# global.Entity ="


class ConlluFile(ConllFile):
    """Sentences with gold spans, in CoNLL-U format (Nivre et al. 2020) with ``Entity=`` in the tenth column.

    An entity opens with ``(e1-person-…`` and closes with ``e1)``, as in the corpora CorefUD and GUM. The line ``#
    global.Entity = eid-etype-…`` shows which of the parts separated by hyphens is the label (``etype``). Without this
    line, the second part is the label. The text of an example is its words with blanks between them, except after
    ``SpaceAfter=No``. If entities are nested, the outermost is the gold span.

    Args:
        path: The file.
        limit: The largest number of sentences; null for all.
        encoding: The file's encoding; a byte order mark is skipped.

    Attributes:
        skipped: The number of sentences left out by the last ``load``, because they have a discontinuous entity.
    """

    def load(self) -> Iterator[Example]:
        """Read the sentences, in the file's order, with their gold spans as the label."""
        self.skipped, made = {}, 0
        for line, label_at, words in self._annotated():
            if any(_PIECES.search(entity) for *_, entity in words):
                reason = "an entity in several pieces"
                self.skipped[reason] = self.skipped.get(reason, 0) + 1
                continue
            try:
                yield _example(words, label_at)
            except ValueError as error:
                raise DataError(f"{self._path}:{line}: {error}.") from None
            made += 1
            if made == self._limit:
                return
        if not made:
            left = " but those left out, with an entity in several pieces" if self.skipped else ""
            raise DataError(
                f"{self._path}: no sentence found{left}. Write each word as a line of ten columns, with tabs between."
            )

    def _annotated(self) -> Iterator[tuple[int, int, list[tuple[str, bool, str]]]]:
        """Of each sentence its first line, where a label stands, and words with the blank behind and entities."""
        words: list[tuple[str, bool, str]] = []
        begin = label_at = 1
        covered = 0  # words of the sentence up to here stand in a token of several
        for number, line in enumerate(text_lines(self._path, self._encoding, newline="\n"), start=1):
            row = line.rstrip("\r\n")
            if row.startswith(_ORDER):
                label_at = _place_of_label(row, f"{self._path}:{number}")
            if not row.strip() and words:
                yield begin, label_at, words
                words, covered = [], 0
            if not row.strip() or row.startswith("#"):
                continue
            columns = row.split("\t")
            if len(columns) != _COLUMNS:
                raise DataError(
                    f"{self._path}:{number}: the line has {len(columns)} columns; a word of CoNLL-U has ten "
                    "columns, with tabs between."
                )
            identity, form, last = columns[0], columns[1], columns[-1]
            facts = dict(each.partition("=")[::2] for each in last.split("|"))
            entity, blank = facts.get("Entity", ""), facts.get("SpaceAfter") != "No"
            if "." in identity:  # a word that was left out of the text
                continue
            first, _, until = identity.partition("-")
            if not first.isdecimal() or (until and not until.isdecimal()):
                raise DataError(f"{self._path}:{number}: {shown(identity)} is not a number of a word.")
            if not until and int(first) <= covered:  # inside "don't": its entities are the token's
                words[-1] = (*words[-1][:2], words[-1][2] + entity)
                continue
            begin = begin if words else number
            covered = int(until) if until else covered
            words.append((form, blank, entity))
        if words:
            yield begin, label_at, words


def _place_of_label(row: str, place: str) -> int:
    parts = row.removeprefix(_ORDER).strip().split("-")
    if "etype" not in parts:
        raise DataError(f"{place}: {shown(row)} names no 'etype', which is the label of an entity.")
    return parts.index("etype")


def _example(words: list[tuple[str, bool, str]], label_at: int) -> Example:
    """Join the words, and read the entities that open and close at them."""
    text, places = "", []
    for form, blank, _ in words:
        places.append((len(text), len(text) + len(form)))
        text += form + " " * blank
    text = text.rstrip(" ")
    spans = _bracketed([entity for *_, entity in words], places, label_at)
    return Example({"text": text}, written_spans(_outermost(spans)))


def _bracketed(entities: list[str], places: list[tuple[int, int]], label_at: int) -> list[Span]:
    """Read what opens with ``(e1-person`` and closes with ``e1)``."""
    opened: dict[str, list[tuple[int, str]]] = {}
    spans: list[Span] = []
    for entity, (start, end) in zip(entities, places, strict=True):
        if "".join(match[0] for match in _PART.finditer(entity)) != entity:
            raise ValueError(f"Entity={shown(entity)} is not a bracket such as (e1-person or e1)")
        for match in _PART.finditer(entity):
            if match["opens"] is None:
                name = match["ends"].partition("-")[0]
                if not opened.get(name):
                    raise ValueError(f"Entity={shown(entity)} closes {name}, which is not open")
                first, label = opened[name].pop()
                spans.append(Span(first, end, label))
                continue
            parts = match["opens"].split("-")
            if len(parts) <= label_at or not parts[label_at]:
                raise ValueError(f"Entity={shown(entity)} has no label behind its name, as in (e1-person")
            if match["closes"]:
                spans.append(Span(start, end, parts[label_at]))
            else:
                opened.setdefault(parts[0], []).append((start, parts[label_at]))
    left = next((name for name, rest in opened.items() if rest), None)
    if left is not None:
        raise ValueError(f"the entity {left} is open where its sentence ends")
    return spans


def _outermost(spans: list[Span]) -> list[Span]:
    """Keep of spans that have a character in common the longest, of equally long ones the first."""
    kept: list[Span] = []
    for span in sorted(spans, key=lambda span: (span.start - span.end, span.start)):
        if not any(map(span.overlaps, kept)):
            kept.append(span)
    return kept
