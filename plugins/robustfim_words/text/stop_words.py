"""Stop words: function words."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from robustfim_words.text.lexicon import read_table

__all__ = ["stop_words"]

_SHIPPED = Path(__file__).parents[1] / "stop_words.txt"
"""Articles, pronouns, auxiliaries, conjunctions, prepositions, negations, particles."""


@lru_cache(maxsize=8)
def stop_words(path: Path = _SHIPPED) -> frozenset[str]:
    """Read a file of stop words, one a line, in small letters; by default the shipped list.

    Raises:
        UsageError: As :func:`~robustfim_words.text.lexicon.read_table` does.
    """
    return frozenset(word.lower() for (word,) in read_table(path, ("stop word",)))
