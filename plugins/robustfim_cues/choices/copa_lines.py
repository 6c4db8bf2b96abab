"""Read instances in COPA's form from JSON Lines, with this project's keys or the keys of SuperGLUE and the hub."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from robustfim.errors import DataError
from robustfim.example import Example
from robustfim.reading import json_rows
from robustfim_cues.choices.choice import LABELS, choice, mirrored_number

__all__ = ["read_lines", "read_row"]


def read_lines(lines: Sequence[str], name: str) -> Iterator[Example]:
    """Read COPA instances (a premise with two alternatives) from JSON Lines.

    Args:
        lines: The lines; blank lines are skipped.
        name: The file, for error messages.

    Yields:
        The examples, in the order of the lines.

    Raises:
        DataError: A line is malformed, or lacks a key.
    """
    for count, (place, row) in enumerate(json_rows(lines, name), start=1):
        yield read_row(row, place, count)


def read_row(row: Mapping[str, Any], place: str, count: int) -> Example:
    """Convert one row to an example with a premise, a question and two alternatives.

    The right alternative stands under ``answer`` (1 or 2), or under ``label`` (0 or 1) as in SuperGLUE and on the hub.
    ``mirrors`` is the number of the original that this row mirrors. If ``mirrors`` is missing, the original is derived
    from the number of the row, as in Balanced COPA.

    Args:
        row: The keys and values of the row.
        place: The file and line, for error messages.
        count: The number of the instance if the row has neither ``id`` nor ``idx``.

    Raises:
        DataError: A key is missing or its value malformed.
    """
    number = str(row.get("id", row.get("idx", count)))
    mirrors = mirrored_number(number) if row.get("mirrors") is None else str(row["mirrors"])
    return choice(
        _text(row, "premise", place), _text(row, "question", place), _alternatives(row, place), _gold(row, place),
        number=number, mirrors=mirrors, place=place,
    )  # fmt: skip


def _text(row: Mapping[str, Any], key: str, place: str) -> str:
    value = row.get(key)
    if not isinstance(value, str):
        raise DataError(f"{place}: {key!r} must be a text, not {value!r:.40}.")
    return value


def _alternatives(row: Mapping[str, Any], place: str) -> list[str]:
    listed = row.get("alternatives")
    if isinstance(listed, list) and all(isinstance(each, str) for each in listed):
        return listed
    if listed is not None:
        raise DataError(f"{place}: 'alternatives' must be a list of texts, not {listed!r:.40}.")
    names = ["choice1", "choice2", *sorted(key for key in row if key.startswith("choice") and key[6:] not in LABELS)]
    return [_text(row, name, place) for name in names]


def _gold(row: Mapping[str, Any], place: str) -> str:
    """The right alternative, "1" or "2"; what is none of them is told by whoever makes the example."""
    if (answer := row.get("answer")) is not None:
        return str(answer)
    label = row.get("label")
    if label is None or label == -1:
        return ""
    if isinstance(label, bool) or label not in (0, 1):
        raise DataError(f"{place}: 'label' is 0 or 1, as in SuperGLUE, not {label!r:.40}; 'answer' is 1 or 2.")
    return LABELS[label]
