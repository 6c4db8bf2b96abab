"""The tone of a text: whether its words speak for praise or for blame."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path

from robustfim_words.text.lexicon import read_table
from robustfim_words.text.tokens import Token

__all__ = ["MODEL", "leaning"]

MODEL = Path(__file__).parents[1] / "tones"
"""The folder of the shipped weights and their card."""

_TURNS = frozenset(["not", "no", "never", "nothing", "without", "hardly", "lacks", "lack", "lacking", "isn't", "n't"])
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
            denied = any(other in _TURNS or other.endswith("n't") for other in before)
            found[word] = -weights[word] if denied else weights[word]
    return math.fsum(found.values())


@lru_cache(maxsize=1)
def _weights() -> Mapping[str, float]:
    return {word: float(weight) for word, weight in read_table(MODEL / "weights.tsv", ("word", "weight"))}
