"""Homoglyphs: letters of another script that look the same."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from random import Random

from robustfim.candidate import Edit
from robustfim.contract import Contract
from robustfim.errors import UsageError
from robustfim.example import Example
from robustfim_words.text.plain_words import plain_words

__all__ = ["TWINS", "Homoglyphs"]

TWINS = {
    **{"a": "\u0430", "c": "\u0441", "e": "\u0435", "h": "\u04bb", "i": "\u0456", "j": "\u0458", "o": "\u043e"},
    **{"p": "\u0440", "s": "\u0455", "x": "\u0445", "y": "\u0443", "A": "\u0410", "B": "\u0412", "C": "\u0421"},
    **{"E": "\u0415", "H": "\u041d", "I": "\u0406", "J": "\u0408", "K": "\u039a", "M": "\u041c", "N": "\u039d"},
    **{"O": "\u041e", "P": "\u0420", "S": "\u0405", "T": "\u0422", "X": "\u0425", "Y": "\u03a5", "Z": "\u0396"},
}
"""Latin letters, and the Cyrillic or Greek letters that most typefaces draw the same way (Unicode's confusables)."""


class Homoglyphs:
    """Writes a letter of a word as its Cyrillic or Greek twin: a reader sees no difference, a tokeniser does.

    Args:
        letters: The shortest word that is touched, at least 1 letter.
        alternatives: Letters tried in each word, drawn at random, at least 1.

    Raises:
        UsageError: ``letters`` or ``alternatives`` is below 1.
    """

    contract = Contract(carries=True)

    def __init__(self, *, letters: int = 3, alternatives: int = 1) -> None:
        for option, number in (("letters", letters), ("alternatives", alternatives)):
            if number < 1:
                raise UsageError(f"{option}: {number} is below 1")
        self._letters, self._alternatives = letters, alternatives

    def edits(self, example: Example, random: Random) -> Iterator[Edit]:
        """List twins of letters of each word."""
        for field, token in plain_words(example, self._letters):
            word = token.text
            places = [place for place, letter in enumerate(word) if letter in TWINS]
            for place in random.sample(places, min(self._alternatives, len(places))):
                twin = TWINS[word[place]]
                after = word[:place] + twin + word[place + 1 :]
                yield Edit(
                    field, token.start, token.end, word, after, f"homoglyphs: {word[place]} → {unicodedata.name(twin)}"
                )
