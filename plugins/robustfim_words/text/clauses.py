"""Clauses: finite verbs, what stands before a word in its clause, and where a text's one sentence begins."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise, takewhile

from robustfim_words.text.tokens import Token

__all__ = ["FINITE", "NOUNS", "clause", "only_sentence"]

FINITE = ("VBZ", "VBD", "VBP", "MD")
"""Tags of finite verbs."""
NOUNS = ("NN", "NNS", "NNP", "NNPS", "PRP", "DT", "EX")
"""Tags of nouns, and of what stands for one."""
_ENDS = (*FINITE, ",", ":", "CC", "``", "''")
"""Tags at which, backwards, a clause begins."""
_EXCLAIMED = 3
"""Words and marks of a sentence up to which it only exclaims."""


def only_sentence(tokens: Sequence[Token]) -> tuple[int, ...]:
    """Return the place where the one sentence of a text begins, exclamations aside; nothing where it has more."""
    starts = [place for place, token in enumerate(tokens) if token.starts]
    lengths = [end - start for start, end in pairwise([*starts, len(tokens)])]
    said = [start for start, length in zip(starts, lengths, strict=True) if length > _EXCLAIMED]
    return tuple(said or starts) if len(said or starts) == 1 else ()


def clause(tokens: Sequence[Token], index: int, first: int = 0) -> list[Token]:
    """Return what stands before a word in its clause, the nearest first, in a sentence that begins at ``first``."""
    return list(takewhile(lambda each: each.tag not in _ENDS, tokens[first:index][::-1]))
