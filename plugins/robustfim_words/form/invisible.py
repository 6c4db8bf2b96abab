"""Invisible characters: what copying from web pages leaves inside words."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from robustfim.candidate import Edit
from robustfim.contract import Contract
from robustfim.errors import UsageError
from robustfim.example import Example
from robustfim_words.text.options import some_of
from robustfim_words.text.plain_words import plain_words

__all__ = ["KINDS", "Invisible"]

KINDS = {
    "soft_hyphen": "\u00ad",
    "zero_width_space": "\u200b",
    "zero_width_non_joiner": "\u200c",
    "zero_width_joiner": "\u200d",
    "word_joiner": "\u2060",
    "byte_order_mark": "\ufeff",
}
"""The characters, each of no width inside a word of Latin letters."""


class Invisible:
    """Puts an invisible character between two letters of a word; the text looks as before.

    Args:
        kinds: Which characters; all by default.
        letters: The shortest word that is touched, at least 2 letters.

    Raises:
        UsageError: A kind is unknown, or ``letters`` below 2.
    """

    contract = Contract(carries=True)

    def __init__(self, *, kinds: list[str] | None = None, letters: int = 4) -> None:
        self._kinds = some_of("kinds", kinds, KINDS)
        if letters < 2:
            raise UsageError(f"letters: {letters} is below 2")
        self._letters = letters

    def edits(self, example: Example, random: Random) -> Iterator[Edit]:
        """List one character at one place of each word."""
        for field, token in plain_words(example, self._letters):
            kind = random.choice(self._kinds)
            place = random.randrange(1, len(token.text))
            after = token.text[:place] + KINDS[kind] + token.text[place:]
            yield Edit(field, token.start, token.end, token.text, after, f"invisible: {kind}")
