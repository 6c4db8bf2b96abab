"""Phrases: words and sequences of words that a table replaces by others."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from robustfim.candidate import Edit
from robustfim_words.text.articles import swap
from robustfim_words.text.casing import as_listed, capitalised, like
from robustfim_words.text.gazetteer import Gazetteer, Match
from robustfim_words.text.guard import fixed
from robustfim_words.text.stop_words import stop_words
from robustfim_words.text.tokens import Token

__all__ = ["Phrases", "listed"]

Row = tuple[str, str, str]
"""The old phrase, its substitutes separated by a comma and a blank, and the kind of word that must follow."""

_VERBS = ("VB",)


class Phrases:
    """A table of replacements of words or phrases; the longest match at each place is replaced.

    Words in quoted titles and in names are not replaced. A replacement takes the case of the old phrase, and the
    article before it agrees.

    Args:
        name: The perturbation's name, for the origin of the edits.
        rows: Each row has the old phrase, its substitutes, and the kind of the next word: ``any``, or ``verb`` if the
            next word must be tagged as an infinitive.
    """

    def __init__(self, name: str, rows: Iterable[Row]) -> None:
        self._name = name
        merged: dict[str, list[tuple[str, str]]] = {}
        for before, after, follower in rows:
            merged.setdefault(before, []).extend((word, follower) for word in listed(after))
        self._gazetteer = Gazetteer((before, (before, tuple(after))) for before, after in merged.items())

    def edits(self, field: str, text: str, tokens: Sequence[Token]) -> Iterator[Edit]:
        """List the edits that replace phrases of the table in a text.

        Args:
            field: The field's name.
            text: The field's text.
            tokens: The text's tokens, tagged if a row has ``verb``.
        """
        titles, index = fixed(text, tokens), 0
        while index < len(tokens):
            match = self._gazetteer.match(tokens, index)
            if match is None or match.first in titles or not _plain(text, tokens, match):
                index += 1
                continue
            before, substitutes = match.entry
            follower = tokens[match.last + 1].tag if match.last + 1 < len(tokens) else ""
            written = text[tokens[index].start : match.end]
            case = as_listed if written == before.upper() == before and not text.isupper() else like
            for after, wanted in substitutes:
                stopped = after.endswith(".") and not before.endswith(".") and _stop_behind(tokens, match.last)
                if after.endswith("/") and tokens[index].starts:
                    continue
                if (wanted != "verb" or follower in _VERBS) and case(written, after) != written:
                    why = f"{self._name}: {before} → {after}"
                    put = after.removesuffix(".") if stopped else after
                    yield swap(field, text, tokens, index, put, why, end=match.end, case=case)
            index = match.last + 1


def _stop_behind(tokens: Sequence[Token], last: int) -> bool:
    """Tell whether a full stop follows, which an abbreviation's own would double."""
    return last + 1 < len(tokens) and tokens[last + 1].text == "."


def listed(cell: str) -> list[str]:
    """Split a cell at its commas.

    >>> listed("film, motion picture")
    ['film', 'motion picture']
    """
    return [word for word in (part.strip() for part in cell.split(",")) if word]


def _plain(text: str, tokens: Sequence[Token], match: Match[tuple[str, tuple[tuple[str, str], ...]]]) -> bool:
    """Tell whether a match is no name, no part of one, and its words stand in a row with a blank between them."""
    inside = tokens[match.first : match.last + 1]
    listed_as = match.entry[0]
    if match.end < inside[-1].end and text[inside[-1].start : match.end].lower() in stop_words():
        return False  # "there's": a contraction, which nothing else takes
    for one, other in pairwise(inside):
        gap = text[one.end : other.start]
        if gap not in ("", " ") or (gap == "") != (other.kind == "mark" or one.kind == "mark"):
            return False
    first = inside[0]
    if listed_as[0].isupper():
        return capitalised(first) or text.islower()
    # A capital inside a sentence is a name's, unless the whole word shouts.
    return not capitalised(first) or first.starts or (first.text.isupper() and len(first.text) > 1) or first.text == "I"
