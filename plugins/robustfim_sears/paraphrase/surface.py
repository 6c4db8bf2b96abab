"""Split texts into words and marks, in the form in which rewrites are compared."""

from __future__ import annotations

import re
from functools import lru_cache

__all__ = ["compared", "words"]

_LETTER = r"[^\W_][\u0300-\u036f]*"
_WORD = re.compile(
    rf"\d+(?:[.,]\d+)*(?!{_LETTER})"
    r"|n['’]t\b|['’](?:s|re|ve|ll|d|m)\b"
    rf"|(?:{_LETTER})+?(?=n['’]t\b)|(?:{_LETTER})+(?:[-‐‑](?:{_LETTER})+)*"
    r"|\?!|\?+|!+|\.{2,}|-{2,}|\S",
    re.IGNORECASE,
)
_LETTERS = re.compile(r"(?:[^\W\d_][\u0300-\u036f]*)+(?:['’](?:[^\W\d_][\u0300-\u036f]*)+)*")


@lru_cache(maxsize=8192)
def compared(text: str) -> tuple[str, ...]:
    """Split a text into normalised words, numbers and marks for comparison; ``don't`` gives two tokens.

    Letter case, white space, the shape of an apostrophe, and "a" or "an" make no difference.

    >>> compared("It ISN’T an apple??")
    ('it', 'is', "n't", 'a', 'apple', '??')
    """
    words = _WORD.findall(text.casefold().replace("’", "'"))
    return tuple("a" if word == "an" else word for word in words)


def words(text: str) -> list[tuple[int, int]]:
    """Return the start and end of each word made of letters.

    >>> words("It isn't 2 far.")
    [(0, 2), (3, 8), (11, 14)]
    """
    return [match.span() for match in _LETTERS.finditer(text)]
