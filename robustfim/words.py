"""Words: where they stand in a text, and what two runs of them share at their ends."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

__all__ = ["shared_ends", "word_spans"]

_WORD = re.compile(r"\w+(?:['’\-]\w+)*")


def word_spans(text: str) -> list[tuple[int, int]]:
    """Find the words of a text: runs of letters and digits, with apostrophes and hyphens inside them.

    Args:
        text: Any text.

    Returns:
        First character and one past the last of each word, in order.
    """
    return [match.span() for match in _WORD.finditer(text)]


def shared_ends(before: Sequence[Any], after: Sequence[Any]) -> tuple[int, int]:
    """Count what two sequences share at their beginning and, beyond that, at their end.

    Args:
        before: Characters, words or tokens.
        after: Likewise.

    Returns:
        The lengths of the shared beginning and of the shared end; together no more than the shorter sequence has.

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
