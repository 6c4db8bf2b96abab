"""Convert the long lists of a record to tables of a database, and tables back to lists."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from operator import attrgetter
from typing import Any

from pydantic import TypeAdapter

from robustfim.record.database import Database, Table
from robustfim.record.example_table import PLAIN, ExampleRows, ExampleTable, nested_row
from robustfim.whole_file import defined

__all__ = ["FIRST", "TRIALS", "StoredExamples", "joined", "small", "tables_of"]

_ANY = TypeAdapter(Any)

FIRST = 100
"""The number of failures per check that are in ``results.json``; the database has all failures."""

_TESTED = ("again", "importance", "tested")
"""The columns of the table of examples that have values only for the examples in ``Record.examples``."""

TRIALS = ("check", "example", "value", "right_before", "right_after", "abstained", "by_step")
"""The columns of the table of trials, a row for each example that a check tested; the file adds ``partner``."""
_ERRORS = ("check", "kind", "example", "wrong")
_DRAWN = ("stratum", "example")
_MEMBERS = ("slice", "example")
_EDITS = ("check", "before", "after", "tried", "broken")
_SIDES = {f"{side}{end}": (side, part) for side in ("before", "after")
          for end, part in (("", "label"), ("_probabilities", "probabilities"))}  # fmt: skip
_FAILURES = (
    "id", "check", "example", "arm", "before", "before_probabilities", "right_before", "after", "after_probabilities",
    "right_after", "label", "margin", "reason", "queries", "review", "fields", "edits", "step", "shift", "tried",
    "shrunk", "reproduce",
)  # fmt: skip
_JSON = {
    "probabilities", "infinite", "again", "importance", "before_probabilities", "after_probabilities", "fields",
    "edits", "step", "shift", "tried", "shrunk",
}  # fmt: skip
"""The columns whose values are written in JSON."""
_VALUES = attrgetter(*(".".join(_SIDES.get(name, (name,))) for name in _FAILURES))
_WRITTEN = [place for place, name in enumerate(_FAILURES) if name in _JSON]


class StoredExamples:
    """The table of all examples of a run, read from its database.

    Args:
        database: The database, which is opened at the first access.
        rows: The number of examples in the database, according to the record.
    """

    def __init__(self, database: Database, rows: int) -> None:
        self._database, self._rows = database, rows

    def __len__(self) -> int:
        return self._rows

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the columns.

        Raises:
            UsageError: The file is missing, malformed, or lacks a required column.
        """
        known = self._database.columns("examples")
        return (*PLAIN, *(name for name in known if name not in PLAIN and name not in _TESTED))

    def rows(self, columns: Sequence[str]) -> Iterator[tuple[Any, ...]]:
        """Read the named columns, row by row.

        Raises:
            UsageError: The file is missing, malformed, or lacks a column.
        """
        yield from map(tuple, _example_values(self._database, columns))


def small(record: Any) -> dict[str, Any]:
    """Return the content of ``results.json``: a record without the rows that the database holds.

    The first failures of each check are kept, with their examples.
    """
    counted: Counter[str] = Counter()
    first = []
    for failure in record.failures:
        counted[failure.check] += 1
        if counted[failure.check] <= FIRST:
            first.append(failure)
    shown = {each.example for each in first}
    examples = [example for example in record.examples if example.id in shown]
    record = record.model_copy(update={"failures": first, "examples": examples})
    errors = {"__all__": {"examples", "wrong"}}
    left_out: Any = {
        "edits": True, "slices": {"__all__": {"members"}},
        "checks": {"__all__": {"examples": True, "partners": True, "errors": errors}},
    }  # fmt: skip
    made: dict[str, Any] = record.model_dump(mode="json", by_alias=True, exclude=left_out)
    for check in made["checks"]:
        check["numbers"] = None if check["numbers"] is None else {}
    made["selection"]["drawn"] = {name: [] for name in made["selection"]["drawn"]}
    return made


def tables_of(record: Any, table: ExampleTable, trials: Iterable[Sequence[Any]]) -> Iterator[Table]:
    """Return the tables to write into the database of a record.

    Args:
        record: The record.
        table: All usable examples of the run, including those in ``record.examples``.
        trials: The results of each check and example, in the order of the checks, with the values of ``TRIALS``.
    """
    columns = tuple(table.columns)
    yield Table("examples", (*columns, *_TESTED), _examples(record, table, columns), looked_up="tested")
    partners = {check.id: check.partners for check in record.checks}
    yield Table("trials", (*TRIALS, "partner"), ((*row, partners[row[0]].get(row[1])) for row in trials))
    yield Table("errors", _ERRORS, _errors(record))
    yield Table("drawn", _DRAWN, ((name, id) for name, ids in record.selection.drawn.items() for id in ids))
    yield Table(
        "members", _MEMBERS, ((record_slice.name, id) for record_slice in record.slices for id in record_slice.members)
    )
    yield Table("failures", _FAILURES, map(_failure, record.failures))
    yield Table("edits", _EDITS, ([getattr(edit, name) for name in _EDITS] for edit in record.edits))


def _examples(record: Any, table: ExampleTable, columns: Sequence[str]) -> Iterator[Sequence[Any]]:
    tested = {example.id: (place, example) for place, example in enumerate(record.examples)}
    own = columns.index("id")
    for row in table.rows(columns):
        found = tested.pop(row[own], None)
        yield (*row, None, None, None) if found is None else _example(*found, columns)
    for found in tested.values():
        yield _example(*found, columns)


def _example(place: int, example: Any, columns: Sequence[str]) -> Sequence[Any]:
    (row,) = ExampleRows([example.model_dump()]).rows(columns)
    return (*row, _json(example.again), _json(example.importance), place)


def _errors(record: Any) -> Iterator[Sequence[Any]]:
    for check in record.checks:
        for kind, error in check.errors.items():
            wrong = set(error.wrong)
            yield from ((check.id, kind, id, id in wrong) for id in error.examples)


def _failure(failure: Any) -> Sequence[Any]:
    values = [*_VALUES(failure)]
    for place in _WRITTEN:
        values[place] = _json(values[place])
    return values


def joined(made: dict[str, Any], database: Database) -> dict[str, Any]:
    """Add the rows of a database to the content of ``results.json``; the reverse of :func:`small`.

    Args:
        made: The content of ``results.json`` as plain JSON values.
        database: The database of the record.

    Raises:
        UsageError: The database is missing, damaged, or of another run.
        KeyError, TypeError, ValueError: ``made`` is not the content of a record.
    """
    checks: dict[str, dict[str, Any]] = {check["id"]: check for check in made["checks"]}
    for check in checks.values():
        check |= {"examples": [], "partners": {}}
        for error in check.get("errors", {}).values():
            error |= {"examples": [], "wrong": []}
    for id, example, value, partner in database.rows("trials", ("check", "example", "value", "partner")):
        check = checks[id]
        check["examples"].append(example)
        if check.get("numbers") is not None and value:
            check["numbers"][example] = value
        if partner is not None:
            check["partners"][example] = partner
    for id, kind, example, wrong in database.rows("errors", _ERRORS):
        error = checks[id]["errors"][kind]
        error["examples"].append(example)
        if wrong:
            error["wrong"].append(example)
    for stratum, example in database.rows("drawn", _DRAWN):
        made["selection"]["drawn"][stratum].append(example)
    slices = {each["name"]: each.setdefault("members", []) for each in made["slices"]}
    for name, example in database.rows("members", _MEMBERS):
        slices[name].append(example)
    made["failures"] = [_read_failure(row) for row in database.rows("failures", _FAILURES)]
    made["edits"] = [dict(zip(_EDITS, row, strict=True)) for row in database.rows("edits", _EDITS)]
    made["examples"] = [*_read_examples(database)]
    return made


def _read_examples(database: Database) -> Iterator[dict[str, Any]]:
    columns = [name for name in database.columns("examples") if name != "tested"]
    for values in _example_values(database, columns, where="tested"):
        yield nested_row(columns, values)


def _example_values(database: Database, columns: Sequence[str], where: str = "") -> Iterator[list[Any]]:
    """Read columns of the examples row by row, with each value as it is in a record."""
    read = [(place, make) for place, name in enumerate(columns) if (make := _reader(name)) is not None]
    for row in database.rows("examples", columns, where):
        values = [*row]
        for place, make in read:
            if values[place] is not None:
                values[place] = make(values[place])
        yield values


def _read_failure(row: Sequence[Any]) -> dict[str, Any]:
    values = [*row]
    for place in _WRITTEN:
        if values[place] is not None:
            values[place] = _read_json(values[place])
    made = dict(zip(_FAILURES, values, strict=True))
    for side in ("before", "after"):
        made[side] = {"label": made[side], "probabilities": made.pop(f"{side}_probabilities")}
    return made


def _reader(column: str) -> Callable[[Any], Any] | None:
    """How to read the values of a column of examples; None for values that are texts or numbers."""
    return _read_json if column in _JSON else bool if column == "correct" else None


def _json(value: Any) -> str | None:
    """Write a value as JSON, with null for a number that is not finite."""
    if value is None or value == []:
        return None if value is None else "[]"
    try:
        return _ANY.dump_json(value).decode()
    except ValueError:  # half of a surrogate pair: its escape is valid JSON
        return json.dumps(defined(_ANY.dump_python(value)))


def _read_json(text: str) -> Any:
    try:
        return _ANY.validate_json(text)
    except ValueError:  # half of a surrogate pair, or no JSON
        return json.loads(text)
