"""White space: blanks that are doubled, of another width, or where there were none."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from robustfim_words.form.kinds import ByKind, Change, Kind, replaced
from robustfim_words.text.tokens import tokenise

__all__ = ["Spaces"]

_BLANK = r"(?<=\S) (?=\S)"


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
    """Changes the white space, one kind in the whole example at a time.

    ``double`` doubles the blanks, ``no_break`` makes them no-break spaces, ``typewriter`` sets two between sentences
    and ``lines`` a line break, ``squeezed`` drops those behind commas and stops, ``apart`` sets one before them, as
    tokenised corpora have it, and ``ends`` begins and ends the text with some.

    Args:
        kinds: Which changes; all by default.

    Raises:
        UsageError: A kind is unknown.
    """

    _name = "spaces"
    _known: ClassVar = {
        "double": replaced(_BLANK, "  "),
        "no_break": replaced(_BLANK, "\u00a0"),
        "typewriter": _between_sentences("  "),
        "lines": _between_sentences("\n"),
        "squeezed": replaced(r"(?<=[^\W\d_][,;:.!?]) (?=[^\W\d_])", ""),
        "apart": replaced(r"(?<=[^\W\d_])(?=[,;:!?](?:\s|\Z)|\.(?:\s*\Z))", " "),
        "ends": _ends,
    }
