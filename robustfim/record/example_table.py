"""The table of examples: what is known of every example of a run, in columns, read block by block."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Protocol

__all__ = ["BLOCK", "PLAIN", "ExampleRows", "ExampleTable", "columns_of", "nested"]

BLOCK = 4096
"""Rows that are held at a time."""

PLAIN = ("id", "label", "prediction", "probabilities", "correct", "cluster", "arm", "infinite")
"""The columns that every table has; those of texts and scores are ``fields.NAME`` and ``scores.NAME``."""

_NESTED = ("fields", "scores")


class ExampleTable(Protocol):
    """Rows of a run's usable examples, in the order of the data.

    Attributes:
        columns: Their names, those of :data:`PLAIN` first.
    """

    @property
    def columns(self) -> Sequence[str]:
        """Names of the columns."""

    def __len__(self) -> int:
        """How many rows there are."""

    def blocks(self, columns: Sequence[str]) -> Iterator[Mapping[str, Sequence[Any]]]:
        """Read some columns, block by block.

        Args:
            columns: Names out of ``columns``.

        Returns:
            For each block the values of each column, ``[rows of the block]``: texts, numbers, booleans, lists of
            them, or None.
        """


class ExampleRows:
    """A table of rows that are held in memory. Fits :class:`ExampleTable`.

    Args:
        rows: For each example its values as a nested mapping, as a record has them.
    """

    def __init__(self, rows: Sequence[Mapping[str, Any]]) -> None:
        self._rows = rows
        self.columns = columns_of(
            dict.fromkeys(name for row in rows for name in row["fields"]),
            dict.fromkeys(name for row in rows for name in row["scores"]),
        )

    def __len__(self) -> int:
        return len(self._rows)

    def blocks(self, columns: Sequence[str]) -> Iterator[dict[str, list[Any]]]:
        """Read some columns, block by block."""
        for start in range(0, len(self._rows), BLOCK):
            block = self._rows[start : start + BLOCK]
            yield {name: [_value(row, name) for row in block] for name in columns}


def columns_of(fields: Sequence[str] | Mapping[str, Any], scores: Sequence[str] | Mapping[str, Any]) -> tuple[str, ...]:
    """Name the columns of a table.

    Args:
        fields: Names of the text fields.
        scores: Names of the scores.
    """
    return (*PLAIN, *(f"fields.{name}" for name in fields), *(f"scores.{name}" for name in scores))


def nested(columns: Mapping[str, Sequence[Any]]) -> Iterator[dict[str, Any]]:
    """Make the rows of a block as a record has them: ``fields`` and ``scores`` are mappings.

    Args:
        columns: A block with all columns.

    Returns:
        A mapping for each row; a field that a row does not have is left out.
    """
    plain = [name for name in columns if name in PLAIN]
    inner = {kind: [name for name in columns if name.startswith(f"{kind}.")] for kind in _NESTED}
    for row in range(len(columns["id"])):
        found = {name: columns[name][row] for name in plain}
        for kind, names in inner.items():
            values = {name.removeprefix(f"{kind}."): columns[name][row] for name in names}
            found[kind] = {name: each for name, each in values.items() if each is not None or kind == "scores"}
        yield found | {"infinite": found.get("infinite") or []}


def _value(row: Mapping[str, Any], column: str) -> Any:
    kind, dot, name = column.partition(".")
    return row[kind].get(name) if dot and kind in _NESTED else row[column]
