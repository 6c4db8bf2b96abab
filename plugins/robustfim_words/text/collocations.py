"""Collocations: words that are said with their neighbour, so that another word reads wrong there."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

from robustfim_words.text.lexicon import read_table
from robustfim_words.text.tokens import Token, base_of

__all__ = ["PAIRS", "in_collocation"]

PAIRS = Path(__file__).parents[1] / "collocations" / "pairs.tsv"
"""The shipped pairs, counted in reviews, news and web text."""


@lru_cache(maxsize=1)
def _pairs() -> frozenset[tuple[str, str]]:
    return frozenset((one, other) for one, other in read_table(PAIRS, ("word", "next word")))


def in_collocation(tokens: Sequence[Token], index: int) -> bool:
    """Tell whether a word forms a collocation with the word before it or behind it ("special effects", "in person").

    Args:
        tokens: A text's tokens.
        index: The word.
    """
    words = [
        base_of(tokens[place])[0].lower() if 0 <= place < len(tokens) and tokens[place].kind == "word" else ""
        for place in (index - 1, index, index + 1)
    ]
    return (words[0], words[1]) in _pairs() or (words[1], words[2]) in _pairs()
