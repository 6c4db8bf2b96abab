"""Negations: the words that negate, and the negated forms of auxiliaries."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from robustfim_words.text.lexicon import LEXICONS, read_table

__all__ = ["affirmed", "auxiliaries", "denies"]

_CONTRACTED = ("n't", "n #39;t", "n&#39;t")
"""Endings of negated verbs, also without or with a broken apostrophe."""
_KINDS = "kind: auxiliary|perfect|support|pronoun|denies"


@lru_cache(maxsize=1)
def _table() -> Mapping[str, tuple[str, str]]:
    rows = read_table(LEXICONS / "denials.tsv", ("word", _KINDS, "its other form"))
    return {word: (kind, other) for word, kind, other in rows}


def auxiliaries() -> Mapping[str, tuple[str, str]]:
    """Map each word that can be negated to its kind (auxiliary, perfect, …) and its negated form."""
    return {word: row for word, row in _table().items() if row[1] != "-"}


@lru_cache(maxsize=1)
def affirmed() -> Mapping[str, str]:
    """Map each negated form of one word to its auxiliary: ``isn't`` to ``is``."""
    return {other: word for word, (_, other) in auxiliaries().items() if " " not in other}


def denies(word: str) -> bool:
    """Check whether a word, such as "not" or "isn't", negates the words after it."""
    small = word.lower().replace("’", "'")
    return small.endswith(_CONTRACTED) or _table().get(small, ("",))[0] == "denies"
