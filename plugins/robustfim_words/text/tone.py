"""The tone of a text: whether its words speak for praise or for blame."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path

from robustfim_words.text.denials import denies
from robustfim_words.text.inflection import is_word
from robustfim_words.text.lexicon import read_table
from robustfim_words.text.tokens import Token

__all__ = ["MODEL", "denied", "leaning", "sided", "sides"]

MODEL = Path(__file__).parents[1] / "tones"
"""The folder of the shipped weights and their card."""

_DENIED = 6
"""Letters of the longest word that only looks as if "un" denied the rest of it ("unless")."""
_CLEAR = 0.9
"""The weight from which on a word that is not listed praises or blames."""
_REACH = 3
"""Words behind a denial that it turns round."""


def leaning(tokens: Sequence[Token]) -> float:
    """Add up how much the words of a text, or of a part of one, speak for praise.

    Args:
        tokens: Its tokens; a word counts once, one behind a denial the other way.

    Returns:
        Above 0 for praise, below for blame, in natural logarithms of odds; 0 where no word is known.
    """
    weights, found = _weights(), dict[str, float]()
    words = [token.text.lower().replace("’", "'") for token in tokens]
    for place, word in enumerate(words):
        if word in weights:
            before = words[max(0, place - _REACH) : place]
            denied = any(map(denies, before))
            found[word] = -weights[word] if denied else weights[word]
    return math.fsum(found.values())


@lru_cache(maxsize=20_000)
def sided(word: str) -> bool | None:
    """Tell whether a word praises or blames, whatever is spoken of.

    Args:
        word: A word in small letters. Of one with hyphens that is not listed each part is asked; "un" blames.

    Returns:
        True for praise, False for blame, None for neither.
    """
    listed = _sides()
    if word.startswith(("well-", "ill-")):
        return word[0] == "w"
    if len(word) > _DENIED and word.startswith("un") and word not in listed and is_word(word[2:]):
        return False
    parts = [word] if word in listed else word.split("-")
    side = next((listed[part] for part in parts if part in listed), None)
    weight = _weights().get(word, 0.0)
    return weight > 0 if side is None and abs(weight) >= _CLEAR else side


def denied(tokens: Sequence[Token]) -> frozenset[int]:
    """Find the words that a denial turns round: those behind it, up to the next mark or "but"."""
    found, turned = set[int](), False
    for place, token in enumerate(tokens):
        if token.kind == "mark" or token.starts or token.text.lower() == "but":
            turned = False
        if turned:
            found.add(place)
        turned = turned or denies(token.text)
    return frozenset(found)


def sides(tokens: Sequence[Token]) -> dict[int, bool]:
    """Tell of each word that praises or blames which of the two it does where it stands.

    Returns:
        By the word's place, True for praise and False for blame; the other way round for what is denied.
    """
    turned = denied(tokens)
    said = ((place, sided(token.text.lower())) for place, token in enumerate(tokens) if token.kind == "word")
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
