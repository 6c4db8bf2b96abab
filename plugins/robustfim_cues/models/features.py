"""The features that partial-input models read from a text, or from an alternative of a choice."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from robustfim.example import Example
from robustfim_cues.choices.choice import alternatives, is_choice
from robustfim_cues.choices.tokens import ngrams, words

__all__ = ["CROSS", "bags", "default_leave_out", "features"]


CROSS = ">"
"""Stands between what is crossed, once for the question, twice for the premise; no word holds it."""


def features(
    fields: Mapping[str, str], alternative: str, leave_out: Collection[str] = (), longest: int = 1
) -> set[str]:
    """Return the features that a bag-of-words model reads from one alternative of a choice.

    Both alternatives have the same premise and question. So a word of the premise can separate the alternatives only
    in combination with a word of an alternative.

    Args:
        fields: The fields of the instance.
        alternative: The text of one of the two alternatives.
        leave_out: Fields that the model does not read: ``premise``, ``question``.
        longest: The largest n of the n-grams of the alternative, ≥ 1.

    Returns:
        N-grams of the alternative; ``cause>word`` for the question with a word of the alternative; ``word>>word`` for a
        word of the premise with a word of the alternative.
    """
    found = set(ngrams(alternative, longest))
    single = set(words(alternative))
    if "question" in fields and "question" not in leave_out:
        found |= {f"{fields['question']}{CROSS}{word}" for word in single}
    if "premise" in fields and "premise" not in leave_out:
        found |= {f"{word}{CROSS * 2}{other}" for word in set(words(fields["premise"])) for other in single}
    return found


def default_leave_out(examples: Sequence[Example]) -> list[str]:
    """Return the fields that are left out by default: the premise of choices, no field of other examples."""
    choices = bool(examples) and is_choice(examples[0].fields)
    return ["premise"] if choices and "premise" in examples[0].fields else []


def bags(example: Example, leave_out: Collection[str] = (), longest: int = 1) -> list[set[str]]:
    """Return the bag of features (n-grams) of an example; for a choice, one bag for each alternative.

    Args:
        example: A choice, or any other example.
        leave_out: Fields that the model does not read.
        longest: The largest n of n-grams, ≥ 1.

    Returns:
        Two sets for a choice. One set for any other example, with n-grams named by their field, such as
        ``hypothesis:not``.
    """
    if is_choice(example.fields):
        return [features(example.fields, text, leave_out, longest) for text in alternatives(example)]
    read = {name: text for name, text in example.fields.items() if name not in leave_out}
    return [{f"{name}:{gram}" for name, text in read.items() for gram in ngrams(text, longest)}]
