"""Ratings: numbers that carry an opinion, which perturbations leave alone."""

from __future__ import annotations

import re
from functools import lru_cache

from robustfim_words.text.lexicon import closed_class
from robustfim_words.text.numerals import value
from robustfim_words.text.stop_words import stop_words
from robustfim_words.text.tokens import Tokens, token_at
from robustfim_words.text.tone import sided

__all__ = ["in_rating"]

_WINDOW = 60
_HALF = r"(?:\s*½|\s+1/2|[\s-]*and[\s-]a[\s-]half)?"
_OF = r"(?:\s*/\s*|\s+(?:out\s+of|outta|of)\s+)(?:an?\s+|the\s+)?(?:possible\s+)?"
_SCALE = re.compile(rf"{_HALF}{_OF}(?P<top>[\d.,]*\d|[a-z]+)\b|{_HALF}\s*[*★☆⭐]", re.IGNORECASE)
_OF_SCALE = re.compile(rf"(?P<mark>[\d.,]*\d|[a-z]+){_HALF}{_OF}\Z", re.IGNORECASE)
_AN_ADJECTIVE = r"(?:\w+[\s-]+)?"
_A_NUMBER = re.compile(r"\ban?\s+(?:\w+[\s-]+){0,2}\Z", re.IGNORECASE)
_PERCENT = re.compile(r"\s*(?:%|per\s?cent\b)", re.IGNORECASE)
_WHOLE = ("0", "100", "110", "1000")


@lru_cache(maxsize=1)
def _patterns() -> tuple[re.Pattern[str], ...]:
    """Compile what tells a rating by its words: counted behind it, named right before it, given before it."""
    classes = closed_class("counts a rating"), closed_class("names a rating"), closed_class("gives a rating")
    counted, named, given = ("|".join(sorted(words)) for words in classes)
    forms = (
        rf"{_HALF}[\s-]*{_AN_ADJECTIVE}(?:{counted})\b",
        rf"\b(?:{named})\s*(?:of|is|:|=|[-–—])?\s*(?:an?\s+)?\Z|\bpoints?\b[^.!?;,]*\bto\s+(?:an?\s+)?\Z",
        rf"\b(?:{given})\b[^.!?;,]*\Z",
    )
    return tuple(re.compile(form, re.IGNORECASE) for form in forms)


def in_rating(text: str, tokens: Tokens, index: int) -> bool:
    """Check whether a number is a rating or a part of a rating.

    Args:
        text: The text.
        tokens: The text's tokens.
        index: The index of the number, or of a word that begins with a number ("five-star").

    Returns:
        True for "8" and "10" in "8/10" and "8 out of 10", stars, thumbs and points, "give it a 7", "a solid 8",
        "rating: 4", a number that is a whole sentence, and percentages near a word of praise or blame.
    """
    token = tokens[index]
    before = text[max(0, token.start - _WINDOW) : token.start]
    after = text[token.end : token.end + _WINDOW]
    counted, named, given = _patterns()
    behind_hyphen = re.split("[-‐‑]", token.small)[-1]
    if behind_hyphen != token.small and behind_hyphen in closed_class("counts a rating"):
        return True
    scale, mark = _SCALE.match(after), _OF_SCALE.search(before)
    if scale and (scale["top"] is None or _numeric(scale["top"])):
        return True
    if (mark and _numeric(mark["mark"])) or counted.match(after) or named.search(before):
        return True
    if _PERCENT.match(after):
        near = (each.small for each in tokens if abs(each.start - token.start) <= _WINDOW)
        return token.text in _WHOLE or any(sided(word) is not None for word in near)
    if _no_noun(tokens, index) and (given.search(before) or _A_NUMBER.search(before)):
        return True
    alone = token.starts and token_at(tokens, index + 1).text in ("", *".!?…")
    return alone and (index + 2 >= len(tokens) or tokens[index + 2].starts)


def _numeric(word: str) -> bool:
    return word[-1].isdigit() or value(word) is not None


def _no_noun(tokens: Tokens, index: int) -> bool:
    """Tell whether a number counts nothing: the text ends behind it, or a mark or a small word follows."""
    after = token_at(tokens, index + 1)
    if after.text in ("-", "‐", "‑"):
        return token_at(tokens, index + 2).start > after.end
    return after.kind == "mark" or after.tag[:2] == "RB" or after.small in stop_words()
