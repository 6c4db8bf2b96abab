"""Look-alikes: letters of another script that look the same, and letters that a scanner confuses."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from random import Random
from typing import TypeVar

from robustfim_words.form.slips import Slips
from robustfim_words.text import inflection

__all__ = ["MISREAD", "TWINS", "Homoglyphs", "Ocr"]

T = TypeVar("T")

TWINS = {
    **{"a": "\u0430", "c": "\u0441", "e": "\u0435", "h": "\u04bb", "i": "\u0456", "j": "\u0458", "o": "\u043e"},
    **{"p": "\u0440", "s": "\u0455", "x": "\u0445", "y": "\u0443", "A": "\u0410", "B": "\u0412", "C": "\u0421"},
    **{"E": "\u0415", "H": "\u041d", "I": "\u0406", "J": "\u0408", "K": "\u039a", "M": "\u041c", "N": "\u039d"},
    **{"O": "\u041e", "P": "\u0420", "S": "\u0405", "T": "\u0422", "X": "\u0425", "Y": "\u03a5", "Z": "\u0396"},
}
"""Latin letters, and the Cyrillic or Greek letters that most typefaces draw the same way (Unicode's confusables)."""

MISREAD: dict[str, tuple[str, ...]] = {
    **{"rn": ("m",), "m": ("rn",), "cl": ("d",), "d": ("cl",), "vv": ("w",), "w": ("vv",), "li": ("h",), "h": ("b",)},
    **{"l": ("1", "I"), "i": ("1", "l"), "I": ("l", "1"), "o": ("0",), "O": ("0",), "e": ("c",), "c": ("e",)},
    **{"b": ("h", "6"), "g": ("q", "9"), "q": ("g",), "f": ("t",), "t": ("f",), "u": ("ii",), "n": ("ri",)},
    **{"S": ("5",), "s": ("5",), "B": ("8",), "Z": ("2",), "z": ("2",), "G": ("6",), "D": ("0",), "T": ("7",)},
}
"""Printed letters, and the letters that text recognition reads in their place."""


def _drawn(known: Sequence[T], random: Random) -> list[T]:
    return random.sample(known, min(1, len(known)))


class Homoglyphs(Slips):
    """Replaces a letter by a Cyrillic or Greek letter that looks the same to readers, but not to a tokeniser.

    Args:
        letters: The number of letters of the shortest word that is changed, at least 1.

    Raises:
        UsageError: ``letters`` is below 1.
    """

    _name = "homoglyphs"

    def __init__(self, *, letters: int = 3) -> None:
        super().__init__(letters, least=1)

    def _slips(self, word: str, random: Random) -> Iterator[tuple[str, str]]:
        for place in _drawn([place for place, letter in enumerate(word) if letter in TWINS], random):
            twin = TWINS[word[place]]
            yield f"{word[place]} → {unicodedata.name(twin)}", word[:place] + twin + word[place + 1 :]


class Ocr(Slips):
    """Puts an error of text recognition into a word: ``rn`` for ``m``, ``1`` for ``l``, ``0`` for ``O``.

    A word gets one error, and the result is never another word of the dictionary.

    Args:
        letters: The number of letters of the shortest word that is changed, at least 2.

    Raises:
        UsageError: ``letters`` is below 2.
    """

    _name = "ocr"

    def __init__(self, *, letters: int = 4) -> None:
        super().__init__(letters)

    def _slips(self, word: str, random: Random) -> Iterator[tuple[str, str]]:
        for old, new, read in _drawn(list(_misreadings(word)), random):
            yield f"{old} → {new}", read


def _misreadings(word: str) -> Iterator[tuple[str, str, str]]:
    """List what a word can be misread as, behind the letters mistaken and what for."""
    for place in range(len(word)):
        for length in (2, 1):
            old = word[place : place + length]
            for new in MISREAD.get(old, ()) if len(old) == length else ():
                read = word[:place] + new + word[place + length :]
                if not inflection.is_word(read):
                    yield old, new, read
