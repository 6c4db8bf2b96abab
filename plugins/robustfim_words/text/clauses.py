"""Clauses: which words stand in a subordinate one, and where a text's one sentence begins."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from robustfim_words.text.tokens import Token

__all__ = ["FINITE", "only_sentence", "subordinate"]

_OPENING = frozenset(
    """
    whether if unless because although though while whereas when whenever since until till before after as than once
    where wherever lest so which who whom whose what whatever whoever how why
    """.split()  # noqa: SIM905  # words read better as a text
)
FINITE = ("VBZ", "VBD", "VBP", "MD")
"""Tags of finite verbs."""
_EXCLAIMED = 3
"""Words and marks of a sentence up to which it only exclaims."""


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
