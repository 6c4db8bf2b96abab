"""Gradable adjectives: those that can be strengthened."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import takewhile

from robustfim_words.text.lexicon import LEXICONS, read_table
from robustfim_words.text.tokens import Token

__all__ = ["DEGREES", "gradable", "names_a_kind"]

DEGREES = ("plain", "extreme")
"""Plain adjectives can be compared and take "very"; extreme ones name an end of the scale and take "absolutely"."""
_CLASSIFYING = frozenset(["romantic", "dark", "light", "serious", "violent", "sentimental", "dramatic"])
_KINDS = frozenset("comedy comedies crime crimes drama dramas thriller horror fiction fantasy romance novel".split())  # noqa: SIM905  # words read better as a text
"""Nouns before which those adjectives name a kind."""


@lru_cache(maxsize=1)
def gradable() -> Mapping[str, str]:
    """Read the shipped list: adjective to degree."""
    columns = ("adjective", f"degree: {'|'.join(DEGREES)}")
    return {adjective: degree for adjective, degree in read_table(LEXICONS / "gradable.tsv", columns)}  # noqa: C416  # names the cells


def names_a_kind(tokens: Sequence[Token], index: int) -> bool:
    """Tell whether an adjective is part of the name of a kind, which has no degree: "a romantic crime comedy".

    Args:
        tokens: The tagged tokens of a text.
        index: The adjective's.
    """
    nouns = takewhile(lambda each: each.tag[:2] == "NN", tokens[index + 1 : index + 3])
    return tokens[index].text.lower() in _CLASSIFYING and any(each.text.lower() in _KINDS for each in nouns)
