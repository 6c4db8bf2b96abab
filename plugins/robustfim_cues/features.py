"""Features of a choice: the words of an alternative, alone and together with the premise's."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from robustfim_cues.tokens import ngrams, words

__all__ = ["CROSS", "features"]

CROSS = ">"
"""Stands between what is crossed, once for the question, twice for the premise; no word holds it."""


def features(
    fields: Mapping[str, str], alternative: str, leave_out: Collection[str] = (), longest: int = 1
) -> set[str]:
    """List what a linear model may know of an alternative.

    What stands in the premise is the same for both alternatives, so it can tell them apart only together with a word
    of the alternative.

    Args:
        fields: The fields of the instance.
        alternative: The text of one of its alternatives.
        leave_out: Fields that the model may not read: ``premise``, ``question``.
        longest: The largest n of the n-grams of the alternative, ≥ 1.

    Returns:
        N-grams of the alternative; ``cause>word`` for the question; ``word>>word`` for the premise.
    """
    found = set(ngrams(alternative, longest))
    single = set(words(alternative))
    if "question" in fields and "question" not in leave_out:
        found |= {f"{fields['question']}{CROSS}{word}" for word in single}
    if "premise" in fields and "premise" not in leave_out:
        found |= {f"{word}{CROSS * 2}{other}" for word in set(words(fields["premise"])) for other in single}
    return found
