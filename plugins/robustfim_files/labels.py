"""Conversion of the values of label columns to gold labels that are compared with a model's labels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from robustfim.decision import NO_LABEL
from robustfim.errors import DataError, shown, shown_names
from robustfim.labels import Unlabelled, labels_option, match_name, read_label
from robustfim.prediction import gold_answers

__all__ = ["GoldLabels", "LabelNames"]

LabelNames: TypeAlias = Sequence[str] | Mapping[str, str] | None
"""Names by position (``[negative, positive]``), by the label's text (``{"neg": negative}``), or none."""


class GoldLabels:
    """Converts the values of label columns to labels.

    Args:
        names: The names of the labels. A list names 0, 1, … (and false, true); values that are already in the list are
            kept. A mapping renames labels; labels that are not in the mapping are kept.
        declared: Whether the data set itself names its classes, like datasets of the hub.

    Attributes:
        unlabelled: A test that recognises the label −1 as a missing label.
    """

    def __init__(self, names: LabelNames, *, declared: bool = False) -> None:
        self._names = names
        numbered = names if isinstance(names, Mapping) else {str(place): name for place, name in enumerate(names or ())}
        self.unlabelled = Unlabelled(numbered, declared=declared)

    def of(self, value: Any, place: str) -> list[str]:
        """Convert the value of a label column to the accepted gold labels.

        Args:
            value: A label, or several: a list of texts, or SQuAD's mapping with a list of texts under ``text``.
            place: ``file:line``, for messages.

        Returns:
            The labels, in their order. Empty for a blank value, and for −1 if −1 marks a missing label.

        Raises:
            DataError: The value cannot be a label, or a list of names has no name for the value.
        """
        several = gold_answers(value)
        labels = [self._label(each, place) for each in ([value] if several is None else several)]
        return [label for label in labels if label]

    def flagged(self, flags: Sequence[tuple[str, Any]], place: str) -> list[str]:
        """Convert a row's columns of 0 and 1, one for each label, to a list of labels.

        Args:
            flags: The names of the columns, which are the labels, with the values of a row.
            place: ``file:line``, for messages.

        Returns:
            The labels with the value 1, or :data:`robustfim.decision.NO_LABEL` if there are none. A mapping of names
            renames labels; a list names them in the columns' order.

        Raises:
            DataError: A value is neither 0 nor 1, or a list has another number of names.
        """
        renamed = dict(self._names) if isinstance(self._names, Mapping) else {}
        if self._names is not None and not isinstance(self._names, Mapping):
            if len(self._names) != len(flags):
                raise DataError(f"'labels' has {len(self._names)} names for {len(flags)} columns of labels.")
            renamed = dict(zip((name for name, _ in flags), self._names, strict=True))
        there = {name: match_name(_text(value, place) or "", ("0", "1", "false", "true")) for name, value in flags}
        for name, value in flags:
            if there[name] is None:
                raise DataError(f"{place}: column {shown(name)} of a label holds {shown(value)}; it must hold 0 or 1.")
        return [renamed.get(name, name) for name in there if there[name] in ("1", "true")] or [NO_LABEL]

    def _label(self, value: Any, place: str) -> str | None:
        text, names = _text(value, place), self._names
        if text is None or names is None:
            return text
        if isinstance(names, Mapping):
            known = match_name(text, names, case=False)
            if known is None:
                return None if self.unlabelled(text) else text
            self.unlabelled(known)
            return names[known]
        known, numbers = match_name(text, names), [str(number) for number in range(len(names))]
        if known is None and (number := match_name({"false": "0", "true": "1"}.get(text.lower(), text), numbers)):
            known = names[int(number)]
        if known is not None:
            self.unlabelled(numbers[names.index(known)])
        elif not self.unlabelled(text):
            option, line = labels_option("data", {**dict(zip(numbers, names, strict=True)), text: names[0]})
            raise DataError(
                f"{place}: label {shown(text, 40)} has no name in 'labels' ({shown_names(names)}). "
                f"A list names the labels 0 to {len(names) - 1} in order; to rename others, map them: {option}, "
                f"or in a suite {line}."
            )
        return known


def _text(value: Any, place: str) -> str | None:
    try:
        return read_label(value)
    except ValueError as error:
        raise DataError(f"{place}: {error}.") from None
