"""The partial record: a run's results so far, on disk in case the run is killed."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from robustfim.record import Record

__all__ = ["PARTIAL", "PartialRecord"]

PARTIAL = "results.partial.json"

_SHARE = 0.02
"""The largest fraction of a run's time for writing."""


class PartialRecord:
    """The file that holds the results of an unfinished run, beside ``results.json``.

    The file is written as checks finish, and marked as interrupted. The file is deleted when the run ends; it remains
    if the process is killed.

    Args:
        folder: The folder ``reports/<suite>``; None to write no file.
    """

    def __init__(self, folder: Path | None) -> None:
        self._path = None if folder is None else folder / PARTIAL
        self._next = 0.0

    @property
    def due(self) -> bool:
        """Whether to write the partial results now; writing takes at most a fiftieth of the run's time."""
        return self._path is not None and time.monotonic() >= self._next

    def write(self, make: Callable[[], Record], left: int) -> None:
        """Write the results so far; if the disk is full, keep the older file.

        Args:
            make: Makes the record so far, in the form for reports.
            left: The number of checks that have not run.
        """
        if self._path is None:
            return
        started = time.monotonic()
        record = make()
        message = f"the run was killed before it ended: {left} of {left + len(record.checks)} checks had not run."
        with suppress(OSError):
            record.model_copy(update={"interrupted": True, "message": message, "exit_code": 2}).dump_text(self._path)
        self._next = time.monotonic() + (time.monotonic() - started) / _SHARE

    def remove(self) -> None:
        """Delete the file."""
        if self._path is not None:
            with suppress(OSError):
                self._path.unlink(missing_ok=True)
