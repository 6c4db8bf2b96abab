"""Clauses: finite verbs, the words before a word in its clause, and the beginning of a text's only sentence."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise, takewhile

from robustfim_words.text.tokens import Token

__all__ = ["FINITE", "NOUNS", "clause", "only_sentence"]

FINITE = ("VBZ", "VBD", "VBP", "MD")
"""Tags of finite verbs."""
NOUNS = ("NN", "NNS", "NNP", "NNPS", "PRP", "DT", "EX")
"""Tags of nouns and pronouns."""
_ENDS = (*FINITE, ",", ":", "CC", "``", "''")
"""Tags at which the search for the beginning of a clause, from right to left, ends."""
_EXCLAIMED = 3
"""The largest number of words and marks of an exclamation."""


def only_sentence(tokens: Sequence[Token]) -> tuple[int, ...]:
    """Return the place where the only sentence of a text begins, exclamations not counted; None if it has several."""
    starts = [place for place, token in enumerate(tokens) if token.starts]
    lengths = [end - start for start, end in pairwise([*starts, len(tokens)])]
    said = [start for start, length in zip(starts, lengths, strict=True) if length > _EXCLAIMED]
    return tuple(said or starts) if len(said or starts) == 1 else ()


def clause(tokens: Sequence[Token], index: int, first: int = 0) -> list[Token]:
    """Return the tokens before a word in its clause, the nearest first. The sentence begins at ``first``."""
    return list(takewhile(lambda each: each.tag not in _ENDS, tokens[first:index][::-1]))
