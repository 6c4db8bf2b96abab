"""Ratings: numbers that carry an opinion, which no perturbation may touch."""

from __future__ import annotations

import re
from collections.abc import Sequence

from robustfim_words.text.tokens import Token

__all__ = ["in_rating"]

_WINDOW = 60
_NUMBER = r"(?:\d+(?:[.,]\d+)?|zero|one|two|three|four|five|six|seven|eight|nine|ten|twenty|fifty|hundred)"
_PRAISE = (
    r"(?:(?:full|solid|big|whole|shiny|golden?|generous|strong|lousy|measly|easy|fat|weak|little|huge|very)[\s-]+)*"
)
_HALF = r"(?:\s*½|\s+1/2|[\s-]*and[\s-]a[\s-]half)?"
_SCALE = re.compile(
    rf"{_HALF}(?:\s*/\s*|\s+(?:out\s+of|outta|of)\s+)(?:a\s+|the\s+)?(?:possible\s+)?{_NUMBER}\b"
    rf"|{_HALF}[\s-]*{_PRAISE}(?:stars?|starred|thumbs?|points?|pts|marks?|rating|score)\b"
    rf"|{_HALF}\s*[*★☆⭐]",
    re.IGNORECASE,
)
_OF_SCALE = re.compile(
    rf"{_NUMBER}{_HALF}(?:\s*/\s*|\s+(?:out\s+of|outta|of)\s+(?:a\s+)?(?:possible\s+)?)\Z", re.IGNORECASE
)
_LABEL = re.compile(
    r"\b(?:rating|score|grade|stars|verdict|overall|marks?|rated|votes?|voted|imdb|metacritic|tomatometer)"
    r"\s*(?:of|is|:|=|[-–—])?\s*(?:an?\s+)?\Z|\bpoints?\b[^.!?;,]*\bto\s+(?:an?\s+)?\Z",
    re.IGNORECASE,
)
_GIVEN = re.compile(
    r"\b(?:giv(?:e[sn]?|ing)|gave|rat(?:es?|ing)|scor(?:es?|ed|ing)|award(?:s|ed|ing)?|deserv(?:es?|ed|ing)|earn(?:s|ed)?"
    r"|merit(?:s|ed)?|gets?|got)\b[^.!?;,]*\Z",
    re.IGNORECASE,
)
_A_NUMBER = re.compile(rf"\ban?\s+(?:\w+\s+)?{_PRAISE}\Z", re.IGNORECASE)
_NO_NOUN = re.compile(
    r"\s*(?:\Z|[.!?,;:)\"”'’…–—]|-(?!\w)|(?:from|for|not|because|simply|just|mainly|mostly|and|but|at|instead|only|as|since|if|though|although|is|in|on|overall)\b)",
    re.IGNORECASE,
)
_PERCENT = re.compile(r"\s*(?:%|percent\b|per\s+cent\b)", re.IGNORECASE)
_OPINION = re.compile(
    r"fresh|rotten|rating|score|recommend|approv|perfect|agree|satisf|happy|sure|better|worse|worth|good|bad|love|hate",
    re.IGNORECASE,
)


def in_rating(text: str, tokens: Sequence[Token], index: int) -> bool:
    """Tell whether a number is a rating or a part of one.

    Args:
        text: The text.
        tokens: Its tokens.
        index: The number, or the word that begins with it ("five-star").

    Returns:
        True for "8" and "10" in "8/10" and "8 out of 10", stars, thumbs and points, "give it a 7", "a solid 8",
        "rating: 4", a number that is a sentence, and percentages near a word of opinion.
    """
    token = tokens[index]
    before = text[max(0, token.start - _WINDOW) : token.start]
    after = text[token.end : token.end + _WINDOW]
    if token.kind == "word" and re.search(r"[-‐‑](?:stars?|starred|points?|thumbs?)\Z", token.text, re.IGNORECASE):
        return True
    if _SCALE.match(after) or _OF_SCALE.search(before) or _LABEL.search(before):
        return True
    if _PERCENT.match(after):
        return token.text in ("0", "100", "110", "1000") or _OPINION.search(before + after) is not None
    if _NO_NOUN.match(after) and (_GIVEN.search(before) or _A_NUMBER.search(before)):
        return True
    alone = token.starts and (index + 1 == len(tokens) or tokens[index + 1].text in tuple(".!?…"))
    return alone and (index + 1 == len(tokens) or index + 2 == len(tokens) or tokens[index + 2].starts)
