"""Clauses: which words stand in a subordinate one, and which clauses are joined."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from robustfim_words.text.tokens import Token

__all__ = ["FINITE", "finite", "joined", "only_sentence", "subordinate"]

_OPENING = frozenset(
    """
    whether if unless because although though while whereas when whenever since until till before after as than once
    where wherever lest so which who whom whose what whatever whoever how why
    """.split()  # noqa: SIM905  # words read better as a text
)
FINITE = ("VBZ", "VBD", "VBP", "MD")
"""Tags of finite verbs."""
_CONTRACTED = re.compile(r"n't\Z|\A(?:i|you|he|she|it|we|they|that|there)'(?:s|re|m)\Z")
_EXCLAIMED = 3
"""Words and marks of a sentence up to which it only exclaims."""
_REASONS = frozenset("because since so although though while whereas unless until if when".split())  # noqa: SIM905  # words read better as a text
"""Words that join a reason or a condition, of which a denial may or may not hold."""


def subordinate(tokens: Sequence[Token], index: int) -> bool:
    """Tell whether a word stands in a subordinate clause: what happens to it leaves the main statement as it is.

    Args:
        tokens: The tagged tokens of a text.
        index: The word's.
    """
    if tokens[index].starts:
        return False
    for place in range(index - 1, -1, -1):
        token = tokens[place]
        if token.text in (",", ";", ":", "(", "-", "–", "—") or token.text.lower() in ("and", "but", "or"):
            return token.text == "," and _opened_before(tokens, place)
        if token.text.lower() in _OPENING and token.tag != "IN/JJ":
            return True
        if token.text.lower() == "that" and (
            place == 0 or tokens[place - 1].pos in ("NOUN", "PROPN", "PRON") or token.tag in ("WDT", "IN")
        ):
            return place + 1 < index or token.tag in ("WDT", "IN")
        if token.starts:
            break
    return False


def _opened_before(tokens: Sequence[Token], comma: int) -> bool:
    """Tell whether a relative clause was opened before a comma and goes on behind it."""
    return comma + 1 < len(tokens) and tokens[comma + 1].text.lower() in _OPENING


def only_sentence(tokens: Sequence[Token]) -> tuple[int, ...]:
    """Return the place where the one sentence of a text begins, exclamations aside; nothing where it has more.

    Args:
        tokens: The tokens of a text.
    """
    starts = [place for place, token in enumerate(tokens) if token.starts]
    lengths = [end - start for start, end in pairwise([*starts, len(tokens)])]
    said = [start for start, length in zip(starts, lengths, strict=True) if length > _EXCLAIMED]
    return tuple(said or starts) if len(said or starts) == 1 else ()


def joined(sentence: Sequence[Token], at: int) -> bool:
    """Tell whether another clause is joined to the one of a token, which would stand as it is, or is its reason.

    Args:
        sentence: The tagged tokens of a sentence.
        at: The token's place among them.
    """
    verbs = {place for place, each in enumerate(sentence) if place != at and finite(each)}
    for place, each in enumerate(sentence):
        small = each.text.lower()
        if small in _REASONS and place > at and (small != "so" or _reasons(sentence, place)):
            return True
        if small == "but" and place < at:
            return True
        if each.tag == "CC" or each.text in (";", ":", "-", "–", "—", "…", ".", "("):
            if any((verb < place) != (at < place) for verb in verbs):
                return True
        elif each.text == "," and any(verb > place if place > at else verb < place for verb in verbs):
            return True
    return any(
        one.pos in ("NOUN", "PROPN") and (other.tag in ("DT", "PRP") or _CONTRACTED.match(other.text.lower()))
        for one, other in pairwise(sentence[: at + 1])
    )


def _reasons(sentence: Sequence[Token], place: int) -> bool:
    """Tell whether "so" gives what follows: "so we left", not "so good"."""
    after = sentence[place + 1] if place + 1 < len(sentence) else None
    return sentence[place - 1].text == "," or (after is not None and after.tag in ("PRP", "DT"))


def finite(token: Token) -> bool:
    """Tell whether a token is a finite verb or has one in it: "isn't", "they're".

    Args:
        token: A tagged token.
    """
    small = token.text.lower().replace("’", "'")
    return token.tag in FINITE or _CONTRACTED.search(small) is not None
