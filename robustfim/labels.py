"""Labels: read as text from any source, matched with each other, renamed, and written as an option to paste."""

from __future__ import annotations

import json
import re
import shlex
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from functools import lru_cache
from math import isnan
from typing import Any, ClassVar

from robustfim.errors import DataError, UsageError, did_you_mean, shown_names

__all__ = ["Unlabelled", "class_names", "labels_option", "match_name", "read_label", "relabelled"]


def read_label(value: Any) -> str | None:
    """Read a label as text, from a file, a frame, a dataset, a model's answer or a script.

    Args:
        value: A text, a number or a boolean, possibly a scalar of NumPy or a tensor; or a missing value, as in pandas.

    Returns:
        Text in Unicode's form NFC, without surrounding white space. A whole number has no point (0.0 is ``"0"``), and
        booleans are ``"true"`` and ``"false"``. None for a blank or missing value.

    Raises:
        ValueError: The value cannot be a label.
    """
    value = value.item() if getattr(value, "shape", None) == () else value  # a scalar of NumPy, a tensor
    if value is None or type(value).__name__ in ("NAType", "NaTType"):
        return None
    if isinstance(value, str):
        return unicodedata.normalize("NFC", value).strip() or None
    if isinstance(value, bool | int):
        return str(value).lower()
    if isinstance(value, float | Decimal):
        number = float(value)
        return None if isnan(number) else str(int(number)) if number.is_integer() else repr(number)
    raise ValueError(f"a label is text or a number, not {type(value).__name__} ({value!r:.60})")


def match_name(name: str, labels: Iterable[str], *, case: bool = True) -> str | None:
    """Find the label that a name means.

    Args:
        name: A label of the data, or of a model's answer.
        labels: The known labels.
        case: Whether to allow different case.

    Returns:
        The first that exists of: the label that equals the name; the only label that equals it after normalizing
        Unicode form, white space, whole numbers (``0.0`` is 0) and the case of booleans; if ``case``, the only label
        that equals it when case is ignored; None.
    """
    return _match(name, tuple(labels), case)


@lru_cache(4096)
def _match(name: str, labels: tuple[str, ...], case: bool) -> str | None:
    for form in (str, _plain, lambda text: _plain(text).casefold())[: 3 if case else 2]:
        if alike := [label for label in labels if form(label) == form(name)]:
            return alike[0] if len(alike) == 1 else None
    return None


@lru_cache(4096)
def _plain(text: str) -> str:
    text = " ".join(unicodedata.normalize("NFC", text).split())
    return text.lower() if text.lower() in ("true", "false") else re.sub(r"^(-?\d+)\.0+$", r"\1", text)


def class_names(
    classes: Iterable[Any], names: Iterable[Any] | Mapping[Any, Any] | None = None, who: str = "the model"
) -> tuple[str, ...]:
    """Name the classes of a model or a dataset.

    Args:
        classes: The original names, ``[classes]``, as in ``classes_`` or ``id2label``.
        names: All names in that order, or new names for some classes, by original name or number; None for the
            original names.
        who: The model or dataset, for messages.

    Returns:
        The labels, ``[classes]``, without duplicates.

    Raises:
        UsageError: ``names`` does not fit, or two classes get the same name.
    """
    given = list(classes)
    read = [read_label(each) or str(each) for each in given]
    known = read if len({*read}) == len(read) else [*map(str, given)]  # names that differ in white space alone
    if isinstance(names, Mapping):
        numbers = {str(number): label for number, label in enumerate(known)}
        renamed = {match_name(str(key), known, case=False) or numbers.get(str(key)): key for key in names}
        if None in renamed:
            key = str(renamed[None])
            raise UsageError(
                f"'labels' renames {key!r}, no class of {who}.{did_you_mean(key, known)} It has: {shown_names(known)}."
            )
        names = [names[renamed[label]] if label in renamed else label for label in known]
    labels = tuple(known if names is None else (read_label(name) or str(name) for name in names))
    if len(labels) != len(known):
        raise UsageError(
            f"'labels' has {len(labels)} names, and {who} has {len(known)} classes: {shown_names(known)}. "
            "Write one name for each class."
        )
    if len({*labels}) < len(labels):
        twice = next(label for label in labels if labels.count(label) > 1)
        apart = json.dumps([f"{label}-{number}" for number, label in enumerate(known)], ensure_ascii=False)
        raise UsageError(
            f"{who}: two classes are named {twice!r}. Name all {len(labels)} with a list: labels: {apart}."
        )
    return labels


class Unlabelled:
    """A counter of gold labels of −1, which mean "no label" if the other labels are numbered from 0.

    Args:
        classes: The classes with their names, ``{"0": negative, "1": positive}``; unless they are numbered, −1 is a
            label.
        declared: Whether the data declare their classes, so that some of them may not occur.

    Attributes:
        count: The number of labels of −1.
    """

    REASON: ClassVar = "gold label -1 (read as unlabelled)"

    def __init__(self, classes: Mapping[str, str], *, declared: bool = False) -> None:
        self._names = {_plain(each): name for each, name in classes.items()}
        self._seen, self.count = set[str](), 0
        self._declared = declared
        self._numbered = len(classes) > 1 and self._names.keys() == {str(number) for number in range(len(classes))}

    def __call__(self, label: str) -> bool:
        """Whether a label is −1 and says that a row has none."""
        found = self._numbered and _plain(label) == "-1"
        self.count += found
        if not found:
            self._seen.add(_plain(label))
        return found

    def require(self, place: str) -> dict[str, int]:
        """Return the number of unlabelled rows, by reason.

        Raises:
            DataError: The other labels are not 0 … C−1, so that −1 may be one of them.
        """
        if self.count and self._seen and not self._declared and self._seen != self._names.keys():
            classes, _ = labels_option(
                "data", dict(zip(["-1", *sorted(self._seen)], self._names.values(), strict=False))
            )
            none, _ = labels_option("data", {"-1": "", **self._names})
            raise DataError(
                f"{place}: {self.count} gold labels are -1, and the others are {shown_names(sorted(self._seen))}, not "
                f"0 to {len(self._names) - 1}. If -1 is a class, name it: {classes}; if it says that a row has no "
                f"label: {none}"
            )
        return {self.REASON: self.count} if self.count else {}


def relabelled(
    written: Sequence[str] | Mapping[str, str] | None, names: Mapping[str, str]
) -> list[str] | dict[str, str]:
    """Apply new names to the value of an option ``labels``: a list, a mapping, or None if the option is not set."""
    if isinstance(written, list):
        return [names.get(name, name) for name in written]
    own = dict(written) if isinstance(written, Mapping) else {}
    renamed = {key: names.get(name, name) for key, name in own.items()}
    return {**renamed, **{label: name for label, name in names.items() if label not in {*own, *own.values()}}}


def labels_option(part: str, labels: Mapping[str, str] | Sequence[str]) -> tuple[str, str]:
    """Write the option ``labels`` for a user to paste.

    Args:
        part: ``"model"`` or ``"data"``.
        labels: The value of the option.

    Returns:
        The option for the command line, and the line for a suite.
    """
    written = json.dumps(labels, ensure_ascii=False)
    return f"--{part} {shlex.quote(f'labels={written}')}", f"labels: {written}"
