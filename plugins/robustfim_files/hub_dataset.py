"""Data from the hub, or from a folder of the datasets library."""

from __future__ import annotations

import importlib
import textwrap
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, ClassVar

from robustfim.blame import told
from robustfim.errors import DataError, did_you_mean
from robustfim.example import Example
from robustfim.labels import class_names
from robustfim_files.rows import Columns, FromRows, Limit, Names, Rows

__all__ = ["HubDataset"]


class HubDataset(FromRows):
    """A split of a Hugging Face dataset, from the hub or from a folder.

    A folder must be written by ``save_to_disk``, or have Parquet, CSV or JSON files. Code in a dataset is never run.
    Needs ``pip install 'robustfim[data]'``.

    Args:
        path: A hub id, or a folder; in a script also an object loaded with the library.
        split: The split. If a folder of ``save_to_disk`` has only one split, the option is not needed.
        text: The text column, or several, each a field under its own name.
        label: The column of gold labels; if a text may have several labels at once, one column of 0 and 1 for each
            label; null for none.
        name: The configuration, for a dataset with several configurations.
        labels: Names for the labels 0, 1, … (a list), or new names for some (a mapping); by default the dataset's own.
        limit: The largest number of examples; null for all.
        revision: The hub's branch, tag or commit.

    Raises:
        UsageError: No column of texts or labels is named, a column is named twice, or ``limit`` is below 1.
    """

    libraries: ClassVar = {"datasets": "robustfim[data]"}

    def __init__(
        self,
        path: Path | str | Any,
        split: str = "test",
        text: Columns = "text",
        label: Columns | None = "label",
        name: str | None = None,
        labels: Names = None,
        limit: Limit = None,
        revision: str | None = None,
    ) -> None:
        self._given = None if isinstance(path, Path | str) else path
        self._path = path if self._given is None else f"the {type(path).__name__}"
        self._split, self._name, self._revision, self._labels = split, name, revision, labels
        self._rows = Rows(Path(f"{self._path} ({split})"), text=text, label=label, labels=labels, limit=limit)

    def load(self) -> Iterator[Example]:
        """Read the examples, in the dataset's order."""
        dataset, rows = self._open(), self._rows
        # What a script has loaded may be unlabelled; of a named dataset that is said.
        if self._given is not None and rows.label == "label" and "label" not in dataset.column_names:
            rows.label = None
        if own := getattr(dataset.features.get(rows.label), "names", None):
            names = class_names(own, self._labels, str(rows.path))
            rows.labels, rows.declared = {str(place): name for place, name in enumerate(names)}, True
        plain = dataset.with_format(None)  # a script may have asked for tensors, or for frames
        yield from rows.examples(
            dataset.column_names, ((f"{rows.path}, row {n}", row) for n, row in enumerate(plain, 1))
        )

    def _open(self) -> Any:
        """Open the split with the datasets library."""
        if self._given is not None:
            return self._one_of(self._given)
        try:
            datasets: Any = importlib.import_module("datasets")
        except ModuleNotFoundError as error:
            raise DataError(f"the library {error.name!r} is missing: pip install 'robustfim[data]'.") from error
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
                f"no dataset {self._path} could be read: {_reason(error)} A folder holds Parquet, CSV or JSON files, "
                "or what 'save_to_disk' wrote; a hub dataset needs a connection the first time."
            ) from error

    def _one_of(self, found: Any) -> Any:
        """Take the split out of what was found: several splits, or one alone."""
        if not isinstance(found, Mapping):
            return found
        if self._split not in found:
            way = f" Name one: --data split={next(iter(found), 'NAME')}."
            raise DataError(
                f"{self._path}: no split {self._split!r}.{did_you_mean(self._split, found)} "
                f"Splits: {', '.join(found)}.{way}"
            )
        return found[self._split]


def _reason(error: BaseException) -> str:
    """Tell in one line what the library complains of, from the bottom of its chain of errors."""
    while (deeper := error.__cause__) is not None:
        error = deeper
    # urllib3 writes its causes into one long text, the interesting one last.
    return textwrap.shorten(told(error).rpartition("(Caused by ")[2], 240, placeholder=" …").rstrip(".") + "."
