"""Words: their places in a text, and the common beginning and end of two sequences."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from typing import Any, TypeVar

__all__ = [
    "difference",
    "first_words",
    "last_words",
    "shared_ends",
    "utf16_length",
    "word_differences",
    "word_spans",
    "word_tokens",
]

_Sequence = TypeVar("_Sequence", str, list[str])

_WORD = re.compile(r"\w+(?:['’\-]\w+)*")

_TOKEN = re.compile(r"\w+(?:['’\-]\w+)*|\s|[^\w\s]", re.DOTALL)


_CUT_END, _CUT_BEGIN = re.compile(r"\s+\S{0,20}$"), re.compile(r"^\S{0,20}\s+")
"""The rest of a cut word with the blanks beside it; a longer run without blanks is cut anywhere."""


def first_words(text: str, most: int) -> str:
    """Return the first whole words of a text, at most ``most`` characters; a long first word is cut.

    >>> first_words("a funny film", 9), first_words("funny", 3)
    ('a funny', 'fun')
    """
    return text if len(text) <= most else _CUT_END.sub("", text[: most + 1])[:most] or text[:most]


def last_words(text: str, most: int) -> str:
    """Return the last whole words of a text, at most ``most`` characters; a long last word is cut.

    >>> last_words("a funny film", 8), last_words("funny", 3)
    ('film', 'nny')
    """
    return text if len(text) <= most else _CUT_BEGIN.sub("", text[-most - 1 :])[-most:] or text[-most:]


def utf16_length(text: str) -> int:
    """Return the length of a text in UTF-16 code units, as a browser counts."""
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2


def word_tokens(text: str) -> list[str]:
    """Split a text into words, blanks and marks; joined, they give the text."""
    return _TOKEN.findall(text)


def word_differences(before: str, after: str) -> Iterator[tuple[int, str, str]]:
    """Find the runs of words, blanks and marks in which two texts differ.

    Yields:
        For each run, its start in ``before``, its text in ``before``, and its replacement in ``after``.
    """
    tokens = word_tokens(before)
    head, old, new = difference(tokens, word_tokens(after))
    place = sum(map(len, tokens[:head]))
    for tag, i, j, k, m in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        cut, put = "".join(old[i:j]), "".join(new[k:m])
        if tag != "equal":
            yield place, cut, put
        place += len(cut)


def word_spans(text: str) -> list[tuple[int, int]]:
    """Find the words of a text: runs of letters and digits, with apostrophes and hyphens inside them.

    Returns:
        Start and exclusive end of each word, in order.
    """
    return [match.span() for match in _WORD.finditer(text)]


def difference(before: _Sequence, after: _Sequence) -> tuple[int, _Sequence, _Sequence]:
    """Find the part in which two sequences differ, without their common beginning and end.

    Returns:
        Where the part begins, the part of ``before``, and the part of ``after`` that replaces it.

    >>> difference("a funny film", "a fine film")
    (3, 'unny', 'ine')
    """
    head, tail = shared_ends(before, after)
    return head, before[head : len(before) - tail], after[head : len(after) - tail]


def shared_ends(before: Sequence[Any], after: Sequence[Any]) -> tuple[int, int]:
    """Return the lengths of the common beginning and, after that, of the common end of two sequences.

    Returns:
        Both lengths; together at most the length of the shorter sequence.

    >>> shared_ends("abcd", "abxcd"), shared_ends("aa", "aaa")
    ((2, 2), (2, 0))
    """
    shorter = min(len(before), len(after))
    head = 0
    while head < shorter and before[head] == after[head]:
        head += 1
    tail = 0
    while tail < shorter - head and before[-1 - tail] == after[-1 - tail]:
        tail += 1
    return head, tail
