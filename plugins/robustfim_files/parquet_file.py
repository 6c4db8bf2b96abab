"""Parquet and Arrow files."""

from __future__ import annotations

import importlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, ClassVar

from robustfim.errors import DataError
from robustfim.example import Example
from robustfim.reading import require_file
from robustfim_files.rows import Columns, FromRows, Limit, Names, Rows

__all__ = ["ParquetFile"]

BATCH = 1024
"""The number of rows in memory at a time."""

_FILE = b"ARROW1"
"""The first bytes of an Arrow file (an Arrow stream begins differently)."""


class ParquetFile(FromRows):
    """Rows of a Parquet file, or of an Arrow file (``.arrow``, ``.feather``).

    Needs pyarrow: ``pip install 'robustfim[data]'``.

    Args:
        path: The file.
        text: The text column, or several, each a field under its own name.
        label: The column of gold labels; if a text may have several labels at once, a column of lists, or one column of
            0 and 1 for each label; null for none.
        labels: Names for the labels 0, 1, … (a list), or new names for some (a mapping).
        limit: The largest number of examples; null for all.
    """

    libraries: ClassVar = {"pyarrow": "robustfim[data]"}

    def __init__(
        self,
        path: Path,
        text: Columns = "text",
        label: Columns | None = "label",
        labels: Names = None,
        limit: Limit = None,
    ) -> None:
        self._rows = Rows(path, text=text, label=label, labels=labels, limit=limit)
        self._path = path

    def load(self) -> Iterator[Example]:
        """Read the examples, in the file's order."""
        require_file(self._path)
        try:
            arrow: Any = importlib.import_module("pyarrow")
            parquet: Any = importlib.import_module("pyarrow.parquet")
        except ModuleNotFoundError:
            raise DataError(f"{self._path}: Parquet needs pyarrow: pip install 'robustfim[data]'.") from None
        kind = "Arrow" if self._path.suffix.lower() in (".arrow", ".feather") else "Parquet"
        try:
            if kind == "Parquet":
                with parquet.ParquetFile(self._path) as file:
                    yield from self._examples(file.schema_arrow, file.iter_batches(batch_size=BATCH))
                return
            with self._path.open("rb") as file:
                stream = file.read(len(_FILE)) != _FILE  # as the library datasets caches a split
                file.seek(0)
                batches = arrow.ipc.open_stream(file) if stream else arrow.ipc.open_file(file)
                each = batches if stream else map(batches.get_batch, range(batches.num_record_batches))
                yield from self._examples(batches.schema, each)
        except (arrow.ArrowException, OSError) as error:
            raise DataError(f"{self._path} cannot be read as {kind}: {error}.") from error

    def _examples(self, schema: Any, batches: Iterable[Any]) -> Iterator[Example]:
        rows = enumerate((row for batch in batches for row in batch.to_pylist()), start=1)
        return self._rows.examples(schema.names, ((f"{self._path}: row {number}", row) for number, row in rows))
