"""Commonness: how frequent words are, so that common words are drawn more often than rare words."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache
from random import Random

from robustfim_words.text.lexicon import LEXICONS, read_table

__all__ = ["as_common", "common", "drawn"]

_UNKNOWN = 3.0
"""The commonness of a word that is not listed, such as a word of your own table."""
_LEAST, _ALIKE = 3, 8
"""The smallest and largest number of names that count as common as another; a third of all in between."""
_TEMPER = 0.5
"""A word is drawn in proportion to its frequency to this power. With 1, nearly all draws would be a few words."""


def common(word: str) -> float:
    """Return how common a word or name of a lexicon is: log10 of its frequency in a billion words."""
    return _table().get(word, _UNKNOWN)


def drawn(words: Sequence[str], count: int, random: Random) -> list[str]:
    """Draw ``count`` words without replacement, with probabilities in proportion to the square root of frequency.

    If there are fewer words than ``count``, all are returned. The words with the smallest numbers ``-ln u / w`` are
    drawn, where ``u`` is uniform in (0, 1) and ``w`` is the square root of the word's frequency (Efraimidis and
    Spirakis 2006).
    """
    waiting = [(-math.log(1 - random.random()) / 10 ** (_TEMPER * common(word)), word) for word in words]
    return [word for _, word in sorted(waiting)[:count]]


def as_common(names: Collection[str], name: str, random: Random, nearer: Collection[str] = ()) -> str:
    """Draw one of the names, eight at most, that are nearest to another name in commonness: *Germany* for *France*.

    Args:
        names: The names to draw from, at least one.
        name: The name that is replaced.
        random: The random source.
        nearer: Names that are preferred, as if they were nearer by 0.7.
    """

    def far(other: str) -> float:
        return abs(common(other) - common(name)) - 0.7 * (other in nearer)

    count = max(_LEAST, min(_ALIKE, len(names) // 3))
    return random.choice(sorted(names, key=far)[:count])


@lru_cache(maxsize=1)
def _table() -> Mapping[str, float]:
    return {word: float(zipf) for word, zipf in read_table(LEXICONS / "commonness.tsv", ("word", "commonness"))}
