"""Letter case: the same text in small letters, in capitals, or as a headline."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random

from robustfim.candidate import Candidate
from robustfim.contract import Contract
from robustfim.example import Example
from robustfim_words.text.casing import title
from robustfim_words.text.kinds import Change, by_kind
from robustfim_words.text.options import some_of
from robustfim_words.text.tokens import tokenise

__all__ = ["KINDS", "Case"]


def _every(function: Callable[[str], str]) -> Callable[[str], Iterator[Change]]:
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


_KINDS: dict[str, Callable[[str], Iterator[Change]]] = {
    "lower": _every(str.lower),
    "upper": _every(str.upper),
    "title": _every(title),
    "first": _first,
}
KINDS = tuple(_KINDS)


class Case:
    """Writes the whole example in another case: ``lower``, ``upper``, ``title``, or with its ``first`` letter changed.

    Args:
        kinds: Which cases; all by default.

    Raises:
        UsageError: A kind is unknown.
    """

    contract = Contract(carries=True)

    def __init__(self, *, kinds: list[str] | None = None) -> None:
        self._kinds = some_of("kinds", kinds, KINDS)

    def propose(self, example: Example, random: Random) -> Iterator[Candidate]:
        """Propose one candidate a kind, in random order, but for those that change nothing."""
        yield from by_kind("case", _KINDS, self._kinds, example, random)
