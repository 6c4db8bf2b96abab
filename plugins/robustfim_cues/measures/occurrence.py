"""Count in which examples a cue stands, and with which labels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from robustfim.errors import DataError, shown, suggestions
from robustfim.example import Example
from robustfim_cues.choices.choice import alternatives, is_choice
from robustfim_cues.choices.tokens import ngrams

__all__ = ["Occurrences", "occurrences", "standing"]


@dataclass(frozen=True)
class Occurrences:
    """For each cue of a data set, the number of examples with each label to which the cue applies.

    Attributes:
        labels: The labels; for choices ``("right", "wrong")``, the kind of alternative in which the cue stands.
        totals: The number of examples with each label, ``[labels]``. A choice has one right and one wrong alternative,
            so for choices both totals are the number of examples.
        counts: By cue, the number of examples with each label to which the cue applies, ``[labels]``.
        choices: Whether the examples are choices between two alternatives.
        examples: The number of examples.
    """

    labels: tuple[str, ...]
    totals: tuple[int, ...]
    counts: dict[str, tuple[int, ...]]
    choices: bool
    examples: int


def occurrences(examples: Sequence[Example], *, longest: int = 1, fields: Sequence[str] = ()) -> Occurrences:
    """Count the examples of each label to which each cue applies.

    A cue applies to a choice if it stands in exactly one of the two alternatives, and to a text if it stands in the
    text at least once. If several fields are read, cues are written ``field:cue``, since a word may mean one label in
    the premise and another label in the hypothesis.

    Args:
        examples: Labelled examples.
        longest: The largest n of n-grams, ≥ 1.
        fields: The fields to read; always the alternatives for choices, by default all fields of other examples.

    Raises:
        DataError: There is no example, an example has no gold label or several, a field is unknown, only some examples
            are choices, or all examples have the same label.
    """
    if not examples:
        raise DataError("the data hold no example, so robustfim cannot look for cues.")
    unlabelled = next((example for example in examples if example.label is None), None)
    if unlabelled is not None:
        raise DataError(
            f"example {unlabelled.id} has no gold label. A cue predicts the gold label, so every example needs one."
        )
    several = next((example for example in examples if len(example.gold) > 1), None)
    if several is not None:
        raise DataError(
            f"example {several.id} has several gold labels ({', '.join(several.gold)}), but cues need one. Name a "
            "column with a single label."
        )
    kinds = {is_choice(example.fields) for example in examples}
    if len(kinds) > 1:
        raise DataError("only some examples have the fields choice1 and choice2. Give all examples the same fields.")
    if kinds == {True}:
        if fields:
            raise DataError(
                "robustfim looks for the cues of choices in the two alternatives alone. Leave the names of fields out."
            )
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
    return Occurrences(
        ("right", "wrong"), (size, size), {cue: tuple(count) for cue, count in counts.items()}, True, size
    )


def _of_labels(examples: Sequence[Example], longest: int, fields: Sequence[str]) -> Occurrences:
    labels = tuple(sorted({str(example.label) for example in examples}))
    if len(labels) < 2:
        raise DataError(f"all examples have the label {labels[0]!r}; cues need two labels or more.")
    place = {label: index for index, label in enumerate(labels)}
    totals = [0] * len(labels)
    counts: dict[str, list[int]] = {}
    for example in examples:
        for name in fields:
            if name not in example.fields:
                raise DataError(f"no field {shown(name)}.{suggestions(name, example.fields, 'Fields')}")
        read = list(fields or example.fields)
        label = place[str(example.label)]
        totals[label] += 1
        found = {
            cue if len(read) == 1 else f"{name}:{cue}" for name in read for cue in ngrams(example.fields[name], longest)
        }
        for cue in found:
            counts.setdefault(cue, [0] * len(labels))[label] += 1
    kept = {cue: tuple(count) for cue, count in counts.items()}
    return Occurrences(labels, tuple(totals), kept, False, len(examples))


def standing(cue: str, example: Example) -> int | None:
    """Return which of the two alternatives of a choice contains a cue.

    Returns:
        0 or 1; None if the cue stands in both alternatives or in neither, and so does not apply.
    """
    longest = len(cue.split(" "))
    first, second = (cue in ngrams(text, longest) for text in alternatives(example))
    return None if first == second else int(second)
