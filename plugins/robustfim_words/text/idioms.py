"""Idioms: phrases whose words mean something only together."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from robustfim_words.text.gazetteer import Gazetteer
from robustfim_words.text.lexicon import LEXICONS, read_table
from robustfim_words.text.tokens import Token

__all__ = ["in_idiom"]


@lru_cache(maxsize=1)
def _idioms() -> Gazetteer[str]:
    return Gazetteer((phrase, phrase) for (phrase,) in read_table(LEXICONS / "idioms.txt", ("phrase",)))


def in_idiom(tokens: Sequence[Token]) -> frozenset[int]:
    """Find the tokens that belong to a fixed phrase ("good grief", "in tune").

    Args:
        tokens: A text's tokens.

    Returns:
        The indices of the tokens.
    """
    matches = (_idioms().match(tokens, index) for index in range(len(tokens)))
    return frozenset(index for match in matches if match for index in range(match.first, match.last + 1))
