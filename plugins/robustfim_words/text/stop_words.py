"""Stop words: the small words that carry grammar."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from robustfim_words.text.lexicon import read_table

__all__ = ["STOP_WORDS", "read_stop_words"]

STOP_WORDS = Path(__file__).parents[1] / "stop_words.txt"
"""The shipped list: articles, pronouns, auxiliaries, conjunctions, prepositions, negations, particles."""


@lru_cache(maxsize=8)
def read_stop_words(path: Path) -> frozenset[str]:
    """Read a list of words, one a line, in small letters.

    Raises:
        UsageError: As :func:`~robustfim_words.text.lexicon.read_table` does.
    """
    return frozenset(word.lower() for (word,) in read_table(path, ("stop word",)))
