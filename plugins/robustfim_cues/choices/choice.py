"""Choices: examples whose fields hold a premise and two alternatives."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from robustfim.errors import DataError
from robustfim.example import Example

__all__ = ["ALTERNATIVES", "LABELS", "alternatives", "choice", "is_choice", "mirrored_number", "originals", "partners"]

ALTERNATIVES = ("choice1", "choice2")
"""The fields of the two alternatives."""

LABELS = ("1", "2")
"""The labels, the number of the right alternative."""

_QUESTIONS = ("cause", "effect")
_MIRROR_OFFSET = 1000


def choice(
    premise: str, question: str, given: Sequence[str], gold: str, *, number: str, mirrors: str | None, place: str
) -> Example:
    """Make an example from a COPA instance: a premise, a question and two alternatives, one of them right.

    Args:
        premise: The premise.
        question: ``cause`` or ``effect``.
        given: Two different alternatives.
        gold: The number of the right alternative, ``"1"`` or ``"2"``.
        number: The number of the instance, unique in its file.
        mirrors: For a mirrored instance (same alternatives, but the other one is right) the number of the original;
            None for an original.
        place: The file and the instance, for error messages.

    Returns:
        An example with the fields ``premise``, ``question``, ``choice1`` and ``choice2``, the label ``"1"`` or
        ``"2"``, and the columns ``number``, ``pair`` (equal for an instance and its mirror) and ``mirrored``.

    Raises:
        DataError: A text is empty, the question or the gold answer is unknown, or there are not two different
            alternatives.
    """
    if question not in _QUESTIONS:
        raise DataError(f"{place}: the question is 'cause' or 'effect', not {question!r}.")
    if len(given) != len(ALTERNATIVES):
        raise DataError(
            f"{place}: the instance has {len(given)} alternatives; this source reads instances with two, "
            "since a cue stands in one alternative and not in the other."
        )
    if not premise.strip() or not all(text.strip() for text in given):
        raise DataError(f"{place}: the premise or an alternative is empty.")
    if given[0].strip() == given[1].strip():
        raise DataError(
            f"{place}: both alternatives are {given[0].strip()!r}; a choice needs two different alternatives."
        )
    if gold not in LABELS:
        what = "no gold answer" if not gold else f"the gold answer {gold!r}"
        raise DataError(f"{place}: {what}; the gold answer must be 1 or 2, the number of the right alternative.")
    fields = {
        "premise": premise.strip(),
        "question": question,
        **dict(zip(ALTERNATIVES, map(str.strip, given), strict=True)),
    }
    pair = mirrors or number  # an instance and its mirror share the words of their alternatives: one cluster
    meta = {"number": number, "pair": pair, "mirrored": mirrors is not None, "cluster": pair}
    return Example(fields, gold, meta)


def mirrored_number(number: str) -> str | None:
    """Return the number of the original of a mirrored item in Balanced COPA. For example, item 1001 mirrors item 1.

    Returns:
        The number of the original; None if ``number`` belongs to an original or is not a number.
    """
    return str(int(number) - _MIRROR_OFFSET) if number.isdecimal() and int(number) > _MIRROR_OFFSET else None


def is_choice(fields: Mapping[str, str]) -> bool:
    """Return whether an example with these fields has two alternatives, ``choice1`` and ``choice2``."""
    return all(name in fields for name in ALTERNATIVES)


def alternatives(example: Example) -> tuple[str, str]:
    """Return the two alternatives of an example.

    Args:
        example: An example with the fields ``choice1`` and ``choice2``.

    Raises:
        DataError: The example does not have exactly two alternatives.
    """
    if not is_choice(example.fields) or "choice3" in example.fields:
        raise DataError(
            f"example {example.id} has the fields {', '.join(example.fields)}; a choice needs the fields "
            f"{' and '.join(ALTERNATIVES)}."
        )
    return example.fields["choice1"], example.fields["choice2"]


def originals(examples: Sequence[Example]) -> list[Example]:
    """List the examples that mirror no other example."""
    return [example for example in examples if not example.meta.get("mirrored")]


def partners(examples: Sequence[Example]) -> dict[str, list[Example]]:
    """Group examples into pairs of an original and its mirror, where the other alternative is right.

    Args:
        examples: Examples with the column ``pair``.

    Returns:
        For each value of ``pair``, its examples, originals before mirrors.

    Raises:
        DataError: An example has no ``pair``.
    """
    pairs: dict[str, list[Example]] = {}
    for example in examples:
        if "pair" not in example.meta:
            raise DataError(f"example {example.id} has no column 'pair', which links an instance to its mirror.")
        pairs.setdefault(str(example.meta["pair"]), []).append(example)
    return {
        name: sorted(group, key=lambda example: bool(example.meta.get("mirrored"))) for name, group in pairs.items()
    }
