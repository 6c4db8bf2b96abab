"""Read the data that the user names on the command line: a path, or a data source."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from robustfim.commands import Chosen
from robustfim.errors import DataError
from robustfim.example import Example
from robustfim_cues.choices.choice import is_choice

__all__ = ["read_data", "require_choices"]

_SOURCES = {".xml": "copa", ".csv": "csv", ".tsv": "pairs", ".parquet": "parquet"}


def read_data(data: str, options: Sequence[str] = ()) -> list[Example]:
    """Read labelled data.

    Args:
        data: A file, or the name of a data source. The suffix of a file chooses the source; a JSON Lines file of
            choices is read by ``copa``.
        options: Options of the data source, ``KEY=VALUE``.

    Raises:
        UsageError: The data source or an option does not exist.
        DataError: The data cannot be read.
    """
    path = Path(data)
    given, named = list(options), json.dumps(data, ensure_ascii=False)  # a name is not YAML, whatever it looks like
    if path.suffix in {*_SOURCES, ".jsonl"}:
        source = _of_lines(path) if path.suffix == ".jsonl" else _SOURCES[path.suffix]
        use = [] if any(each.startswith("use=") for each in given) else [f"use={source}"]
        given = [*use, f"path={named}", *given]
    else:
        given = [f"use={named}", *given]
    (pair,) = Chosen.take({"data": tuple(given)}).model_and_data()
    if pair.data is None:
        raise DataError(f"{data} names no data.")
    return list(pair.data.make().load())


def require_choices(examples: Sequence[Example], data: str) -> None:
    """Check that all examples have two alternatives.

    Raises:
        DataError: An example lacks the field ``choice1`` or ``choice2``.
    """
    if not all(is_choice(example.fields) for example in examples):
        raise DataError(f"{data} holds no choices between two alternatives, the fields choice1 and choice2.")


def _of_lines(path: Path) -> str:
    """Name the source of a JSON Lines file, by its first row."""
    try:
        with path.open(encoding="utf-8-sig") as file:
            row = json.loads(next(line for line in file if line.strip()))
    except (OSError, ValueError, StopIteration, RecursionError):
        return "jsonl"  # which tells what is wrong
    if not isinstance(row, dict):
        return "jsonl"
    return "copa" if {"choice1", "alternatives"} & row.keys() else "jsonl"
