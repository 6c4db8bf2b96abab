"""The gender of persons, as the pronouns, nouns and titles of a text show it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache

from robustfim_words.text.lexicon import LEXICONS, read_table
from robustfim_words.text.tokens import Tokens

__all__ = ["GENDER_WORDS", "PRONOUNS", "pronouns", "told_by_pronouns", "told_by_title"]

GENDER_WORDS = ("female", "male", "direction: both|to_male|to_female")
PRONOUNS = ("pronoun", "case: subject|object|owner|owned|reflexive", "gender: female|male", "other", "neutral")
"""The columns of the two tables of gendered words."""

_GENDERS = ("female", "male")


def told_by_pronouns(texts: Iterable[Tokens]) -> frozenset[str]:
    """Return the genders that a text shows by its pronouns and by nouns such as "actress" and "brother".

    Args:
        texts: The tokens of each field.

    Returns:
        A set of ``female`` and ``male``; empty if the text has no gendered word.
    """
    said = {token.small.split("'")[0] for tokens in texts for token in tokens}
    return frozenset(gender for gender, known in zip(_GENDERS, _words(), strict=True) if said & known)


@lru_cache(maxsize=1)
def _words() -> tuple[frozenset[str], frozenset[str]]:
    """Return the words that tell of a woman, and of a man: what stands for both sides is left out."""
    nouns = read_table(LEXICONS / "gender_words.tsv", GENDER_WORDS)
    female = {row[0].lower() for row in nouns if row[2] != "to_female"}
    male = {row[1].lower() for row in nouns if row[2] != "to_male"}
    for pronoun, _, gender, _, _ in read_table(LEXICONS / "pronouns.tsv", PRONOUNS):
        (female if gender == "female" else male).add(pronoun)
    return frozenset(female - male), frozenset(male - female)


@lru_cache(maxsize=1)
def pronouns() -> Mapping[str, Mapping[str, tuple[str, str]]]:
    """Map each gendered pronoun to its grammatical cases, and each case to the pronouns that can replace it.

    The replacements are the pronoun of the other gender and the neutral pronoun.
    """
    table: dict[str, dict[str, tuple[str, str]]] = {}
    for pronoun, case, _, other, neutral in read_table(LEXICONS / "pronouns.tsv", PRONOUNS):
        table.setdefault(pronoun, {})[case] = other, neutral
    return table


def told_by_title(clue: str) -> frozenset[str]:
    """Return the gender that a title shows, by its kind (``title_female``); empty for a title of both genders."""
    return frozenset(_GENDERS) & {clue.rpartition("_")[2]}
