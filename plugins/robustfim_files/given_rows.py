"""Data given by a script: a data frame, or a list of texts, mappings or examples."""

from __future__ import annotations

import importlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from robustfim.errors import DataError, UsageError
from robustfim.example import Example
from robustfim_files.gold_spans import Offsets
from robustfim_files.rows import Columns, FromRows, Limit, Names, Rows, require_distinct

__all__ = ["GivenRows"]


class GivenRows(FromRows):
    """The rows of a data frame, of an Arrow table or of a list.

    Args:
        rows: A data frame of pandas or polars, or another object that exports Arrow; or a list of texts, of mappings
            from columns to values, or of examples. A suite file cannot contain rows.
        text: The text column, or several, each a field under its own name.
        label: The column of gold labels; if a text may have several labels at once, one column of 0 and 1 for each
            label. By default ``label``, if this column exists.
        spans: The column of gold spans, instead of labels, in the forms that ``jsonl`` accepts.
        labels: Names for the labels 0, 1, … (a list), or a mapping from old to new names.
        limit: The largest number of examples; null for all.
        offsets: The unit in which the starts and ends of spans are counted, such as ``characters``. If a span also
            gives its text, this text must equal the part of the row's text.

    Raises:
        UsageError: ``rows`` is of another type, or an option has no usable value.
    """

    def __init__(
        self,
        rows: Any,
        text: Columns = "text",
        label: Columns | None = None,
        spans: str | None = None,
        labels: Names = None,
        limit: Limit = None,
        offsets: Offsets = "characters",
    ) -> None:
        frame = callable(getattr(rows, "to_dict", None)) or hasattr(rows, "__arrow_c_stream__")
        if not frame and (isinstance(rows, str | bytes | Mapping) or not hasattr(rows, "__iter__")):
            raise UsageError(f"'rows' is a data frame or a list of rows that a script gives, not {rows!r:.60}.")
        if frame and not hasattr(rows, "iloc"):
            try:
                rows = importlib.import_module("pyarrow").table(rows)
            except ModuleNotFoundError:
                kind = type(rows).__name__
                raise UsageError(f"a {kind} is read with pyarrow: pip install 'robustfim[data]'.") from None
        names = getattr(rows, "column_names", getattr(rows, "columns", None)) if frame else None
        if names is None:
            names = dict.fromkeys(str(key) for row in rows if isinstance(row, Mapping) for key in row)
        columns = [*map(str, names)]
        require_distinct("the data", columns)
        arrow = hasattr(rows, "column_names")
        self._given = rows.to_pylist() if arrow else rows.to_dict("records") if frame else list(rows)
        self._columns = columns or ["text"]
        label = "label" if label is None and "label" in self._columns else label
        self._rows = Rows(
            Path("the data"), text=text, label=label, labels=labels, limit=limit, spans=spans, offsets=offsets
        )

    def load(self) -> Iterator[Example]:
        """Return the examples, in the order of the rows."""
        if self._given and all(isinstance(each, Example) for each in self._given):
            yield from self._given[: self._rows.limit]
            return
        rows = ((f"row {number}", self._row(row, number)) for number, row in enumerate(self._given))
        yield from self._rows.examples(self._columns, rows)

    @staticmethod
    def _row(row: Any, number: int) -> Mapping[str, Any]:
        if not isinstance(row, Mapping):
            raise DataError(
                f"row {number} is {row!r:.60}, not a mapping of columns to values. Give a data frame with named "
                "columns: pandas.DataFrame(rows, columns=['text', 'label'])."
            )
        named = {str(key): value for key, value in row.items()}  # a frame's columns may be numbers
        if len(named) < len(row):
            require_distinct(f"row {number}", [str(key) for key in row])
        return named
