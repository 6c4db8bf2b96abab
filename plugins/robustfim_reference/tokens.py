"""The tokeniser of the small models, which returns the words of a text with their places.

Natural text and tokenised lower-case corpora give the same keys: ``It’s a GREAT film!`` and ``it's a great film !``
both become ``it's a great film !``.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from contextlib import suppress
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from robustfim.example import Example
from robustfim.roles import Span

__all__ = ["Token", "bigrams", "key_of", "keys_of", "tokenise"]

# A letter whose UTF-8 was read as Latin-1 ("clichÃ©", common in old corpora) counts as one letter.
_LETTER = r"(?:Ã[\x80-\xbf]|[^\W_])[\u0300-\u036f]*"
_APOSTROPHE = "['’´`\x92]"
_PLAIN = r"(?-i:[A-Za-z]++(?=[ .,!?]))"
"""What the longer pattern says of most words, five times as fast."""
_OTHER = rf"Â[\x80-\xbf]|(?:{_LETTER})+(?:{_APOSTROPHE}(?:{_LETTER})+)*|-+|\S"
_TOKEN = re.compile(rf"{_PLAIN}|(?P<markup><br\s*/?>)|{_OTHER}", re.IGNORECASE)
_WORD = re.compile(rf"{_PLAIN}|<br\s*/?>|{_OTHER}", re.IGNORECASE)
_SAME = str.maketrans({"’": "'", "´": "'", "`": "'", "\x92": "'", "\x91": "'", "‘": "'", "“": '"', "”": '"',
                       "–": "--", "—": "--", "\x96": "--", "\x97": "--", "…": ".", "[": "(", "]": ")"})  # fmt: skip


class Token(NamedTuple):
    """A word, number or punctuation mark.

    Attributes:
        key: The spelling in the vocabulary: lower case, straight quotes, no accents.
        span: The token's place in the example; None for the token of an empty text.
    """

    key: str
    span: Span


_new = tuple.__new__
"""Makes a Token of a pair without the call of Python that ``Token(…)`` costs, for every word and pair of all texts."""


@lru_cache(maxsize=65536)
def key_of(word: str) -> str:
    """Return the vocabulary's spelling of a word.

    Args:
        word: A word in its original spelling, without whitespace and not empty.

    Returns:
        The key, never empty, without whitespace.

    >>> key_of("Clichés"), key_of("DOESN’T")
    ('cliches', "doesn't")
    """
    if word.startswith("--"):
        return "--"
    with suppress(UnicodeError):  # raised where the word was read rightly
        word = word.encode("latin-1").decode("utf-8")
    decomposed = unicodedata.normalize("NFKD", word.translate(_SAME).lower())
    key = "".join(c for c in decomposed if not unicodedata.combining(c) and not c.isspace())
    return key.translate(_SAME) or word


def tokenise(example: Example, limit: int | None = None) -> list[Token]:
    """Split an example into tokens, field after field.

    Args:
        example: The example.
        limit: The largest number of tokens to return; None for all.

    Returns:
        At least one token. An example without text gives a single token without a place.
    """
    tokens = [
        _new(Token, (key_of(match[0]), (name, *match.span())))
        for name, text in example.fields.items()
        for match in _TOKEN.finditer(text)
        if match.lastgroup is None  # else it is markup
    ]
    return tokens[:limit] or [Token("", None)]


def keys_of(example: Example, limit: int | None = None) -> list[list[str]]:
    """Split an example into tokens in the vocabulary's spelling (keys), several times as fast as ``tokenise``.

    Args:
        example: The example.
        limit: The largest number of keys to return; None for all.

    Returns:
        For each field the keys of its tokens, ``[fields][tokens]``. Fields are separate because a bigram never spans
        two fields.
    """
    fields, left = [], limit
    for text in example.fields.values():
        keys = [key_of(word) for word in _WORD.findall(text) if word[0] != "<" or len(word) == 1][:left]
        fields.append(keys)
        left = None if left is None else left - len(keys)
    return fields if any(fields) else [[""]]


def bigrams(tokens: Sequence[Token]) -> list[Token]:
    """Join neighbouring tokens of a field to bigrams.

    Args:
        tokens: The result of ``tokenise``.

    Returns:
        For each bigram a token with the two keys separated by a blank, and a span over both words.
    """
    pairs = []
    for (left, a), (right, b) in pairwise(tokens):
        if a is not None and b is not None and a[0] == b[0]:
            pairs.append(_new(Token, (f"{left} {right}", (a[0], a[1], b[2]))))
    return pairs
