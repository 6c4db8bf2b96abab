"""OCR: what a scanner misreads."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from robustfim.candidate import Edit
from robustfim.contract import Contract
from robustfim.errors import UsageError
from robustfim.example import Example
from robustfim_words.tagging.resourced import WithTables
from robustfim_words.text import inflection
from robustfim_words.text.plain_words import plain_words

__all__ = ["LOOK_ALIKES", "Ocr"]

LOOK_ALIKES: dict[str, tuple[str, ...]] = {
    **{"rn": ("m",), "m": ("rn",), "cl": ("d",), "d": ("cl",), "vv": ("w",), "w": ("vv",), "li": ("h",), "h": ("b",)},
    **{"l": ("1", "I"), "i": ("1", "l"), "I": ("l", "1"), "o": ("0",), "O": ("0",), "e": ("c",), "c": ("e",)},
    **{"b": ("h", "6"), "g": ("q", "9"), "q": ("g",), "f": ("t",), "t": ("f",), "u": ("ii",), "n": ("ri",)},
    **{"S": ("5",), "s": ("5",), "B": ("8",), "Z": ("2",), "z": ("2",), "G": ("6",), "D": ("0",), "T": ("7",)},
}
"""Printed letters, and what they are mistaken for."""


class Ocr(WithTables):
    """Misreads a word as text recognition does: ``rn`` for ``m``, ``1`` for ``l``, ``0`` for ``O``.

    One misreading in a word, which never makes another word of the dictionary.

    Args:
        letters: The shortest word that is touched, at least 2 letters.
        alternatives: Misreadings offered for each word, drawn at random, at least 1.

    Raises:
        UsageError: ``letters`` is below 2 or ``alternatives`` below 1.
    """

    contract = Contract(carries=True)

    any_language = True

    def __init__(self, *, letters: int = 4, alternatives: int = 1) -> None:
        if letters < 2:
            raise UsageError(f"letters: {letters} is below 2")
        if alternatives < 1:
            raise UsageError(f"alternatives: {alternatives} is below 1")
        self._letters, self._alternatives = letters, alternatives

    def edits(self, example: Example, random: Random) -> Iterator[Edit]:
        """List misreadings of each word of letters only."""
        for field, token in plain_words(example, self._letters):
            found = list(_misreadings(token.text))
            for old, new, word in random.sample(found, min(self._alternatives, len(found))):
                yield Edit(field, token.start, token.end, token.text, word, f"ocr: {old} → {new}")


def _misreadings(word: str) -> Iterator[tuple[str, str, str]]:
    """List what a word can be misread as, with the letters mistaken."""
    for place in range(len(word)):
        for length in (2, 1):
            old = word[place : place + length]
            for new in LOOK_ALIKES.get(old, ()) if len(old) == length else ():
                read = word[:place] + new + word[place + length :]
                if not inflection.is_word(read):
                    yield old, new, read
