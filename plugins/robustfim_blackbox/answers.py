"""Conversion of a model's return value to rows of probabilities.

The prediction queue then checks shape, finiteness, range and sums, as for every model.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from math import nan
from typing import Any

import numpy as np

from robustfim.errors import ModelError, did_you_mean, shown
from robustfim.labels import match_name, read_label

__all__ = ["read_answers"]


def read_answers(
    raw: Any, labels: Sequence[str], *, expected: int, source: str, logits: bool = False
) -> list[list[Any]]:
    """Convert a model's answers to one row of probabilities for each text.

    The answer to a text has one of five forms: a row of numbers in the order of ``labels``; a mapping from every label
    to its number; a list of ``{"label": …, "score": …}`` with every label; only a label, which may also be a number or
    a boolean; or None for no answer.

    Args:
        raw: The answers: a list, an array, a tensor, or a data frame with a column for each label.
        labels: The labels, ``[classes]``.
        expected: The number of texts that were asked about.
        source: The name of the model, for messages.
        logits: Whether the numbers are logits, to which a softmax is applied.

    Returns:
        A row for each text, ``[expected, classes]``. If the answer is only a label, its column is 1 and the other
        columns are 0. A row is NaN if the answer is None.

    Raises:
        ModelError: The value has another form, the number of answers differs from the number of texts, or a label is
            unknown or missing.
    """
    answers = _listed(raw, source)
    if len(answers) != expected:
        raise ModelError(f"{source} gave {len(answers)} answers for {expected} texts; it must give one for each.")
    return [_row(answer, labels, logits, source) for answer in answers]


def _listed(raw: Any, source: str) -> list[Any]:
    if hasattr(raw, "columns") and callable(getattr(raw, "to_dict", None)):
        return list(raw.to_dict("records"))
    raw = raw.tolist() if callable(getattr(raw, "tolist", None)) else raw
    if isinstance(raw, str | bytes | Mapping) or not isinstance(raw, Iterable):
        raise ModelError(f"{source} gave {_shown(raw)}, which is not a list with one answer for each text.")
    return list(raw)


def _row(answer: Any, labels: Sequence[str], logits: bool, source: str) -> list[Any]:
    if callable(getattr(answer, "tolist", None)):
        answer = answer.tolist()
    if answer is None:
        return [nan] * len(labels)
    if isinstance(answer, str) and logits:
        raise ModelError(f"{source} gave the label {shown(answer)}, but 'logits: true' promises numbers.")
    if isinstance(answer, str) or (isinstance(answer, int | float) and not logits and _label(answer, labels)):
        (name,) = _names([answer], labels, source)
        return [float(label == name) for label in labels]
    if isinstance(answer, Mapping) and {"label", "score"} == set(answer):
        answer = [answer]
    if isinstance(answer, Mapping):
        answer = _in_order([*answer.items()], labels, source)
    elif not isinstance(answer, Sequence):
        raise ModelError(
            f"{source} gave {_shown(answer)} for a text: neither a label ({', '.join(labels)}), nor a row of "
            f"{len(labels)} probabilities, nor {{label: probability}}."
        )
    elif answer and all(isinstance(each, Mapping) and {"label", "score"} <= set(each) for each in answer):
        answer = _in_order([(each["label"], each["score"]) for each in answer], labels, source)
    return _softmax(answer, source) if logits else list(answer)


def _in_order(named: Sequence[tuple[Any, Any]], labels: Sequence[str], source: str) -> list[Any]:
    """Put numbers by label in the order of the labels."""
    names = _names([name for name, _ in named], labels, source)
    if twice := [name for name, count in Counter(names).items() if count > 1]:
        raise ModelError(
            f"{source} gave the label {shown(twice[0])} two numbers for one text; it must give one a label."
        )
    numbers = dict(zip(names, (number for _, number in named), strict=True))
    if missing := [label for label in labels if label not in numbers]:
        raise ModelError(
            f"{source} gave {_shown(dict(named))} without a number for the label {missing[0]!r}. A pipeline "
            "of transformers gives a number for every label with 'top_k=None'."
        )
    return [numbers[label] for label in labels]


def _names(given: Iterable[Any], labels: Sequence[str], source: str) -> list[str]:
    """Read the labels of an answer."""
    names = []
    for each in given:
        name = _label(each, labels)
        if name is None:
            raise ModelError(
                f"{source} gave {shown(each)}, which is not in 'labels' ({', '.join(labels)})."
                f"{did_you_mean(str(each), labels)} Add this label to 'labels' as the model spells it."
            )
        names.append(name)
    return names


def _label(given: Any, labels: Sequence[str]) -> str | None:
    with suppress(ValueError):  # a list or a mapping is not a label
        return match_name(read_label(given) or "", labels)
    return None


def _softmax(row: Sequence[Any], source: str) -> list[float]:
    try:
        values = np.asarray(row, dtype=np.float64)
    except (TypeError, ValueError, OverflowError) as error:
        raise ModelError(f"{source} gave {_shown(row)}, which are not logits: {error}.") from error
    if not np.isfinite(values).all():
        return [nan] * len(row)
    powers = np.exp(values - values.max(initial=-np.inf))
    return list((powers / powers.sum()).tolist())


def _shown(value: Any) -> str:
    return shown(value, 80)
