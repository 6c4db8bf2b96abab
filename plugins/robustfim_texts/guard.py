"""The guard: parts of a text that are not language, so that no perturbation may change them."""

from __future__ import annotations

import re
from collections.abc import Collection
from functools import lru_cache

__all__ = ["GUARDED", "checksummed", "guarded_spans", "may_guard", "touches"]

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
"""A pattern for ``re``: web and mail addresses, handles, hashtags, HTML tags and entities (also without their ``&``,
and with an ending after them: ``#39;s``), and words with characters from a wrong decoding."""

_PATTERN = re.compile(GUARDED)
_SIGNS = re.compile("|".join(_BY_SIGN))
"""A sign that each alternative of the pattern contains; a search for signs takes a tenth of the time."""


_CARD = re.compile(r"(?<![\w.,-])\d(?:[ -]?\d){11,18}(?![\w-]|[.,]\d)")
_ACCOUNT = re.compile(r"(?<![\w-])[A-Z]{2}\d{2}(?:[ -]?[A-Z\d]){11,30}(?![\w-])", re.IGNORECASE)
_BOOK = re.compile(r"(?<=ISBN[ :])\s?\d(?:[ -]?\d){8}[ -]?[\dX]\b")
_IDENTITY = re.compile(r"(?<![\w-])(?:\d{8}|[XYZ]-?\d{7})-?[A-Z](?![\w-])")
_LETTERS = "TRWAGMYFPDXBNJZSQVHLCKE"
_SHORTEST_ACCOUNT = 15
_LONG = re.compile(r"\d(?:[ -]?[A-Za-z\d]){7}")
"""A quick pattern that matches in every number that may have a check digit."""


def _luhn(number: str) -> bool:
    """Whether the digit sum is divisible by 10, every second digit from the right doubled (ISO/IEC 7812-1)."""
    digits = [int(digit) for digit in reversed(number)]
    return len(set(digits)) > 1 and sum(digits[::2] + [sum(divmod(2 * digit, 10)) for digit in digits[1::2]]) % 10 == 0


def _article(number: str) -> bool:
    """Whether 13 digits are those of an article or a book: weights 1 and 3 (EAN-13, ISBN-13)."""
    return len(number) == 13 and sum(int(d) * (3 if i % 2 else 1) for i, d in enumerate(number)) % 10 == 0


def _account(number: str) -> bool:
    """Whether the remainder of an IBAN by 97 is 1, its first four characters at the end (ISO 13616)."""
    return int("".join(str(int(c, 36)) for c in number[4:] + number[:4])) % 97 == 1


def _book(number: str) -> bool:
    """Whether the weighted sum of an ISBN-10 is divisible by 11."""
    return sum((10 - place) * (10 if c == "X" else int(c)) for place, c in enumerate(number)) % 11 == 0


def _identity(number: str) -> bool:
    """Whether the letter of a Spanish DNI or NIE is the one of its number's remainder by 23."""
    digits = str("XYZ".index(number[0])) + number[1:-1] if number[0] in "XYZ" else number[:-1]
    return _LETTERS[int(digits) % 23] == number[-1]


@lru_cache(maxsize=4096)
def checksummed(text: str) -> tuple[tuple[int, int], ...]:
    """Find numbers with valid check digits, which an edit of a digit or letter makes invalid.

    Card and device numbers (12 to 19 digits, Luhn), EAN-13 and ISBN, IBAN (modulo 97) and Spanish identity cards are
    recognised.

    Returns:
        Start and exclusive end of each number, in the order of the text, without overlaps.

    >>> checksummed("Card 4111 1111 1111 1111, order 4111 1111 1111 1112")
    ((5, 24),)
    """
    if _LONG.search(text) is None:
        return ()
    spans = [match.span() for match in _CARD.finditer(text) if _luhn(_bare(match[0])) or _article(_bare(match[0]))]
    spans += [match.span() for match in _BOOK.finditer(text) if _book(_bare(match[0]))]
    spans += [match.span() for match in _IDENTITY.finditer(text) if _identity(_bare(match[0]))]
    for match in _ACCOUNT.finditer(text):
        # Words behind an account look like a part of it.
        ends = [place for place in range(len(match[0]), 0, -1) if not match[0][place : place + 1].isalnum()]
        good = (e for e in ends if len(_bare(match[0][:e])) >= _SHORTEST_ACCOUNT and _account(_bare(match[0][:e])))
        if (end := next(good, None)) is not None:
            spans.append((match.start(), match.start() + end))
    apart: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if not apart or start >= apart[-1][1]:
            apart.append((start, end))
    return tuple(apart)


def _bare(number: str) -> str:
    """A number without blanks and hyphens."""
    return re.sub(r"[\s-]", "", number).upper()


def may_guard(text: str) -> bool:
    """Return quickly whether a text may have parts that no perturbation may change; False for most texts."""
    return _SIGNS.search(text) is not None


@lru_cache(maxsize=4096)
def guarded_spans(text: str) -> tuple[tuple[int, int], ...]:
    """Find the parts that no perturbation may change: matches of :data:`GUARDED`, and numbers with valid check digits.

    Returns:
        Start and exclusive end of each part, in the order of the text, without overlaps.

    >>> guarded_spans("Ask @robin &amp; me.<br />")
    ((4, 10), (11, 16), (20, 26))
    """
    spans = [match.span() for match in _PATTERN.finditer(text)] if may_guard(text) else []
    numbers = [(start, end) for start, end in checksummed(text) if all(end <= a or b <= start for a, b in spans)]
    return tuple(sorted(spans + numbers))


def touches(spans: Collection[tuple[int, int]], start: int, end: int) -> bool:
    """Return whether a change touches at least one of the spans.

    Args:
        spans: Start and exclusive end of each span.
        start: First character that is changed.
        end: One past the last character that is changed; ``start == end`` is an insertion, which touches a span only if
            the insertion lies inside the span.
    """
    return any(first < end and start < last if start < end else first < start < last for first, last in spans)
