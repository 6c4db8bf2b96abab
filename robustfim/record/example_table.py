"""The table of examples: all data about every example of a run, read row by row."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Protocol

__all__ = ["PLAIN", "ExampleRows", "ExampleTable", "FlatRows", "columns_of", "nested", "nested_row"]

PLAIN = ("id", "label", "prediction", "probabilities", "correct", "cluster", "arm", "infinite")
"""The columns of every table; columns of texts and scores are ``fields.NAME`` and ``scores.NAME``."""

_NESTED = ("fields", "scores")


class ExampleTable(Protocol):
    """The rows of a run's usable examples, in the order of the data.

    Attributes:
        columns: The names of the columns, starting with :data:`PLAIN`.
    """

    @property
    def columns(self) -> Sequence[str]:
        """Names of the columns."""

    def __len__(self) -> int:
        """How many rows there are."""

    def rows(self, columns: Sequence[str]) -> Iterator[tuple[Any, ...]]:
        """Read some columns row by row, since the rows may not fit into memory.

        Args:
            columns: Names out of ``columns``.

        Returns:
            For each row the values of the columns: texts, numbers, booleans, lists of them, or None.
        """


class ExampleRows:
    """A table of rows in memory. Fits :class:`ExampleTable`.

    Args:
        rows: The values of each example as a nested mapping, as in a record.
    """

    def __init__(self, rows: Sequence[Mapping[str, Any]]) -> None:
        self._rows = rows
        fields, scores = ([name for row in rows for name in row[kind]] for kind in _NESTED)
        self.columns = columns_of(dict.fromkeys(fields), dict.fromkeys(scores))

    def __len__(self) -> int:
        return len(self._rows)

    def rows(self, columns: Sequence[str]) -> Iterator[tuple[Any, ...]]:
        """Read some columns, row by row."""
        return (tuple(_value(row, name) for name in columns) for row in self._rows)


class FlatRows:
    """A table of rows that lie flat. Fits :class:`ExampleTable`.

    Args:
        columns: The names of the columns.
        number: How many rows there are.
        read: Returns the rows, each with a value for every column.
    """

    def __init__(self, columns: Sequence[str], number: int, read: Callable[[], Iterable[Sequence[Any]]]) -> None:
        self.columns, self._number, self._read = tuple(columns), number, read

    def __len__(self) -> int:
        return self._number

    def rows(self, columns: Sequence[str]) -> Iterator[tuple[Any, ...]]:
        """Read some columns, row by row."""
        places = [self.columns.index(name) for name in columns]
        return (tuple(row[place] for place in places) for row in self._read())


def columns_of(fields: Sequence[str] | Mapping[str, Any], scores: Sequence[str] | Mapping[str, Any]) -> tuple[str, ...]:
    """Return the names of a table's columns."""
    return (*PLAIN, *(f"fields.{name}" for name in fields), *(f"scores.{name}" for name in scores))


def nested(table: ExampleTable) -> Iterator[dict[str, Any]]:
    """Read the rows of a table in the form of a record, as :func:`nested_row` makes them."""
    return (nested_row(table.columns, row) for row in table.rows(table.columns))


def nested_row(columns: Sequence[str], values: Iterable[Any]) -> dict[str, Any]:
    """Return a row of a table in the form of a record: ``fields`` and ``scores`` are mappings.

    Args:
        columns: The names of the columns.
        values: The row's values. A field that is None is left out, since the example lacks it.
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
