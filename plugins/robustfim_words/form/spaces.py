"""White space: doubled blanks, blanks of another width, and added or removed blanks."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from robustfim_words.form.kinds import ByKind, Change, Kind, replaced
from robustfim_words.text.tokens import tokenise

__all__ = ["Spaces"]

_BLANK = r"(?<=\S) (?=\S)"
_WIDTHS = {
    "no_break": "\u00a0",
    "narrow": "\u202f",
    "en": "\u2002",
    "em": "\u2003",
    "figure": "\u2007",
    "thin": "\u2009",
}
"""Blanks of other widths, such as text that was copied from a printed page has."""


def _between_sentences(after: str) -> Kind:
    """Write the blank before each sentence but the first otherwise."""

    def changes(text: str) -> Iterator[Change]:
        for token in tokenise(text):
            start = token.start
            while start and text[start - 1] in "\"'“‘(":
                start -= 1
            if token.starts and start > 1 and text[start - 1] == " " and not text[start - 2].isspace():
                yield start - 1, start, after

    return changes


def _ends(text: str) -> Iterator[Change]:
    if text.strip():
        yield 0, 0, "  "
        yield len(text), len(text), " \n"


class Spaces(ByKind):
    """Changes the white space of the whole example; each candidate has one kind of change.

    ``double`` doubles the blanks, ``tabs`` makes them tabs; ``no_break``, ``narrow``, ``en``, ``em``, ``figure`` and
    ``thin`` make them blanks of another width. ``typewriter`` puts two blanks between sentences, ``lines`` a new line.
    ``squeezed`` drops the blanks after commas and full stops. ``apart`` adds blanks before commas and full stops, as in
    tokenised corpora. ``indented``, ``trailing`` and ``ends`` add white space before the text, after it, or both.

    Args:
        kinds: The kinds of changes to make; all by default.

    Raises:
        UsageError: A kind is unknown.
    """

    _name = "spaces"
    _known: ClassVar = {
        "double": replaced(_BLANK, "  "),
        "tabs": replaced(_BLANK, "\t"),
        **{kind: replaced(_BLANK, blank) for kind, blank in _WIDTHS.items()},
        "typewriter": _between_sentences("  "),
        "lines": _between_sentences("\n"),
        "squeezed": replaced(r"(?<=[^\W\d_][,;:.!?]) (?=[^\W\d_])", ""),
        "apart": replaced(r"(?<=[^\W\d_])(?=[,;:!?](?:\s|\Z)|\.(?:\s*\Z))", " "),
        "indented": replaced(r"\A(?=\S)", "    "),
        "trailing": replaced(r"(?<=\S)\Z", "\n\n"),
        "ends": _ends,
    }
