"""Slips: errors inside a word that has letters only, such as misread letters and invisible characters."""

from __future__ import annotations

import unicodedata
from abc import abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from random import Random
from typing import Annotated, ClassVar, TypeAlias, TypeVar

from pydantic import Field

from robustfim.candidate import Edit
from robustfim.contract import Contract
from robustfim_texts import some_of
from robustfim_words.tagging.resourced import Editing
from robustfim_words.text import inflection
from robustfim_words.text.lexicon import LEXICONS, listed, read_pairs, read_table
from robustfim_words.text.tokens import Token, Tokens

__all__ = ["INVISIBLE", "MISREAD", "TWINS", "Homoglyphs", "Invisible", "Letters", "Ocr", "Slips", "plain_words"]


Letters: TypeAlias = Annotated[int, Field(ge=2)]
"""The number of letters of the shortest word that is changed."""


def plain_words(tokens: Tokens, letters: int) -> list[Token]:
    """List the words that consist of letters only and have at least the given number of them."""
    return [token for token in tokens if len(token.text) >= letters and token.text.isalpha()]


class Slips(Editing):
    """Base class of perturbations that make typing errors inside words; each edit makes one error.

    Args:
        letters: The number of letters of the shortest word that is changed.
    """

    contract = Contract(carries=True)
    any_language = True
    _name: ClassVar[str]

    def __init__(self, *, letters: Letters = 4) -> None:
        self._letters = letters

    def _edits(self, field: str, text: str, tokens: Tokens, random: Random) -> Iterator[Edit]:
        """List the slips of each word."""
        for token in plain_words(tokens, self._letters):
            for what, after in self._slips(token.text, random):
                yield Edit(field, token.start, token.end, token.text, after, f"{self._name}: {what}")

    @abstractmethod
    def _slips(self, word: str, random: Random) -> Iterable[tuple[str, str]]:
        """List what each slip is, and the word with it."""


INVISIBLE = {
    "soft_hyphen": "\u00ad",
    "zero_width_space": "\u200b",
    "zero_width_non_joiner": "\u200c",
    "zero_width_joiner": "\u200d",
    "word_joiner": "\u2060",
    "byte_order_mark": "\ufeff",
}
"""Characters that have no width inside a word of Latin letters."""


class Invisible(Slips):
    """Puts an invisible character between two letters of a word; the text looks as before.

    Args:
        kinds: The characters to put in; all known characters by default.
        letters: The number of letters of the shortest word that is changed, at least 2.

    Raises:
        UsageError: A kind is unknown.
    """

    _name = "invisible"

    def __init__(self, *, kinds: list[str] | None = None, letters: Letters = 4) -> None:
        super().__init__(letters=letters)
        self._kinds = some_of("kinds", kinds, INVISIBLE)

    def _slips(self, word: str, random: Random) -> Iterator[tuple[str, str]]:
        kind = random.choice(self._kinds)
        place = random.randrange(1, len(word))
        yield kind, word[:place] + INVISIBLE[kind] + word[place:]


T = TypeVar("T")

TWINS = read_pairs(LEXICONS / "twins.tsv", ("letter", "twin"))
"""Latin letters, and the Cyrillic or Greek letters that most typefaces draw the same way."""

MISREAD = {old: listed(read) for old, read in read_table(LEXICONS / "misread.tsv", ("printed", "read"))}
"""Printed letters, and the letters that text recognition reads in their place."""


def _drawn(known: Sequence[T], random: Random) -> list[T]:
    return random.sample(known, min(1, len(known)))


class Homoglyphs(Slips):
    """Replaces a letter by a Cyrillic or Greek letter that looks the same to readers, but not to a tokeniser.

    Args:
        letters: The number of letters of the shortest word that is changed, at least 1.
    """

    _name = "homoglyphs"

    def __init__(self, *, letters: Annotated[int, Field(ge=1)] = 3) -> None:
        super().__init__(letters=letters)

    def _slips(self, word: str, random: Random) -> Iterator[tuple[str, str]]:
        for place in _drawn([place for place, letter in enumerate(word) if letter in TWINS], random):
            twin = TWINS[word[place]]
            yield f"{word[place]} → {unicodedata.name(twin)}", word[:place] + twin + word[place + 1 :]


class Ocr(Slips):
    """Puts an error of text recognition into a word: ``rn`` for ``m``, ``1`` for ``l``, ``0`` for ``O``.

    A word gets one error, and the result is never another word of the dictionary.

    Args:
        letters: The number of letters of the shortest word that is changed, at least 2.
    """

    _name = "ocr"

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
