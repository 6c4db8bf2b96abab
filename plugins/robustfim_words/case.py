"""Letter case: the same text in small letters, in capitals, or as a headline."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random

from robustfim.candidate import Candidate
from robustfim.example import Example
from robustfim_words.casing import title
from robustfim_words.options import some_of
from robustfim_words.tokens import tokenise

__all__ = ["KINDS", "Case"]


def _headline(text: str) -> str:
    """Raise the first letter of every word."""
    raised, end = [], 0
    for token in tokenise(text):
        raised += [text[end : token.start], title(token.text) if token.kind == "word" else token.text]
        end = token.end
    return "".join([*raised, text[end:]])


def _first(text: str) -> str:
    """Change the case of the first letter of the text, unless its word is in capitals ("I", "TV")."""
    for token in tokenise(text):
        if token.kind == "word":
            changed = token.text[0].swapcase() if not token.text.split("'")[0].isupper() else token.text[0]
            return text[: token.start] + changed + text[token.start + 1 :]
    return text


_KINDS: dict[str, Callable[[str], str]] = {"lower": str.lower, "upper": str.upper, "title": _headline, "first": _first}
KINDS = tuple(_KINDS)


class Case:
    """Writes the whole example in another case: ``lower``, ``upper``, ``title``, or with its ``first`` letter changed.

    Args:
        kinds: Which cases; all by default.

    Raises:
        UsageError: A kind is unknown.
    """

    def __init__(self, *, kinds: list[str] | None = None) -> None:
        self._kinds = some_of("kinds", kinds, KINDS)

    def propose(self, example: Example, random: Random) -> Iterator[Candidate]:
        """Propose one candidate a kind, in random order, but for those that change nothing.

        Args:
            example: The source example.
            random: Draws the order.
        """
        for kind in random.sample(self._kinds, len(self._kinds)):
            changed = {field: new for field, text in example.fields.items() if (new := _KINDS[kind](text)) != text}
            if changed:
                yield Candidate.replacing(example, changed, origin=f"case: {kind}")
