"""The tone of a text: whether its words express praise or blame."""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

from robustfim_words.text.denials import denies
from robustfim_words.text.inflection import is_word
from robustfim_words.text.lexicon import read_table
from robustfim_words.text.tokens import Tokens

__all__ = ["MODEL", "denied", "leaning", "sided", "sides"]

MODEL = Path(__file__).parents[1] / "tones"
"""The folder of the shipped weights and their card."""

_DENIED = 6
"""The largest number of letters of a word in which "un" is not taken for a negation ("unless")."""
_REACH = 3
"""The number of words after a negation to which it applies."""


def leaning(tokens: Tokens) -> float:
    """Compute from the words of a text, or of a part of a text, how likely it praises rather than blames.

    Args:
        tokens: The tokens. A repeated word counts once. A word after a negation counts with the opposite sign.

    Returns:
        The natural logarithm of the odds of praise: above 0 for praise, below 0 for blame, 0 if no word is known.
    """
    weights, found = _weights(), dict[str, float]()
    words = [token.small for token in tokens]
    for place, word in enumerate(words):
        if word in weights:
            before = words[max(0, place - _REACH) : place]
            denied = any(map(denies, before))
            found[word] = -weights[word] if denied else weights[word]
    return math.fsum(found.values())


@lru_cache(maxsize=20_000)
def sided(word: str) -> bool | None:
    """Check whether a word praises or blames in texts on any topic.

    Args:
        word: A word in small letters. If a word with hyphens is not listed, its parts are looked up. A word with "un"
            blames.

    Returns:
        True for praise, False for blame, None for neither.
    """
    listed = _sides()
    if word.startswith(("well-", "ill-")):
        return word[0] == "w"
    if len(word) > _DENIED and word.startswith("un") and word not in listed and is_word(word[2:]):
        return False
    parts = [word] if word in listed else word.split("-")
    return next((listed[part] for part in parts if part in listed), None)


def denied(tokens: Tokens) -> frozenset[int]:
    """Return the indices of negated words: words after a negation, up to "but" or a mark that is not inside a list."""
    found, turned = set[int](), False
    for place, token in enumerate(tokens):
        beside = [sided(each.small) for each in tokens[max(0, place - 1) : place + 2 : 2]]
        lists = token.text == "," and None not in beside and len({*beside}) == 1
        if (token.kind == "mark" and not lists) or token.starts or token.small == "but":
            turned = False
        if turned:
            found.add(place)
        turned = turned or denies(token.text)
    return frozenset(found)


def sides(tokens: Tokens) -> dict[int, bool]:
    """Find the words that praise or blame at their place in a text.

    Returns:
        A mapping from the word's index to True for praise and False for blame. A negated word counts as its opposite.
    """
    turned = denied(tokens)
    said = ((place, sided(token.small)) for place, token in enumerate(tokens) if token.kind == "word")
    return {
        place: side != (place in turned) for place, side in said if side is not None and not denies(tokens[place].text)
    }


@lru_cache(maxsize=1)
def _sides() -> Mapping[str, bool]:
    columns = ("word", "side: better|worse")
    return {word: side == "better" for word, side in read_table(MODEL / "sides.tsv", columns)}


@lru_cache(maxsize=1)
def _weights() -> Mapping[str, float]:
    return {word: float(weight) for word, weight in read_table(MODEL / "weights.tsv", ("word", "weight"))}
