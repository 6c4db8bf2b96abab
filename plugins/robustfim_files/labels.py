"""Gold labels: from whatever a column holds to the text that a model's labels are compared with."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from robustfim.decision import NO_LABEL
from robustfim.errors import DataError, shown, shown_names
from robustfim.prediction import gold_answers

__all__ = ["LabelNames", "flagged_labels", "gold_label", "gold_labels"]

LabelNames: TypeAlias = Sequence[str] | Mapping[str, str] | None
"""Names by position (``[negative, positive]``), by the label's text (``{"neg": negative}``), or none."""


def gold_labels(value: Any, names: LabelNames, place: str) -> list[str]:
    """Turn the value of a label column into the labels that are right.

    Args:
        value: A label, or several: a list of texts, or SQuAD's mapping with such a list under ``text``.
        names: How to name each, see :func:`gold_label`.
        place: ``file:line``, for messages.

    Returns:
        The labels, the first one first; none for a blank one.

    Raises:
        DataError: The value cannot be a label, or a list of names has no name for it.
    """
    several = gold_answers(value)
    labels = [gold_label(each, names, place) for each in ([value] if several is None else several)]
    return [label for label in labels if label is not None]


def flagged_labels(flags: Sequence[tuple[str, Any]], names: LabelNames, place: str) -> list[str]:
    """Turn columns that say of each label whether it is there into the labels that are.

    Args:
        flags: The columns' names, which are labels, with the values of a row.
        names: A mapping renames the labels; a list names them in the columns' order.
        place: ``file:line``, for messages.

    Returns:
        The labels that are there, :data:`robustfim.decision.NO_LABEL` where none is.

    Raises:
        DataError: A value is neither 0 nor 1, or a list has another number of names.
    """
    renamed = dict(names) if isinstance(names, Mapping) else {}
    if names is not None and not isinstance(names, Mapping):
        if len(names) != len(flags):
            raise DataError(f"'labels' has {len(names)} names for {len(flags)} columns of labels.")
        renamed = dict(zip((name for name, _ in flags), names, strict=True))
    found = []
    for name, value in flags:
        there = _position(_as_text(value, place) or "")
        if there not in (0, 1):
            raise DataError(f"{place}: column {shown(name)} of a label holds {shown(value)}; it must hold 0 or 1.")
        if there:
            found.append(renamed.get(name, name))
    return found or [NO_LABEL]


def gold_label(value: Any, names: LabelNames, place: str) -> str | None:
    """Turn the value of a label column into a label.

    Args:
        value: The value: text, an integer, a whole number as a float, a boolean, or nothing.
        names: How to name it. A list names 0, 1, … (and false, true); text that is already in the list
            stays. A mapping renames; a label it does not mention stays.
        place: ``file:line``, for messages.

    Returns:
        The label, without white space around it; None for a blank one. Numbers become their text (1 and 1.0 are
        ``"1"``), booleans ``"true"`` and ``"false"``.

    Raises:
        DataError: The value cannot be a label, or a list of names has no name for it.
    """
    text = _as_text(value, place)
    if text is None or names is None:
        return text
    if isinstance(names, Mapping):
        return names.get(text, text)
    if text in names:
        return text
    position = _position(text)
    if position is None or not 0 <= position < len(names):
        raise DataError(
            f"{place}: label {shown(text, 40)} has no name in 'labels' ({shown_names(names)}). "
            f"A list names the labels 0 to {len(names) - 1} in order; to rename others, map them: "
            f"labels: {{{shown(text, 40)}: …}}."
        )
    return names[position]


def _as_text(value: Any, place: str) -> str | None:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        # A table with missing integers stores them all as floats, the missing ones as NaN.
        return None if math.isnan(value) else str(int(value)) if value.is_integer() else repr(value)
    if value is None or isinstance(value, str):
        return (value or "").strip() or None
    raise DataError(f"{place}: a label is text or a number, not {type(value).__name__} ({value!r:.60}).")


def _position(text: str) -> int | None:
    """Read the position that a label's text stands for; CSV has nothing but text."""
    if text in ("false", "true"):
        return int(text == "true")
    try:
        number = float(text)
    except ValueError:
        return None
    return int(number) if number.is_integer() else None
