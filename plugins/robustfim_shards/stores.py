"""Merge the stores of several shards into one store."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from robustfim.errors import UsageError
from robustfim.predict import Store

__all__ = ["gather"]


def gather(parts: Sequence[Path], whole: Path | None) -> int:
    """Copy the answers of several stores into one store. Entries that this store already has are kept.

    Args:
        parts: The files of the stores to copy from.
        whole: The file of the store to copy into; created if missing. None if nothing is stored on disk.

    Returns:
        The number of new entries: answers of models, and outputs of perturbations.

    Raises:
        UsageError: A file is missing or not a store, or ``whole`` is None.
    """
    if whole is None:
        raise UsageError("--no-store: a part keeps its answers in a store. Name the file with --store.")
    for part in parts:
        if not part.is_file():
            raise UsageError(f"{part}: there is no such file; name the stores that 'robustfim run --shard' wrote.")
        if part.absolute() == whole.absolute():
            raise UsageError(f"{part} is the file that receives the answers. Name another file with --store.")
        with part.open("rb") as file:
            if file.read(16) != b"SQLite format 3\0":
                raise UsageError(f"{part} is not a store: name the files that 'robustfim run --shard' wrote.")
    for path in (whole, *parts):  # whoever opens one makes it readable, or says why it is not
        with closing(Store(path)) as store:
            if store.warnings:
                raise UsageError(" ".join(store.warnings))
    with closing(sqlite3.connect(whole, isolation_level=None)) as connection:
        before = connection.total_changes
        for part in parts:
            connection.execute("ATTACH ? AS part", (str(part),))
            try:
                connection.execute("INSERT OR IGNORE INTO answers SELECT * FROM part.answers")
            except sqlite3.DatabaseError as error:
                raise UsageError(f"{part} cannot be read: {error}. Make this part again.") from error
            connection.execute("DETACH part")
        return connection.total_changes - before
