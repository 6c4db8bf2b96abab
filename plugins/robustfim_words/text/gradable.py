"""Gradable adjectives: adjectives that an adverb can strengthen."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from robustfim_words.text.lexicon import LEXICONS, read_pairs

__all__ = ["DEGREES", "gradable"]

DEGREES = ("plain", "extreme")
"""Plain adjectives can be compared and take "very". Extreme adjectives ("superb") take "absolutely"."""


@lru_cache(maxsize=1)
def gradable() -> Mapping[str, str]:
    """Map each adjective of the shipped list to its degree, plain or extreme."""
    return read_pairs(LEXICONS / "gradable.tsv", ("adjective", f"degree: {'|'.join(DEGREES)}"))
