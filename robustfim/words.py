"""Words: where they stand in a text."""

from __future__ import annotations

import re

__all__ = ["word_spans"]

_WORD = re.compile(r"\w+(?:['’\-]\w+)*")


def word_spans(text: str) -> list[tuple[int, int]]:
    """Find the words of a text: runs of letters and digits, with apostrophes and hyphens inside them.

    Args:
        text: Any text.

    Returns:
        First character and one past the last of each word, in order.
    """
    return [match.span() for match in _WORD.finditer(text)]
