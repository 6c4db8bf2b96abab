"""Gender: what the pronouns and titles of a text tell about the persons in it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from robustfim_words.text.tokens import Token

__all__ = ["told_by_pronouns", "told_by_title"]

_WORDS = {
    "female": frozenset(
        "she her hers herself actress heroine woman lady girl mother mum mom daughter sister wife".split()  # noqa: SIM905  # words read better as a text
    ),
    "male": frozenset(
        "he his him himself hero man gentleman boy father dad son brother husband bloke guy".split()  # noqa: SIM905  # words read better as a text
    ),
}


def told_by_pronouns(texts: Iterable[Sequence[Token]]) -> frozenset[str]:
    """Collect the genders that pronouns and nouns such as "actress" and "brother" name.

    Args:
        texts: The tokens of each field.

    Returns:
        A set of ``female`` and ``male``; empty where the text is silent.
    """
    words = {token.text.lower().replace("’", "'").split("'")[0] for tokens in texts for token in tokens}
    return frozenset(gender for gender, known in _WORDS.items() if words & known)


def told_by_title(clue: str) -> frozenset[str]:
    """Read the gender of a title's clue (``title_female``); empty for one that tells none."""
    gender = clue.rpartition("_")[2]
    return frozenset([gender]) if gender in _WORDS else frozenset()
