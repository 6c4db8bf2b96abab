"""The guard: what stands in a text and is no language, so that no perturbation may change it."""

from __future__ import annotations

import re
from collections.abc import Collection
from functools import lru_cache

__all__ = ["GUARDED", "guarded_spans", "may_guard", "touches"]

_TOP = r"\.(?:com|org|net|edu|gov|info|biz|co\.uk|ac\.uk)\b"
_BY_SIGN = {
    "://": r"(?:https?|ftp)://[^\s<>\"]*[^\s<>\".,;:!?)\]'’”]",
    r"www\.": r"\bwww\.[^\s<>\"]*[^\s<>\".,;:!?)\]'’”]",
    "@": r"\b[\w.+-]+@[\w-]+(?:\.[\w-]+)+|(?<![\w@])@\w+",
    _TOP: rf"\b[\w-]+(?:\.[\w-]+)*{_TOP}(?:/[^\s<>\"]*[^\s<>\".,;:!?)\]'’”])?",
    "&": r"&lt;/?[A-Za-z](?:(?!&lt;)[^\n]){0,300}?&gt;|&[A-Za-z]{2,8};",
    "<": r"</?[A-Za-z!][^<>\n]{0,300}>",
    r"\#": r"(?<![\w&\#])\#(?=\w*[^\W\d_])\w+|\b\w+n\ ?&?\#39;t\b|(?:&\#|\#|&\#x)[0-9]{2,5};(?:(?:s|re|ve|ll|d|m)\b)?",
    ";": r"\b(?:quot|amp|lt|gt|nbsp|apos);",
    "[\u0080-\u009f\ufffdÃÂ]|â€": r"\S*(?:[\u0080-\u009f\ufffd]|Ã[\u0080-\u00bf]|â€|Â[\u00a0-\u00bf])\S*",
}
GUARDED = "|".join(_BY_SIGN.values())
"""A pattern for ``re``: web and mail addresses, handles, hashtags, HTML tags and entities (also where their ``&`` was
lost, with the ending that stands on one: ``#39;s``), and words with characters that a wrong decoding left."""

_PATTERN = re.compile(GUARDED)
_SIGNS = re.compile("|".join(_BY_SIGN))
"""What each alternative of the pattern has in it, found in a tenth of its time."""


def may_guard(text: str) -> bool:
    """Tell whether :data:`GUARDED` can match anywhere in a text; most texts have nothing of it."""
    return _SIGNS.search(text) is not None


@lru_cache(maxsize=4096)
def guarded_spans(text: str) -> tuple[tuple[int, int], ...]:
    """Find what no perturbation may change.

    Returns:
        First character and one past the last of each, in the order of the text; they do not overlap.

    >>> guarded_spans("Ask @robin &amp; me.<br />")
    ((4, 10), (11, 16), (20, 26))
    """
    return tuple(match.span() for match in _PATTERN.finditer(text)) if may_guard(text) else ()


def touches(spans: Collection[tuple[int, int]], start: int, end: int) -> bool:
    """Tell whether a change reaches into one of some spans.

    Args:
        spans: First character and one past the last of each.
        start: First character that is changed.
        end: One past the last; ``start == end`` is an insertion, which touches what it splits.
    """
    return any(first < end and start < last if start < end else first < start < last for first, last in spans)
