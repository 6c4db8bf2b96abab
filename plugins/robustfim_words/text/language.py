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
"""Words of another language that a text must have to be in it."""


@lru_cache(maxsize=4096)
def english(text: str) -> bool:
    """Tell whether a text may be English: whether nothing says that it is in another language.

    Returns:
        False where most letters are not Latin, and where the words that hold sentences together are another language's:
        two of them or more, and more than English ones, or one in a text of which the dictionary knows less than half.
        True for what is too short to tell.

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
