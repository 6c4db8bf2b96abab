"""Data of the hub, or of a folder that the datasets library can read."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar

from robustfim.errors import DataError, UsageError, did_you_mean, shown
from robustfim.example import Example
from robustfim.prediction import gold_answers
from robustfim_huggingface.checkpoint.library import library, reason

__all__ = ["HubDataset"]


class HubDataset:
    """A split of a Hugging Face dataset, from the hub or from a folder.

    A folder is one that ``save_to_disk`` wrote, or one of Parquet, CSV or JSON files. Code that comes with a
    dataset is never run. Needs ``pip install 'robustfim[data]'``.

    Args:
        path: A hub id, or a folder; in a script also what the library has loaded.
        split: The split. A folder that ``save_to_disk`` wrote of one split alone gives that one.
        text: The text column, or several, each a field under its own name.
        label: The column of gold labels; null when there is none.
        name: The configuration, for a dataset with several.
        labels: Names for the labels 0, 1, …; by default the dataset's own.
        limit: The largest number of examples; null for all.
        revision: The hub's branch, tag or commit.

    Attributes:
        skipped: Rows left out by the last ``load``: a reason to a count.

    Raises:
        UsageError: No text column is named, or one twice, or ``limit`` is below 1.
    """

    libraries: ClassVar = {"datasets": "robustfim[data]"}

    def __init__(
        self,
        path: Path | str | Any,
        split: str = "test",
        text: str | list[str] = "text",
        label: str | None = "label",
        name: str | None = None,
        labels: list[str] | None = None,
        limit: int | None = None,
        revision: str | None = None,
    ) -> None:
        self._fields = (text,) if isinstance(text, str) else tuple(text)
        if not self._fields or len(set(self._fields)) < len(self._fields):
            raise UsageError(f"'text' names one column, or several different ones, not {list(self._fields)}.")
        if limit is not None and limit < 1:
            raise UsageError(f"{limit=} leaves no example; it is at least 1, or null for all.")
        self._given = None if isinstance(path, Path | str) else path
        self._path = path if self._given is None else f"the {type(path).__name__}"
        self._split, self._name, self._revision = split, name, revision
        self._label, self._labels, self._limit = label, labels, limit
        self.skipped: dict[str, int] = {}

    def load(self) -> Iterator[Example]:
        """Read the examples, in the dataset's order."""
        dataset = self._open()
        columns = dataset.column_names
        # What a script has loaded may be unlabelled; of a named dataset that is said.
        if self._given is not None and self._label == "label" and "label" not in columns:
            self._label = None
        self._require_columns(columns)
        names = self._labels or getattr(dataset.features.get(self._label), "names", None)
        skipped: Counter[str] = Counter()
        self.skipped = skipped
        made = 0
        for number, row in enumerate(dataset, start=1):
            fields = {column: row[column] for column in self._fields}
            place = f"{self._path} ({self._split}), row {number}"
            for column, value in fields.items():
                if value is not None and not isinstance(value, str):
                    raise DataError(
                        f"{place}: column {column!r} holds {type(value).__name__} ({value!r:.60}), not text."
                    )
            if None in fields.values():
                skipped["missing text"] += 1
            elif not any(value.strip() for value in fields.values()):
                skipped["empty text"] += 1
            else:
                value = None if self._label is None else row[self._label]
                several = gold_answers(value)  # SQuAD's datasets have more than one
                gold = [_gold_label(each, names, place) for each in ([value] if several is None else several)]
                others = {key: value for key, value in row.items() if key not in (*self._fields, self._label)}
                yield Example(fields, gold[0], others, tuple(each for each in gold[1:] if each is not None))
                made += 1
                if made == self._limit:
                    return
        if not made:
            why = ", ".join(f"{count} × {cause}" for cause, count in skipped.items()) or "it has no rows"
            raise DataError(f"{self._path}: no usable example in split {self._split!r}: {why}.")

    def _open(self) -> Any:
        """Open the split with the datasets library."""
        if self._given is not None:
            return self._one_of(self._given)
        datasets = library("datasets", extra="data", error=DataError)
        folder = Path(self._path)
        if isinstance(self._path, Path) and not folder.is_dir():
            raise DataError(
                f"{folder} is a file; read it with 'csv', 'jsonl' or 'parquet'."
                if folder.is_file()
                else f"no folder {folder}."
            )
        if (folder / "dataset_dict.json").is_file() or (folder / "state.json").is_file():  # as save_to_disk writes them
            return self._one_of(self._call(datasets.load_from_disk, str(folder)))
        options: dict[str, Any] = {"name": self._name}
        if not folder.is_dir():
            options["revision"] = self._revision
        if int(datasets.__version__.partition(".")[0]) < 4:
            # Later versions run no dataset's code at all, and complain of the argument.
            options["trust_remote_code"] = False
        try:
            return self._call(datasets.load_dataset, str(self._path), split=self._split, **options)
        except DataError as error:
            if "nknown split" not in str(error.__cause__):
                raise
            return self._one_of(self._call(datasets.load_dataset, str(self._path), **options))

    def _call(self, read: Any, *arguments: Any, **options: Any) -> Any:
        """Call the library, and give whatever goes wrong its context."""
        try:
            return read(*arguments, **options)
        except Exception as error:  # the library, the hub's client and the file formats raise what they like
            raise DataError(
                f"no dataset {self._path} could be read: {reason(error)} A folder holds Parquet, CSV or JSON files, "
                "or what 'save_to_disk' wrote; a hub dataset needs a connection the first time."
            ) from error

    def _one_of(self, found: Any) -> Any:
        """Take the split out of what was found: several splits, or one alone."""
        if not isinstance(found, Mapping):
            return found
        if self._split not in found:
            raise DataError(
                f"{self._path}: no split {self._split!r}.{did_you_mean(self._split, found)} Splits: {', '.join(found)}."
            )
        return found[self._split]

    def _require_columns(self, columns: Sequence[str]) -> None:
        for option, name in [*(("text", each) for each in self._fields), ("label", self._label)]:
            if name is None or name in columns:
                continue
            unlabelled = "; data without labels says 'label: null'" if option == "label" else ""
            raise DataError(
                f"{self._path}: no column {shown(name)} for '{option}'.{did_you_mean(name, columns)} "
                f"Columns: {', '.join(columns)}. Name the right one: '{option}: COLUMN', or --data "
                f"{option}=COLUMN{unlabelled}."
            )


def _gold_label(value: Any, names: Sequence[str] | None, place: str) -> str | None:
    """Name a label; a blank one, and the hub's −1 for an unlabelled row, are None."""
    if (
        value is None
        or (isinstance(value, str) and not value.strip())
        or (isinstance(value, float) and math.isnan(value))
    ):
        return None
    if not isinstance(value, str | int | float):
        raise DataError(f"{place}: a label is text or a number, not {type(value).__name__} ({value!r:.60}).")
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if names is None or value in names:
        return str(value).lower() if isinstance(value, bool) else str(value)
    if value == -1:
        return None
    if not isinstance(value, int) or not 0 <= value < len(names):
        raise DataError(f"{place}: label {value!r} has no name in {', '.join(names)}.")
    return names[value]
