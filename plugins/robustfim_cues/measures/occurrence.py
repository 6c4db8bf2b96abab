"""Occurrence: in which examples a cue stands, and which answer it points to there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from robustfim.errors import DataError, did_you_mean, shown
from robustfim.example import Example
from robustfim_cues.choices.choice import alternatives, is_choice
from robustfim_cues.choices.tokens import ngrams

__all__ = ["Occurrences", "occurrences", "standing"]


@dataclass(frozen=True)
class Occurrences:
    """What the cues of some data have to do with its answers.

    Attributes:
        labels: The labels; for choices ``("right", "wrong")``, where the alternative with the cue stands.
        totals: How many examples have each label, ``[labels]``. A choice has one right and one wrong alternative,
            so both totals are the number of examples.
        counts: By cue, the examples to which it applies, by label, ``[labels]``.
        choices: Whether the examples are choices between two alternatives.
        examples: The number of examples.
    """

    labels: tuple[str, ...]
    totals: tuple[int, ...]
    counts: dict[str, tuple[int, ...]]
    choices: bool
    examples: int


def occurrences(examples: Sequence[Example], *, longest: int = 1, fields: Sequence[str] = ()) -> Occurrences:
    """Count where cues stand.

    A cue applies to a choice where it stands in exactly one of the two alternatives, and to a classified text where
    it stands in it, however often. Where several fields are read, a cue is written ``field:cue``, for one side of a
    pair tells something else than the other.

    Args:
        examples: Labelled examples.
        longest: The largest n of n-grams, ≥ 1.
        fields: The fields to read; for choices always the alternatives, else by default all.

    Raises:
        DataError: There is no example, one has no gold label or several, a field is unknown, some are choices and
            others not, or all have the same label.
    """
    if not examples:
        raise DataError("there is no example, so there is no cue.")
    unlabelled = next((each for each in examples if each.label is None), None)
    if unlabelled is not None:
        raise DataError(
            f"example {unlabelled.id} has no gold label. A cue predicts the gold label, so every example needs one."
        )
    several = next((each for each in examples if len(each.gold) > 1), None)
    if several is not None:
        raise DataError(
            f"example {several.id} has several gold labels ({', '.join(several.gold)}), but cues need one. Name a "
            "column with a single label."
        )
    kinds = {is_choice(each.fields) for each in examples}
    if len(kinds) > 1:
        raise DataError("only some examples have the fields choice1 and choice2. Give all examples the same fields.")
    if kinds == {True}:
        if fields:
            raise DataError("robustfim looks for cues of choices in the two alternatives. Leave the fields out.")
        return _of_choices(examples, longest)
    return _of_labels(examples, longest, fields)


def _of_choices(examples: Sequence[Example], longest: int) -> Occurrences:
    counts: dict[str, list[int]] = {}
    for example in examples:
        first, second = (set(ngrams(text, longest)) for text in alternatives(example))
        right, wrong = (first, second) if example.label == "1" else (second, first)
        for cue in right ^ wrong:
            counts.setdefault(cue, [0, 0])[cue in wrong] += 1
    size = len(examples)
    return Occurrences(("right", "wrong"), (size, size), {cue: tuple(each) for cue, each in counts.items()}, True, size)


def _of_labels(examples: Sequence[Example], longest: int, fields: Sequence[str]) -> Occurrences:
    labels = tuple(sorted({str(each.label) for each in examples}))
    if len(labels) < 2:
        raise DataError(f"all examples have the label {labels[0]!r}; cues need two labels or more.")
    place = {label: index for index, label in enumerate(labels)}
    totals = [0] * len(labels)
    counts: dict[str, list[int]] = {}
    for example in examples:
        for name in fields:
            if name not in example.fields:
                raise DataError(
                    f"no field {shown(name)}.{did_you_mean(name, example.fields)} Fields: {', '.join(example.fields)}."
                )
        read = list(fields or example.fields)
        label = place[str(example.label)]
        totals[label] += 1
        found = {
            cue if len(read) == 1 else f"{name}:{cue}" for name in read for cue in ngrams(example.fields[name], longest)
        }
        for cue in found:
            counts.setdefault(cue, [0] * len(labels))[label] += 1
    kept = {cue: tuple(each) for cue, each in counts.items()}
    return Occurrences(labels, tuple(totals), kept, False, len(examples))


def standing(cue: str, example: Example) -> int | None:
    """Tell in which alternative of a choice a cue stands.

    Returns:
        0 or 1; None where it stands in both or in none, and does not apply.
    """
    longest = len(cue.split(" "))
    first, second = (cue in ngrams(text, longest) for text in alternatives(example))
    return None if first == second else int(second)
