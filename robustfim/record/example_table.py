"""The table of examples: texts, labels, predictions and scores of every example of a run, read row by row."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Protocol

__all__ = ["PLAIN", "ExampleRows", "ExampleTable", "FlatRows", "columns_of", "nested", "nested_row"]

PLAIN = ("id", "label", "prediction", "probabilities", "correct", "cluster", "arm", "infinite")
"""The columns of every table; columns of texts and scores are ``fields.NAME`` and ``scores.NAME``."""

_NESTED = ("fields", "scores")


class ExampleTable(Protocol):
    """A table with one row per usable example of a run, in the order of the data.

    Attributes:
        columns: The names of the columns, starting with :data:`PLAIN`.
    """

    @property
    def columns(self) -> Sequence[str]:
        """Names of the columns."""

    def __len__(self) -> int:
        """How many rows there are."""

    def rows(self, columns: Sequence[str]) -> Iterator[tuple[Any, ...]]:
        """Read the named columns row by row, since the whole table may not fit into memory.

        Args:
            columns: Names of columns of the table.

        Returns:
            The values of each row: texts, numbers, booleans, lists of these, or None.
        """


class ExampleRows:
    """A table of examples (:class:`ExampleTable`) made of nested rows in memory.

    Args:
        rows: One nested mapping per example, as in a record.
    """

    def __init__(self, rows: Sequence[Mapping[str, Any]]) -> None:
        self._rows = rows
        fields, scores = ([name for row in rows for name in row[kind]] for kind in _NESTED)
        self.columns = columns_of(dict.fromkeys(fields), dict.fromkeys(scores))

    def __len__(self) -> int:
        return len(self._rows)

    def rows(self, columns: Sequence[str]) -> Iterator[tuple[Any, ...]]:
        """Read the named columns, row by row."""
        return (tuple(_value(row, name) for name in columns) for row in self._rows)


class FlatRows:
    """A table of examples (:class:`ExampleTable`) made of flat rows with one value per column.

    Args:
        columns: The names of the columns.
        number: The number of rows.
        read: A function that returns the rows, each with a value for every column.
    """

    def __init__(self, columns: Sequence[str], number: int, read: Callable[[], Iterable[Sequence[Any]]]) -> None:
        self.columns, self._number, self._read = tuple(columns), number, read

    def __len__(self) -> int:
        return self._number

    def rows(self, columns: Sequence[str]) -> Iterator[tuple[Any, ...]]:
        """Read the named columns, row by row."""
        places = [self.columns.index(name) for name in columns]
        return (tuple(row[place] for place in places) for row in self._read())


def columns_of(fields: Sequence[str] | Mapping[str, Any], scores: Sequence[str] | Mapping[str, Any]) -> tuple[str, ...]:
    """Return the names of the columns of a table with the given fields and scores."""
    return (*PLAIN, *(f"fields.{name}" for name in fields), *(f"scores.{name}" for name in scores))


def nested(table: ExampleTable) -> Iterator[dict[str, Any]]:
    """Read the rows of a table as nested mappings, as :func:`nested_row` makes them."""
    return (nested_row(table.columns, row) for row in table.rows(table.columns))


def nested_row(columns: Sequence[str], values: Iterable[Any]) -> dict[str, Any]:
    """Return a row of a table as a nested mapping, as in a record: ``fields`` and ``scores`` are mappings.

    Args:
        columns: The names of the columns.
        values: The values of the row. A field with the value None is left out, since the example lacks this field.
    """
    made: dict[str, Any] = {kind: {} for kind in _NESTED}
    for name, value in zip(columns, values, strict=True):
        kind, dot, key = name.partition(".")
        if not dot:
            made[name] = value
        elif value is not None or kind == "scores":
            made[kind][key] = value
    return made | {"infinite": made["infinite"] or []}


def _value(row: Mapping[str, Any], column: str) -> Any:
    kind, dot, name = column.partition(".")
    return row[kind].get(name) if dot and kind in _NESTED else row[column]
