"""White space: blanks that are doubled, of another width, or where there were none."""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random

from robustfim.candidate import Candidate
from robustfim.contract import Contract
from robustfim.example import Example
from robustfim_words.text.kinds import Change, Kinds, by_kind
from robustfim_words.text.options import some_of
from robustfim_words.text.tokens import tokenise

__all__ = ["KINDS", "Spaces"]

_BLANK = re.compile(r"(?<=\S) (?=\S)")


def _blanks(text: str, after: str) -> Iterator[Change]:
    """Write every single blank between words otherwise."""
    for match in _BLANK.finditer(text):
        yield match.start(), match.end(), after


def _double(text: str) -> Iterator[Change]:
    return _blanks(text, "  ")


def _no_break(text: str) -> Iterator[Change]:
    return _blanks(text, "\u00a0")


def _sentences(text: str, after: str) -> Iterator[Change]:
    """Write the blank before each sentence but the first otherwise."""
    for token in tokenise(text):
        start = token.start
        while start and text[start - 1] in "\"'“‘(":
            start -= 1
        if token.starts and start > 1 and text[start - 1] == " " and not text[start - 2].isspace():
            yield start - 1, start, after


def _typewriter(text: str) -> Iterator[Change]:
    return _sentences(text, "  ")


def _lines(text: str) -> Iterator[Change]:
    return _sentences(text, "\n")


def _squeezed(text: str) -> Iterator[Change]:
    """Drop the blank behind commas, stops and their like."""
    for match in re.finditer(r"(?<=[^\W\d_][,;:.!?]) (?=[^\W\d_])", text):
        yield match.start(), match.end(), ""


def _apart(text: str) -> Iterator[Change]:
    """Set a blank before the marks that end a clause, as in tokenised corpora."""
    for match in re.finditer(r"(?<=[^\W\d_])(?=[,;:!?](?:\s|\Z)|\.(?:\s*\Z))", text):
        yield match.start(), match.end(), " "


def _ends(text: str) -> Iterator[Change]:
    """Begin and end the text with blanks."""
    if text.strip():
        yield 0, 0, "  "
        yield len(text), len(text), " \n"


_KINDS: Kinds = {
    "double": _double,
    "no_break": _no_break,
    "typewriter": _typewriter,
    "lines": _lines,
    "squeezed": _squeezed,
    "apart": _apart,
    "ends": _ends,
}
KINDS = tuple(_KINDS)


class Spaces:
    """Changes the white space, one kind in the whole example at a time.

    ``double`` doubles the blanks, ``no_break`` makes them no-break spaces, ``typewriter`` sets two between sentences
    and ``lines`` a line break, ``squeezed`` drops those behind commas and stops, ``apart`` sets one before them, as
    tokenised corpora have it, and ``ends`` begins and ends the text with some.

    Args:
        kinds: Which changes; all by default.

    Raises:
        UsageError: A kind is unknown.
    """

    contract = Contract(carries=True)

    def __init__(self, *, kinds: list[str] | None = None) -> None:
        self._kinds = some_of("kinds", kinds, KINDS)

    def propose(self, example: Example, random: Random) -> Iterator[Candidate]:
        """Propose one candidate a kind, in random order."""
        yield from by_kind("spaces", _KINDS, self._kinds, example, random)
