"""Commonness: how often words are met, so that what is common is drawn more often than what is rare."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import lru_cache
from random import Random

from robustfim_words.text.lexicon import LEXICONS, read_table

__all__ = ["common", "drawn"]

_UNKNOWN = 3.0
"""The commonness of a word that is not listed: a user's own table has such."""
_TEMPER = 0.5
"""The power of its frequency by which a word is drawn: with 1, a few words would be nearly all that is."""


def common(word: str) -> float:
    """Return how common a word or name of a lexicon is: log10 of how often it stands in a billion words."""
    return _table().get(word, _UNKNOWN)


def drawn(words: Sequence[str], count: int, random: Random) -> list[str]:
    """Draw words without replacement, each time one with a chance by the root of its frequency; all if there are fewer.

    The words with the smallest waiting times ``-ln u / w`` are drawn, ``w = 10^(c/2)`` for commonness ``c`` (Efraimidis
    and Spirakis 2006).
    """
    waiting = [(-math.log(1 - random.random()) / 10 ** (_TEMPER * common(word)), word) for word in words]
    return [word for _, word in sorted(waiting)[:count]]


@lru_cache(maxsize=1)
def _table() -> Mapping[str, float]:
    return {word: float(zipf) for word, zipf in read_table(LEXICONS / "commonness.tsv", ("word", "commonness"))}
