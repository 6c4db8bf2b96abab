"""The store: what a model has answered, on disk, so that nothing is computed twice."""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from robustfim.errors import UsageError

__all__ = ["Store", "key_of"]

_LAYOUT = 1
_MANY = 500


def key_of(*parts: Any) -> bytes:
    """Hash what decides an answer into a key.

    Args:
        parts: Plain values (text, numbers, lists, mappings).

    Returns:
        16 bytes.
    """
    canonical = json.dumps(parts, sort_keys=True, ensure_ascii=True, separators=(",", ":"), default=str)
    return hashlib.blake2b(canonical.encode(), digest_size=16).digest()


class Store:
    """A table of JSON values by key, in one SQLite file.

    Each ``put`` is committed at once: a kill loses at most the batch under way. A file that is damaged or of
    another layout is put aside and begun anew, since all of it can be computed again.

    Args:
        path: The file, made with its folder when missing; None keeps everything in memory.

    Raises:
        UsageError: The file cannot be opened or made.
    """

    def __init__(self, path: Path | None) -> None:
        self.path = path
        try:
            if path is not None:
                path.parent.mkdir(parents=True, exist_ok=True)
                _ignore_in_git(path.parent)
            try:
                self._connection = self._open()
            except sqlite3.DatabaseError as error:
                if not _damaged(error):
                    raise
                self._begin_anew()
        except (OSError, sqlite3.Error) as error:
            raise UsageError(
                f"the prediction store {path} cannot be used: {error}. Name another with --store."
            ) from error

    def _open(self) -> sqlite3.Connection:
        connection = sqlite3.connect(self.path or ":memory:", isolation_level=None, timeout=60)
        try:
            connection.execute("PRAGMA journal_mode=WAL")
            connection.execute("PRAGMA synchronous=NORMAL")
            connection.execute("BEGIN IMMEDIATE")  # two runs may begin one store at once
            if connection.execute("PRAGMA user_version").fetchone()[0] != _LAYOUT:
                connection.execute("DROP TABLE IF EXISTS answers")
                connection.execute(f"PRAGMA user_version={_LAYOUT}")
            connection.execute(
                "CREATE TABLE IF NOT EXISTS answers (key BLOB PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID"
            )
            connection.execute("COMMIT")
        except sqlite3.Error:
            connection.close()
            raise
        return connection

    def _begin_anew(self) -> None:
        """Put the damaged file aside and open an empty one."""
        assert self.path is not None  # noqa: S101  # memory is never damaged
        self.path.replace(self.path.with_suffix(".damaged"))
        for sidecar in ("-wal", "-shm"):
            self.path.with_name(self.path.name + sidecar).unlink(missing_ok=True)
        self._connection = self._open()

    def get(self, keys: Sequence[bytes]) -> dict[bytes, Any]:
        """Look keys up.

        Args:
            keys: Any number of keys; repeats are fine.

        Returns:
            The values of the keys that are known.

        Raises:
            UsageError: The file cannot be read.
        """
        found: dict[bytes, Any] = {}
        unique = list(dict.fromkeys(keys))
        try:
            for start in range(0, len(unique), _MANY):
                part = unique[start : start + _MANY]
                marks = ",".join("?" * len(part))
                rows = self._connection.execute(f"SELECT key, value FROM answers WHERE key IN ({marks})", part)  # noqa: S608  # marks are ?
                found.update((bytes(key), json.loads(value)) for key, value in rows)
        except sqlite3.DatabaseError as error:
            if not _damaged(error):
                raise UsageError(f"the prediction store {self.path} cannot be read: {error}.") from error
            self._connection.close()
            self._begin_anew()
        return found

    def put(self, values: Mapping[bytes, Any] | Iterable[tuple[bytes, Any]]) -> None:
        """Keep values, durably, all or none.

        Args:
            values: Plain JSON values by key.

        Raises:
            UsageError: The disk is full or the file cannot be written.
        """
        rows = [(key, json.dumps(value, separators=(",", ":"))) for key, value in dict(values).items()]
        try:
            self._connection.execute("BEGIN IMMEDIATE")
            self._connection.executemany("INSERT OR REPLACE INTO answers VALUES (?, ?)", rows)
            self._connection.execute("COMMIT")
        except sqlite3.Error as error:
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")
            raise UsageError(
                f"the prediction store {self.path} cannot be written: {error}. Name another with --store."
            ) from error

    def close(self) -> None:
        """Close the file."""
        self._connection.close()


def _damaged(error: sqlite3.DatabaseError) -> bool:
    """Whether the file itself is broken, rather than locked, full or forbidden."""
    return type(error) is sqlite3.DatabaseError


def _ignore_in_git(folder: Path) -> None:
    """Keep the folder out of the user's repository, as pytest does with its cache."""
    if folder.name == ".robustfim" and not (folder / ".gitignore").exists():
        (folder / ".gitignore").write_text("*\n", encoding="utf-8")
