"""The language of a text: English, or clearly another one."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from functools import lru_cache

from robustfim_words.text import inflection
from robustfim_words.text.lexicon import LEXICONS, read_table

__all__ = ["english"]

_WORD = re.compile(r"[^\W\d_]{2,}(?:['’][^\W\d_]+)?")
_FEWEST = 2
"""The number of words of another language that a text must have to count as in that language."""


@lru_cache(maxsize=4096)
def english(text: str) -> bool:
    """Check whether a text may be English, which means that nothing shows another language.

    Returns:
        False if most letters are not Latin, if the text has two function words of another language or more and fewer
        English function words, or if it has one function word of another language and the dictionary lacks more than
        half of its words. True for a text that is too short to decide.

    >>> english("It is good"), english("Das ist nicht gut"), english("Это хорошо")
    (True, False, False)
    """
    words = [word.lower().replace("’", "'") for word in _WORD.findall(text)]
    letters = [letter for word in words for letter in word if letter.isalpha()]
    latin = sum(letter.isascii() or unicodedata.name(letter, "").startswith("LATIN") for letter in letters)
    if latin * 2 < len(letters):
        return False
    counts = {language: len(known.intersection(words)) for language, known in _languages().items()}
    own, other = counts.pop("english"), max(counts.values())
    if other and not own and len(words) > _FEWEST:
        return sum(map(inflection.is_word, words)) * 2 >= len(words)
    return other < max(_FEWEST, own + 1)


@lru_cache(maxsize=1)
def _languages() -> Mapping[str, frozenset[str]]:
    table = read_table(LEXICONS / "languages.tsv", ("language", "words"))
    return {language: frozenset(words.split()) for language, words in table}
