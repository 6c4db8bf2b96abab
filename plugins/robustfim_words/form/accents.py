"""Accents: dropped, as on a keyboard without accents, or added to English words with two spellings."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from typing import ClassVar

from robustfim_words.form.kinds import ByKind, Change
from robustfim_words.text.casing import like
from robustfim_words.text.lexicon import LEXICONS, read_table
from robustfim_words.text.tokens import tokenise

__all__ = ["Accents", "without_accents"]

_OTHERS = str.maketrans(
    {
        **{"ł": "l", "Ł": "L", "ø": "o", "Ø": "O", "đ": "d", "Đ": "D", "ð": "d", "Ð": "D", "ı": "i"},
        **{"ß": "ss", "æ": "ae", "Æ": "Ae", "œ": "oe", "þ": "th"},
    }
)
_LATIN = re.compile(r"[^\W\d_]+(?:[\u0300-\u036f]+[^\W\d_]*)*")


def without_accents(word: str) -> str:
    """Write a word without accents on its Latin letters; letters of other scripts are unchanged.

    >>> [without_accents(word) for word in ("café", "Wałęsa", "Øyvind", "й")]
    ['cafe', 'Walesa', 'Oyvind', 'й']
    """
    parts = unicodedata.normalize("NFD", word)
    if not all("LATIN" in unicodedata.name(c, "") for c in parts if c.isalpha()):
        return word
    return "".join(c for c in parts if unicodedata.category(c) != "Mn").translate(_OTHERS)


def _drop(text: str) -> Iterator[Change]:
    """Leave out every accent."""
    for match in _LATIN.finditer(text) if not text.isascii() else ():
        yield match.start(), match.end(), without_accents(match.group())


def _add(text: str) -> Iterator[Change]:
    """Set the accents that English may set."""
    for token in tokenise(text):
        accented = _accented().get(token.text.lower())
        if accented is not None and (token.text.islower() or token.starts):
            yield token.start, token.end, like(token.text, accented)


@lru_cache(maxsize=1)
def _accented() -> dict[str, str]:
    """Read the words that English writes with and without accents."""
    return {without_accents(word): word for (word,) in read_table(LEXICONS / "accents.txt", ("word",))}


class Accents(ByKind):
    """Drops the accents of all words ("cafe", "Dvorak"), or adds accents that English allows ("naïve", "cliché").

    Args:
        kinds: ``drop``, ``add``; both by default.

    Raises:
        UsageError: A kind is unknown.
    """

    _name = "accents"
    _known: ClassVar = {"drop": _drop, "add": _add}
