"""The indefinite article before a changed word: "an awful film", "a dreadful film"."""

from __future__ import annotations

import re

__all__ = ["agreeing"]

_ARTICLE = re.compile(r"\b([Aa][Nn]?)(\s+)\Z")
_VOWEL = re.compile(r"[aeio]|u(?!ni(?!n|m)|s[aeu]|ti|biq|rin)|hon(?:est|ou?r)|hour|heir|8|1[18]\b", re.IGNORECASE)
_CONSONANT = re.compile(r"one\b|once\b|eu|ew", re.IGNORECASE)


def agreeing(text: str, start: int, end: int, after: str) -> tuple[int, str]:
    """Adjust the indefinite article before a change, so that it agrees with the new text.

    Args:
        text: The text.
        start: The start of the change.
        end: The end of the change (exclusive).
        after: The new text.

    Returns:
        The start and the new text of the adjusted change; unchanged if no article must change.

    >>> agreeing("an awful film", 3, 8, "dreadful")
    (0, 'a dreadful')
    """
    found = _ARTICLE.search(text[:start])
    old, new = (text[start:]).lstrip(), (after + text[end:]).lstrip()
    if found is None or not old[:1].isalnum() or not new[:1].isalnum() or _vowel(old) == _vowel(new):
        return start, after
    letter = found[1][0]
    n = ("N" if found[1].isupper() and len(found[1]) > 1 else "n") if _vowel(new) else ""
    return found.start(), f"{letter}{n}{found[2]}{after}"


def _vowel(word: str) -> bool:
    """Whether a word begins with the sound of a vowel, by its letters."""
    return _VOWEL.match(word) is not None and _CONSONANT.match(word) is None
