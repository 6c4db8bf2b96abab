"""Clauses: which words stand in a subordinate one."""

from __future__ import annotations

from collections.abc import Sequence

from robustfim_words.text.tokens import Token

__all__ = ["subordinate"]

_OPENING = frozenset(
    """
    whether if unless because although though while whereas when whenever since until till before after as than once
    where wherever lest so which who whom whose what whatever whoever how why
    """.split()  # noqa: SIM905  # words read better as a text
)


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
            place == 0 or tokens[place - 1].pos in ("NOUN", "PROPN", "PRON") or token.tag == "WDT"
        ):
            return place + 1 < index or token.tag == "WDT"
        if token.starts:
            break
    return False


def _opened_before(tokens: Sequence[Token], comma: int) -> bool:
    """Tell whether a relative clause was opened before a comma and goes on behind it."""
    return comma + 1 < len(tokens) and tokens[comma + 1].text.lower() in _OPENING
