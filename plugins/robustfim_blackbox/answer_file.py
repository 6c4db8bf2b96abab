"""Files of answers, and files of texts that have no answer yet: JSON Lines or CSV."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import Any

from robustfim.errors import DataError, ModelError, UsageError
from robustfim.example import Example, content_id
from robustfim.labels import match_name
from robustfim.reading import csv_rows, json_rows, read_text
from robustfim.whole_file import writing
from robustfim_blackbox.answers import read_answers

__all__ = ["AnswerFile", "require_suffix", "write_texts"]

_JSON_LINES = {".jsonl", ".ndjson", ".json"}
_RESERVED = ("id", "label", "probabilities")


@dataclass(frozen=True)
class _Answered:
    """One row with an answer."""

    place: str
    columns: Mapping[str, Any]
    row: list[Any]


class AnswerFile:
    """The answers to texts, read from a file.

    A row has the exported ``id`` of a text, or the text's fields. It also has a ``label``, or ``probabilities`` (in
    JSON a list or a mapping, in CSV a column for each label). A row without label and probabilities has no answer yet.

    Args:
        path: The file. A missing file counts as a file without answers.
        labels: The labels, ``[classes]``.
        logits: Whether ``probabilities`` are logits.

    Attributes:
        blank: The number of rows without an answer.

    Raises:
        ModelError: The file cannot be read, a row is malformed, or one text has two different answers.
    """

    def __init__(self, path: Path, labels: Sequence[str], *, logits: bool = False) -> None:
        self.path = path
        self._answered: list[_Answered] = []
        self.blank = 0
        for place, columns in _rows(path):
            given = _given(columns, labels, place)
            if given is None:
                self.blank += 1
            else:
                row = read_answers([given], labels, expected=1, source=place, logits=logits)[0]
                self._answered.append(_Answered(place, columns, row))
        self._indexes: dict[tuple[str, ...], dict[str, _Answered]] = {}

    def __len__(self) -> int:
        return len(self._answered)

    def find(self, example: Example) -> list[Any] | None:
        """Find a model's answer to an example in the file.

        Returns:
            The answer's probabilities, ``[classes]``; None if there is no answer.

        Raises:
            ModelError: One text has two different answers.
        """
        names = tuple(example.fields)
        if names not in self._indexes:
            self._indexes[names] = self._index(names)
        found = self._indexes[names].get(example.id)
        return None if found is None else found.row

    def _index(self, names: tuple[str, ...]) -> dict[str, _Answered]:
        index: dict[str, _Answered] = {}
        for answered in self._answered:
            key = answered.columns.get("id")
            if not key and all(isinstance(answered.columns.get(name), str) for name in names):
                key = content_id({name: answered.columns[name] for name in names})
            if not key:
                raise ModelError(
                    f"{answered.place}: neither an 'id' nor the fields {', '.join(names)} name the answered text. Add "
                    "one of these columns."
                )
            other = index.setdefault(str(key), answered)
            if other.row != answered.row:
                raise ModelError(
                    f"{answered.place} and {other.place} give different answers to the text with id {key}. "
                    "Delete one of these two rows."
                )
        return index


def require_suffix(path: Path, option: str) -> None:
    """Check the suffix of a file's name.

    Raises:
        UsageError: The name does not end in .jsonl or .csv.
    """
    if path.suffix.lower() not in _JSON_LINES | {".csv"}:
        raise UsageError(f"{option}: {path.name} must end in .jsonl or .csv.")


def write_texts(path: Path, examples: Iterable[Example], labels: Sequence[str]) -> None:
    """Write texts without an answer, each with its id. If writing fails, an existing file stays as it was.

    Raises:
        UsageError: The file cannot be written, or a field has the name of another column, such as ``id``.
    """
    rows = [{"id": example.id, **example.fields} for example in examples]
    names = list(dict.fromkeys(name for row in rows for name in row))
    is_csv = path.suffix.lower() == ".csv"
    taken = {*_RESERVED, *(labels if is_csv else ())} & {name for example in examples for name in example.fields}
    if taken:
        raise UsageError(f"the field {min(taken)!r} is named like a column of answers; rename this field.")
    part = path.with_name(f"{path.name}.part")
    with writing(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        with part.open("w", encoding="utf-8", errors="replace", newline="") as file:
            if is_csv:
                table = csv.DictWriter(file, names)
                table.writeheader()
                table.writerows(rows)
            else:
                file.writelines(f"{json.dumps(row, ensure_ascii=True)}\n" for row in rows)
        part.replace(path)


def _given(columns: Mapping[str, Any], labels: Sequence[str], place: str) -> Any:
    """What a row answers; None where it does not yet."""
    for name in ("probabilities", "label"):
        if columns.get(name) not in (None, ""):
            return columns[name]
    found = {label: match_name(label, columns) for label in labels}
    cells = {label: columns[name] for label, name in found.items() if name and columns[name] not in (None, "")}
    try:
        return {label: float(cell) for label, cell in cells.items()} or None
    except (TypeError, ValueError):
        raise ModelError(f"{place}: the columns {', '.join(cells)} must hold numbers, not {cells}.") from None


def _rows(path: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    if not path.exists():
        return
    is_csv = path.suffix.lower() == ".csv"
    try:
        file = StringIO(read_text(path), newline="" if is_csv else "\n")
        rows = csv_rows(file, path, strict=True) if is_csv else json_rows(file, path)
        # A file that was appended brings its header with it.
        yield from (row for row in rows if not is_csv or [*row[1]] != [*row[1].values()])
    except DataError as error:
        raise ModelError(str(error)) from None
