"""The spool: a run's examples on disk, since they may not fit into memory."""

from __future__ import annotations

import json
import sqlite3
from abc import ABC, abstractmethod
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence, ValuesView
from itertools import compress, count, groupby, islice
from typing import Any, TypeVar, overload

from robustfim.errors import UsageError
from robustfim.example import Example
from robustfim.spans import is_spans, read_spans, written_spans

__all__ = ["BLOCK", "ByExample", "Examples", "Spool"]

T = TypeVar("T")

BLOCK = 4096
"""The number of examples that are in memory as objects at a time."""

_DENSE = 16
"""A block is read as a whole if at least one in this many examples of the block is wanted."""

_READ = json.JSONDecoder().raw_decode  # what was written here stands alone


class Spool:
    """A temporary file that holds the examples of a run, without repeated texts.

    The other columns of a row (``meta``) are stored as JSON if this loses nothing, otherwise kept in memory.

    Attributes:
        columns: Names of the fields and of other columns, in the order of their first occurrence.
        fields: Names of the fields only.
        unclaimed: Labels whose gold spans are removed when examples are read.
    """

    def __init__(self) -> None:
        self._connection = sqlite3.connect("", isolation_level=None, check_same_thread=False)
        self._connection.execute("PRAGMA journal_mode=OFF")
        self._connection.execute("CREATE TABLE examples (row INTEGER PRIMARY KEY, id TEXT UNIQUE, written TEXT)")
        self._size = 0
        self._besides: dict[str, Mapping[str, Any]] = {}
        self._block: tuple[int, list[Example]] = (-1, [])
        self._rows: dict[str, int] = {}  # of the ids asked for last
        self.fields: dict[str, None] = {}
        self.columns: dict[str, None] = {}
        self.unclaimed: frozenset[str] = frozenset()

    def __len__(self) -> int:
        return self._size

    def add(self, examples: Iterable[Example]) -> None:
        """Add the examples whose text is new.

        Raises:
            UsageError: The disk is full.
        """
        waiting = iter(examples)
        while block := list(islice(waiting, BLOCK)):
            new: dict[str, Example] = {}
            for example in block:
                new.setdefault(example.id, example)
            rows = [(id, self._written(example)) for id, example in new.items()]
            try:
                self._connection.execute("BEGIN")
                insert = "INSERT OR IGNORE INTO examples (id, written) VALUES (?, ?)"
                added = self._connection.executemany(insert, rows).rowcount
                self._connection.execute("COMMIT")
            except sqlite3.Error as error:
                raise UsageError(
                    f"the examples cannot be kept on disk while the run goes on: {error}. Name a folder with more room "
                    "by the environment variable SQLITE_TMPDIR."
                ) from error
            self._size += added
        self._block = (-1, [])

    def leave_out(self, labels: Iterable[str]) -> None:
        """Remove the gold spans of some labels from every example that is read from now on."""
        self.unclaimed, self._block = frozenset(labels), (-1, [])

    def known(self, ids: Iterable[str]) -> dict[str, Example]:
        """Read the examples with the given ids; unknown ids are left out."""
        query = "SELECT row FROM examples WHERE id IN (SELECT value FROM json_each(?)) ORDER BY row"
        found = self._connection.execute(query, (json.dumps([*ids]),)).fetchall()
        return {example.id: example for example in self.read(row - 1 for (row,) in found)}

    def row(self, id: str) -> int | None:
        """The row number of an example in the file, from 0; None if the id is unknown."""
        if id not in self._rows:
            fetched = self._connection.execute("SELECT row FROM examples WHERE id = ?", (id,)).fetchone()
            if fetched is None:
                return None
            if len(self._rows) == BLOCK:
                self._rows.clear()
            self._rows[id] = int(fetched[0]) - 1
        return self._rows[id]

    def ids(self, rows: range) -> Iterator[str]:
        """The ids of adjacent examples, in order."""
        for start in range(rows.start, rows.stop, BLOCK):
            last = min(start + BLOCK, rows.stop)
            found = self._connection.execute("SELECT id FROM examples WHERE row BETWEEN ? AND ?", (start + 1, last))
            yield from (each for (each,) in found.fetchall())

    def read(self, rows: Iterable[int]) -> Iterator[Example]:
        """Read the examples at the given places."""
        for block, group in groupby(rows, lambda row: row // BLOCK):
            wanted = list(group)
            if block == self._block[0] or len(wanted) * _DENSE >= min(BLOCK, self._size):
                if block != self._block[0]:
                    self._block = (block, self._select(block * BLOCK + 1, (block + 1) * BLOCK))
                held = self._block[1]
                yield from (held[row % BLOCK] for row in wanted)
            else:
                for row in wanted:
                    yield from self._select(row + 1, row + 1)

    def _select(self, first: int, last: int) -> list[Example]:
        query = "SELECT id, written FROM examples WHERE row BETWEEN ? AND ?"
        return [self._example(*row) for row in self._connection.execute(query, (first, last))]

    def _written(self, example: Example) -> str:
        fields, meta = dict(example.fields), dict(example.meta)
        self.fields.update(dict.fromkeys(fields))
        self.columns.update(dict.fromkeys((*fields, *meta)))
        if not _is_plain(meta):
            self._besides.setdefault(example.id, example.meta)
            meta = {}
        return json.dumps([fields, example.label, meta, example.accepted])

    def _example(self, id: str, written: str) -> Example:
        (fields, label, meta, accepted), _ = _READ(written)
        if self.unclaimed and is_spans(label):
            label = written_spans(span for span in read_spans(label) if span.label not in self.unclaimed)
        example = Example(fields, label, self._besides.get(id, meta), tuple(accepted))
        vars(example)["id"] = id  # what the property would compute and keep
        return example


class Examples(Sequence[Example]):
    """A sequence of examples that are read from a temporary file (spool) at every access.

    Args:
        spool: The temporary file.
        rows: The row numbers of the examples in the file, ascending.
    """

    def __init__(self, spool: Spool, rows: Sequence[int]) -> None:
        self.spool, self.rows = spool, rows

    @classmethod
    def of(cls, examples: Iterable[Example]) -> Examples:
        """Write examples to a temporary file (spool), unless they are in one already.

        Args:
            examples: Any number of examples; of examples with equal texts the first is kept.
        """
        if isinstance(examples, Examples):
            return examples
        spool = Spool()
        spool.add(examples)
        return cls(spool, range(len(spool)))

    @property
    def columns(self) -> Mapping[str, None]:
        """Names of the fields and of other columns, in the order of their first occurrence."""
        return self.spool.columns

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[Example]:
        return self.spool.read(self.rows)

    @overload
    def __getitem__(self, place: int) -> Example: ...
    @overload
    def __getitem__(self, place: slice) -> Examples: ...
    def __getitem__(self, place: int | slice) -> Example | Examples:
        if isinstance(place, slice):
            return Examples(self.spool, self.rows[place])
        return next(self.spool.read([self.rows[place]]))

    def ids(self) -> Iterator[str]:
        """The ids of the examples, in order."""
        if isinstance(self.rows, range) and self.rows.step == 1:
            return self.spool.ids(self.rows)
        return (example.id for example in self)

    def place(self, id: str) -> int | None:
        """The index of an example in this sequence, from 0; None if the sequence lacks the example."""
        row = self.spool.row(id)
        if row is None:
            return None
        if isinstance(self.rows, range):
            return self.rows.index(row) if row in self.rows else None
        place = bisect_left(self.rows, row)
        return place if place < len(self.rows) and self.rows[place] == row else None

    def among(self, ids: Iterable[str]) -> Iterator[Example]:
        """Read the examples with the given ids, in the order of this sequence.

        Args:
            ids: Any ids; unknown ids are left out.
        """
        places = sorted(place for place in map(self.place, ids) if place is not None)
        return self.spool.read([self.rows[place] for place in places])

    def windows(self, size: int) -> Iterator[tuple[int, list[Example]]]:
        """Read the examples in windows of adjacent examples."""
        for start in range(0, len(self.rows), size):
            yield start, list(self[start : start + size])

    def joined(self, others: Iterable[Example]) -> Examples:
        """Return this sequence followed by the other examples whose texts are new."""
        if len(self.rows) != len(self.spool):
            return Examples.of([*self, *others])
        self.spool.add(others)
        return Examples(self.spool, range(len(self.spool)))


class ByExample(Mapping[str, T], ABC):
    """A compact mapping from example id to a value, in the order of the examples.

    Args:
        examples: The examples.
        held: For each example 1 if it has a value, else 0, ``[examples]``.
    """

    def __init__(self, examples: Examples, held: bytearray) -> None:
        self.examples, self._held = examples, held

    @abstractmethod
    def at(self, place: int) -> T | None:
        """Return the value of the example at a place, from 0; None for an example without a value."""

    def places(self) -> Iterator[int]:
        """The places of the examples with a value, in order."""
        return compress(count(), self._held)

    def __getitem__(self, id: str) -> T:
        place = self.examples.place(id)
        found = None if place is None else self.at(place)
        if found is None:
            raise KeyError(id)
        return found

    def __iter__(self) -> Iterator[str]:
        return compress(self.examples.ids(), self._held)

    def __len__(self) -> int:
        return self._held.count(1)

    def values(self) -> ValuesView[T]:
        """The values, in the order of the examples."""
        return _Values(self)


class _Values(ValuesView[T]):
    """The values, without the ids."""

    def __init__(self, column: ByExample[T]) -> None:
        super().__init__(column)
        self._column = column

    def __iter__(self) -> Iterator[T]:
        found = map(self._column.at, self._column.places())
        return (value for value in found if value is not None)


def _is_plain(value: Any) -> bool:
    """Whether JSON gives a value back as it was."""
    if type(value) is dict:
        return all(type(key) is str and _is_plain(item) for key, item in value.items())
    if type(value) is list:
        return all(map(_is_plain, value))
    return value is None or type(value) in (str, int, float, bool)
