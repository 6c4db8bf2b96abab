"""Tokens and n-grams: the pieces of a text that can be a cue."""

from __future__ import annotations

import re

__all__ = ["ngrams", "words"]

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")


def words(text: str) -> list[str]:
    """Cut a text into lower-case words; an apostrophe inside a word belongs to it, other marks are left out.

    Args:
        text: Any text.

    Returns:
        The words in their order; a curly apostrophe becomes a straight one.
    """
    return [match.group().replace("’", "'").lower() for match in _WORD.finditer(text)]


def ngrams(text: str, longest: int = 1) -> list[str]:
    """List the n-grams of a text, each as often as it stands there.

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
