"""Parquet files."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, ClassVar

from robustfim.errors import DataError
from robustfim.example import Example
from robustfim.reading import require_file
from robustfim_files.rows import Rows

__all__ = ["ParquetFile"]

BATCH = 1024
"""Rows that are in memory at a time."""


class ParquetFile:
    """Rows of a Parquet file. Needs pyarrow: ``pip install 'robustfim[data]'``.

    Args:
        path: The file.
        text: The text column, or several, each a field under its own name.
        label: The column of gold labels; of several labels at once a list, or a column each, which holds 0 or 1;
            null when there is none.
        labels: Names for the labels 0, 1, … (a list), or new names for some (a mapping).
        limit: The largest number of examples; null for all.
    """

    libraries: ClassVar = {"pyarrow": "robustfim[data]"}

    def __init__(
        self,
        path: Path,
        text: str | list[str] = "text",
        label: str | list[str] | None = "label",
        labels: list[str] | dict[str, str] | None = None,
        limit: int | None = None,
    ) -> None:
        self._rows = Rows(path, text=text, label=label, labels=labels, limit=limit)
        self._path = path

    @property
    def skipped(self) -> dict[str, int]:
        """The rows that the last ``load`` left out: a reason to a count."""
        return self._rows.skipped

    def load(self) -> Iterator[Example]:
        """Read the examples, in the file's order."""
        require_file(self._path)
        try:
            parquet: Any = importlib.import_module("pyarrow.parquet")
            arrow: Any = importlib.import_module("pyarrow")
        except ModuleNotFoundError:
            raise DataError(f"{self._path}: Parquet needs pyarrow: pip install 'robustfim[data]'.") from None
        try:
            with parquet.ParquetFile(self._path) as file:
                yield from self._rows.examples(file.schema_arrow.names, self._values(file))
        except (arrow.ArrowException, OSError) as error:
            raise DataError(f"{self._path} cannot be read as Parquet: {error}.") from error

    def _values(self, file: Any) -> Iterator[tuple[str, dict[str, Any]]]:
        number = 0
        for batch in file.iter_batches(batch_size=BATCH):
            for row in batch.to_pylist():
                number += 1
                yield f"{self._path}: row {number}", row
