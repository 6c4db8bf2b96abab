"""Denials: which words deny, and how an auxiliary is denied."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from robustfim_words.text.lexicon import LEXICONS, read_table

__all__ = ["affirmed", "auxiliaries", "denies"]

_CONTRACTED = ("n't", "n #39;t", "n&#39;t")
"""How a verb ends that denies, as written and in news of broken apostrophes."""
_KINDS = "kind: auxiliary|perfect|support|pronoun|denies"


@lru_cache(maxsize=1)
def _table() -> Mapping[str, tuple[str, str]]:
    rows = read_table(LEXICONS / "denials.tsv", ("word", _KINDS, "its other form"))
    return {word: (kind, other) for word, kind, other in rows}


def auxiliaries() -> Mapping[str, tuple[str, str]]:
    """Return what a denial leans on: by word its kind (auxiliary, perfect, support, pronoun) and its denied form."""
    return {word: row for word, row in _table().items() if row[1] != "-"}


@lru_cache(maxsize=1)
def affirmed() -> Mapping[str, str]:
    """Return the auxiliary of each denied form that is one word: ``is`` of ``isn't``."""
    return {other: word for word, (_, other) in auxiliaries().items() if " " not in other}


def denies(word: str) -> bool:
    """Tell whether a word, in any case and with either apostrophe, denies what follows it."""
    small = word.lower().replace("’", "'")
    return small.endswith(_CONTRACTED) or _table().get(small, ("",))[0] == "denies"
