"""Tokens: the words, numbers and marks of a text, each with its place."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import Literal, NamedTuple

__all__ = ["Token", "base_of", "tokenise"]

_ABBREVIATIONS = frozenset("mr mrs ms dr st jr sr prof vs vol capt lt col gen sgt rev".split())  # noqa: SIM905  # words read better as a text
_OPENING = "\"'“‘«([{*_"
_CLOSING = "\"'”’»)]}*_"
_STOPS = ".!?…。！？"
_JOINERS = "\u200c\u200d"
_POSSESSIVE = re.compile(r"['’][sS]\Z")


class Token(NamedTuple):
    """A word, a number or a punctuation mark.

    Attributes:
        text: The token as written.
        start: First character, from 0.
        end: One past the last character.
        kind: ``"word"`` (inner apostrophes and hyphens belong to it), ``"number"`` or ``"mark"``.
        starts: Whether it is the first word or number of a sentence.
        tag: Fine part of speech (Penn Treebank), ``""`` where unknown.
        pos: Coarse part of speech (UPOS), ``""`` where unknown.
    """

    text: str
    start: int
    end: int
    kind: Literal["word", "number", "mark"]
    starts: bool = False
    tag: str = ""
    pos: str = ""


@lru_cache(maxsize=64)
def _pattern(marks: str) -> re.Pattern[str]:
    """Compile the token pattern; ``marks`` are the combining marks of the text, which stay with their base."""
    mark = f"[{re.escape(marks)}]" if marks else "(?!)"
    letter = rf"[^\W_]{mark}*"
    run = rf"{letter}(?:[{_JOINERS}]?{letter})*"
    return re.compile(
        rf"(?P<initials>(?:[^\W\d_]\.){{2,}})"
        rf"|(?P<number>\d+(?:[.,]\d+)*(?!{letter}))"
        rf"|(?P<word>{run}(?:['’\-‐‑]{run})*)"
        rf"|(?P<mark>\S{mark}*)"
    )


@lru_cache(maxsize=1024)
def tokenise(text: str) -> tuple[Token, ...]:
    """Split a text of any script into tokens.

    A word keeps its inner apostrophes and hyphens (``don't``, ``well-made``) and its combining marks; a number
    keeps its separators (``1,000.5``); initials keep their stops (``U.S.``). Everything else but white space
    is a mark of one character. Scripts without spaces give one token a run of letters.

    Args:
        text: Any text.

    Returns:
        The tokens in order. They do not overlap, and nothing but white space lies between them.

    >>> [token.text for token in tokenise("It's a well-made 2-hour film.")]
    ["It's", 'a', 'well-made', '2', '-', 'hour', 'film', '.']
    """
    marks = "" if text.isascii() else "".join(sorted({c for c in text if unicodedata.category(c)[0] == "M"}))
    tokens: list[Token] = []
    fresh = True
    for match in _pattern(marks).finditer(text):
        group = match.lastgroup
        kind: Literal["word", "number", "mark"] = (
            "number" if group == "number" else "mark" if group == "mark" else "word"
        )
        if tokens and "\n" in text[tokens[-1].end : match.start()]:
            fresh = True
        tokens.append(Token(match.group(), match.start(), match.end(), kind, fresh and kind != "mark"))
        if kind != "mark":
            fresh = False
        elif match.group() in _STOPS:
            fresh = not _abbreviated(tokens)
        elif match.group() not in _OPENING and match.group() not in _CLOSING:
            fresh = fresh and len(tokens) == 1
    return tuple(tokens)


def _abbreviated(tokens: list[Token]) -> bool:
    """Tell whether the stop that ends ``tokens`` belongs to an abbreviation or an initial."""
    if len(tokens) < 2 or tokens[-1].text != "." or tokens[-2].end != tokens[-1].start:
        return False
    word = tokens[-2].text
    return word.lower() in _ABBREVIATIONS or (len(word) == 1 and word.isupper() and word != "I")


def base_of(token: Token) -> tuple[str, int]:
    """Cut a possessive ``'s`` off.

    Args:
        token: A token.

    Returns:
        The text before the ``'s`` and the place one past it; the whole token where there is none.
    """
    match = _POSSESSIVE.search(token.text)
    return (token.text, token.end) if match is None else (token.text[: match.start()], token.start + match.start())
