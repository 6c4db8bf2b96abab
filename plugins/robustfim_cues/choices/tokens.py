"""Split texts into words and n-grams, the candidates for cues."""

from __future__ import annotations

import re
from collections.abc import Iterator

__all__ = ["ngrams", "placed_words", "words"]

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")


def words(text: str) -> list[str]:
    """Split a text into lower-case words, without punctuation. An apostrophe inside a word belongs to the word.

    Returns:
        The words in order, with straight apostrophes in place of curly ones.
    """
    return [word for word, _, _ in placed_words(text)]


def placed_words(text: str) -> Iterator[tuple[str, int, int]]:
    """Split a text as :func:`words` does, and yield each word with its start and its end (exclusive) in the text."""
    for match in _WORD.finditer(text):
        yield match.group().replace("’", "'").lower(), *match.span()


def ngrams(text: str, longest: int = 1) -> list[str]:
    """List the n-grams of a text, with repetitions.

    Args:
        text: Any text.
        longest: The largest n, ≥ 1; n-grams of 1 to ``longest`` words are listed.

    Returns:
        The n-grams; each is its words joined by single spaces.
    """
    found = words(text)
    return [
        " ".join(found[start : start + size])
        for size in range(1, longest + 1)
        for start in range(len(found) - size + 1)
    ]
