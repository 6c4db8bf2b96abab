"""Clauses: the tags of finite verbs, and where a text's one sentence begins."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from robustfim_words.text.tokens import Token

__all__ = ["FINITE", "only_sentence"]

FINITE = ("VBZ", "VBD", "VBP", "MD")
"""Tags of finite verbs."""
_EXCLAIMED = 3
"""Words and marks of a sentence up to which it only exclaims."""


def only_sentence(tokens: Sequence[Token]) -> tuple[int, ...]:
    """Return the place where the one sentence of a text begins, exclamations aside; nothing where it has more."""
    starts = [place for place, token in enumerate(tokens) if token.starts]
    lengths = [end - start for start, end in pairwise([*starts, len(tokens)])]
    said = [start for start, length in zip(starts, lengths, strict=True) if length > _EXCLAIMED]
    return tuple(said or starts) if len(said or starts) == 1 else ()
