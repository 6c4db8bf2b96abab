"""Letter case: the same text in small letters, in capitals, or as a headline."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import ClassVar

from robustfim_words.form.kinds import ByKind, Change, Kind
from robustfim_words.text.casing import title
from robustfim_words.text.tokens import tokenise

__all__ = ["Case"]


def _every(function: Callable[[str], str]) -> Kind:
    """Make the changes of a function of a word."""

    def changes(text: str) -> Iterator[Change]:
        for token in tokenise(text):
            if token.kind == "word":
                yield token.start, token.end, function(token.text)

    return changes


def _first(text: str) -> Iterator[Change]:
    """Change the case of the first letter of the text, unless its word is in capitals ("I", "TV")."""
    for token in tokenise(text):
        if token.kind == "word":
            changed = token.text[0].swapcase() if not token.text.split("'")[0].isupper() else token.text[0]
            yield token.start, token.end, changed + token.text[1:]
            return


class Case(ByKind):
    """Writes the whole example in another case: ``lower``, ``upper``, ``title``, or with its ``first`` letter changed.

    Args:
        kinds: Which cases; all by default.

    Raises:
        UsageError: A kind is unknown.
    """

    _name = "case"
    _known: ClassVar = {"lower": _every(str.lower), "upper": _every(str.upper), "title": _every(title), "first": _first}
