"""English as a language: its grammar and tables lie in ``lexicons``, and the tagger reads its texts."""

from __future__ import annotations

from functools import cache

from robustfim.candidate import Edit
from robustfim_words.languages.language import Language
from robustfim_words.text import numerals
from robustfim_words.text.analysed import Analysed
from robustfim_words.text.articles import swap
from robustfim_words.text.lexicon import LEXICONS, closed_class

__all__ = ["English", "english"]

_LIMIT = 100
"""The smallest number that no table spells."""


class English(Language):
    """English: its closed classes, its numerals, and the agreement of articles."""

    code = "en"
    months = frozenset[str]()
    """English writes months with a capital, which shows a date already."""

    def closed(self, name: str) -> frozenset[str]:
        """Return the words of a closed class of ``classes.tsv``."""
        return closed_class(name)

    def value(self, word: str) -> int | None:
        """Return the number of a number word, up to 99; None for another word."""
        return numerals.value(word)

    def spell(self, number: int) -> str | None:
        """Write a number up to 99 in letters; None for a larger number."""
        return numerals.spell(number) if number < _LIMIT else None

    def ordinal(self, word: str) -> int | None:
        """Return the number of an ordinal in letters, up to 99th; None for another word."""
        return numerals.ordinal_value(word)

    def edit(self, read: Analysed, index: int, after: str, why: str, end: int) -> Edit:
        """Make an edit, with the right article before the new word."""
        return swap(read.field, read.text, read.tokens, index, after, why, end=end)


@cache
def english() -> English:
    """Load English."""
    return English(LEXICONS, "english.yaml")
