"""Tokens and n-grams: the pieces of a text that can be a cue."""

from __future__ import annotations

import re
from collections.abc import Iterator

__all__ = ["ngrams", "placed_words", "words"]

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")


def words(text: str) -> list[str]:
    """Cut a text into lower-case words; an apostrophe inside a word belongs to it, other marks are left out.

    Returns:
        The words in their order; a curly apostrophe becomes a straight one.
    """
    return [word for word, _, _ in placed_words(text)]


def placed_words(text: str) -> Iterator[tuple[str, int, int]]:
    """Cut a text as :func:`words` does, and return each word with its start (first character) and end (exclusive)."""
    for match in _WORD.finditer(text):
        yield match.group().replace("’", "'").lower(), *match.span()


def ngrams(text: str, longest: int = 1) -> list[str]:
    """List the n-grams of a text, with repetitions.

    Args:
        text: Any text.
        longest: The largest n, ≥ 1; all n-grams of 1 to ``longest`` words are listed.

    Returns:
        N-grams, the words of each joined by a blank.
    """
    found = words(text)
    return [
        " ".join(found[start : start + size])
        for size in range(1, longest + 1)
        for start in range(len(found) - size + 1)
    ]
