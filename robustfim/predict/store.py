"""The store: a model's answers on disk, so that nothing is computed twice."""

from __future__ import annotations

import errno
import hashlib
import json
import sqlite3
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from robustfim.errors import UsageError, shown_path

__all__ = ["Store", "key_of"]

_LAYOUT = 2
_TABLE = "CREATE TABLE answers (key BLOB PRIMARY KEY, value TEXT NOT NULL, checksum BLOB NOT NULL) WITHOUT ROWID"
_CANONICAL = json.JSONEncoder(sort_keys=True, separators=(",", ":"), default=str)
_COMPACT = json.JSONEncoder(separators=(",", ":"))
_MANY = 500
_PATIENCE = 60
"""Seconds to wait for a locked file."""
_LONGEST = 16 * 2**20
"""The most bytes of a value that is read; no answer is longer."""


def key_of(*parts: Any) -> bytes:
    """Return the store key of an answer: a hash of everything that decides the answer.

    Args:
        parts: Plain values (text, numbers, lists, mappings).

    Returns:
        16 bytes.
    """
    return hashlib.blake2b(_CANONICAL.encode(parts).encode(), digest_size=16).digest()


def _as_it_is(value: Any) -> Any:
    return value


class Store:
    """A store of plain values by key in one SQLite file, such as a model's answers.

    Each ``put`` is committed at once, so a killed run loses at most its current batch. Values are not trusted: each has
    a checksum that includes the key, and the caller of :meth:`get` checks its form. A value that fails either check
    counts as missing. A file that is damaged, or has other tables, is moved aside and started anew, since everything
    can be computed again. If the file can no longer be written, for instance on a full disk, it is kept, and the run
    continues in memory.

    Args:
        path: The file, made with its folder if missing; None to store everything in memory.

    Attributes:
        warnings: Problems with the file that did not stop the run, one sentence each.
        closed: Whether the store is closed.

    Raises:
        UsageError: The file cannot be opened or made.
    """

    def __init__(self, path: Path | None) -> None:
        self.path = path
        self.warnings: list[str] = []
        self.closed = False
        self._unreadable = 0
        self._fallback: Store | None = None
        try:
            if path is not None:
                path.parent.mkdir(parents=True, exist_ok=True)
                _ignore_in_git(path.parent)
            try:
                self._connection = _open(path)
            except sqlite3.DatabaseError as error:
                if not _damaged(error):
                    raise
                self._begin_anew()
        except (OSError, sqlite3.Error) as error:
            if not _full(error):
                raise UsageError(
                    f"the prediction store {path} cannot be used: {error}. Name another with --store."
                ) from error
            self._connection = _open(None)
            self._warn(error)

    @property
    def unreadable(self) -> int:
        """The number of values that could not be read, and so were computed again."""
        return self._unreadable + (0 if self._fallback is None else self._fallback.unreadable)

    def _begin_anew(self) -> None:
        """Put the damaged file aside and open an empty one."""
        assert self.path is not None  # noqa: S101  # memory is never damaged
        aside = self.path.with_suffix(".damaged")
        self.path.replace(aside)
        for sidecar in ("-wal", "-shm"):
            self.path.with_name(self.path.name + sidecar).unlink(missing_ok=True)
        self._connection = _open(self.path)
        self.warnings.append(
            f"the prediction store {shown_path(self.path)} was damaged; it is put aside as {aside.name}."
        )

    def _go_on_in_memory(self, error: Exception) -> Store:
        """Leave the file as it is, and keep what is put from now on in memory."""
        self._fallback = Store(None)
        self._warn(error)
        return self._fallback

    def _warn(self, error: Exception) -> None:
        place = shown_path(self.path or "")
        self.warnings.append(
            f"the prediction store {place} cannot be used further: {error}. The run goes on in memory; what it "
            "computes from here on is not kept for the next run."
        )

    def get(self, keys: Sequence[bytes], read: Callable[[Any], Any] = _as_it_is) -> dict[bytes, Any]:
        """Return the values of some keys.

        Args:
            keys: Any number of keys; repeats are allowed.
            read: Converts a JSON value; it raises a ValueError, TypeError, LookupError or ArithmeticError for a value
                that is not valid.

        Returns:
            The values of the keys that are known and valid.
        """
        values: dict[bytes, Any] = {}
        unique = list(dict.fromkeys(keys))
        if self._fallback is not None:
            values = self._fallback.get(unique, read)
            unique = [key for key in unique if key not in values]
        try:
            with _told_as_text():
                for start in range(0, len(unique), _MANY):
                    self._read(unique[start : start + _MANY], read, values)
        except sqlite3.DatabaseError as error:
            if _damaged(error):
                self._connection.close()
                self._begin_anew()
            elif self._fallback is None:
                self._go_on_in_memory(error)
        return values

    def _read(self, keys: Sequence[bytes], read: Callable[[Any], Any], values: dict[bytes, Any]) -> None:
        """Read those of some keys that are there, one after the other."""
        marks = ",".join("?" * len(keys))
        rows = self._connection.execute(
            "SELECT key, CAST(value AS BLOB), checksum FROM answers "  # noqa: S608  # marks are ?
            f"WHERE key IN ({marks}) AND length(CAST(value AS BLOB)) <= {_LONGEST}",
            keys,
        )
        for key, value, checksum in rows:
            try:
                if checksum != _checksum(key, value):
                    raise ValueError("another value stood here when it was written")
                values[bytes(key)] = read(json.loads(value.decode()))  # of bytes, json looks for the encoding first
            except (ValueError, TypeError, LookupError, ArithmeticError, RecursionError):
                self._unreadable += 1

    def put(self, values: Mapping[bytes, Any] | Iterable[tuple[bytes, Any]]) -> None:
        """Store values durably, all or none; in memory if the file can no longer be written.

        Args:
            values: Plain JSON values by key.
        """
        plain = dict(values)
        if self._fallback is not None:
            self._fallback.put(plain)
            return
        rows = []
        for key, value in plain.items():
            text = _COMPACT.encode(value)
            rows.append((key, text, _checksum(key, text.encode())))
        try:
            with _told_as_text():
                self._connection.execute("BEGIN")  # its first statement writes, and waits for its turn to
                self._connection.executemany("INSERT OR REPLACE INTO answers VALUES (?, ?, ?)", rows)
                self._connection.execute("COMMIT")
        except BaseException as error:  # an interrupt as well leaves no transaction open
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")
            if not isinstance(error, sqlite3.Error):
                raise
            self._go_on_in_memory(error).put(plain)

    def close(self) -> None:
        """Close the file."""
        self.closed = True
        self._connection.close()


def _open(path: Path | None) -> sqlite3.Connection:
    """Open or make a store, and wait while another process is opening it.

    SQLite does not wait to change the mode of the journal, whatever the timeout. It reports at once that the file is
    locked; the opening is then tried again.
    """
    patience = time.monotonic() + _PATIENCE
    while True:
        try:
            return _open_once(path)
        except sqlite3.OperationalError as error:
            if not _locked(error) or time.monotonic() > patience:
                raise
            time.sleep(0.02)


def _open_once(path: Path | None) -> sqlite3.Connection:
    connection = sqlite3.connect(path or ":memory:", isolation_level=None, timeout=_PATIENCE)
    connection.text_factory = bytes  # a damaged text need not be one
    try:
        with _told_as_text():
            connection.execute("PRAGMA trusted_schema=OFF")
            connection.execute("PRAGMA synchronous=OFF")  # of an empty store, a power cut takes nothing
            connection.execute("PRAGMA journal_mode=WAL")
            connection.execute("BEGIN IMMEDIATE")  # two runs may begin one store at once
            if connection.execute("PRAGMA user_version").fetchone()[0] != _LAYOUT:
                connection.execute("DROP TABLE IF EXISTS answers")
                connection.execute(_TABLE)
                connection.execute(f"PRAGMA user_version={_LAYOUT}")
            # A view or a trigger in the table's place would be run when the table is read or written.
            if connection.execute("SELECT sql FROM sqlite_master").fetchall() != [(_TABLE.encode(),)]:
                raise sqlite3.DatabaseError("its tables are not those of a store")
            connection.execute("COMMIT")
            connection.execute("PRAGMA synchronous=NORMAL")
            connection.execute("PRAGMA wal_autocheckpoint=10000")  # keys are in no order: a page is written many times
    except sqlite3.Error:
        connection.close()
        raise
    return connection


@contextmanager
def _told_as_text() -> Iterator[None]:
    """Take an error whose message holds a damaged name, which is no text, for the damage that it tells of."""
    try:
        yield
    except UnicodeDecodeError as error:
        raise sqlite3.DatabaseError("it names something that is no text") from error


def _checksum(key: bytes, value: bytes) -> bytes:
    """Tell a value that was damaged, or that answers another key, from the one that was put."""
    return hashlib.blake2b(value, key=key, digest_size=8).digest()


def _damaged(error: sqlite3.DatabaseError) -> bool:
    """Whether the file itself is broken, rather than locked, full or forbidden."""
    return type(error) is sqlite3.DatabaseError


def _locked(error: sqlite3.Error) -> bool:
    """Whether another process has the file for the moment; the error's first byte says so, the others how."""
    return (getattr(error, "sqlite_errorcode", None) or 0) & 0xFF in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)


def _full(error: Exception) -> bool:
    """Whether the disk has no room left, or cannot be written; where room ends at its index, SQLite says the latter."""
    if isinstance(error, OSError):
        return error.errno in (errno.ENOSPC, errno.EDQUOT)
    return (getattr(error, "sqlite_errorcode", None) or 0) & 0xFF in (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR)


def _ignore_in_git(folder: Path) -> None:
    """Keep the folder out of the user's repository, as pytest does with its cache."""
    if folder.name == ".robustfim" and not (folder / ".gitignore").exists():
        (folder / ".gitignore").write_text("*\n", encoding="utf-8")
