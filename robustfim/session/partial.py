"""The partial record: what a run has found so far, on disk, in case that it is killed."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from robustfim.errors import UsageError
from robustfim.record import Record

__all__ = ["PARTIAL", "PartialRecord"]

PARTIAL = "results.partial.json"

_SHARE = 0.02
"""The share of a run's time that writing may take."""


class PartialRecord:
    """The record of a run that has not ended, beside the place of ``results.json``.

    It is written as checks finish, and says of itself that it was interrupted: nothing that reads it takes it for a
    run that passed. A run that ends, however it ends, takes it away.

    Args:
        folder: ``reports/<suite>``; None keeps none.
    """

    def __init__(self, folder: Path | None) -> None:
        self._path = None if folder is None else folder / PARTIAL
        self._next = 0.0

    @property
    def due(self) -> bool:
        """Whether it is to be written: always, but where that would take more than a fiftieth of the time."""
        return self._path is not None and time.monotonic() >= self._next

    def write(self, make: Callable[[], Record], left: int) -> None:
        """Write what is known; a disk without room keeps the older one.

        Args:
            make: Makes the record so far, as reports may have it; its time counts as well.
            left: How many checks have not run.
        """
        if self._path is None:
            return
        started = time.monotonic()
        record = make()
        message = f"the run was killed before it ended: {left} of {left + len(record.checks)} checks had not run."
        with suppress(OSError):
            record.model_copy(update={"interrupted": True, "message": message, "exit_code": 2}).dump(self._path)
        self._next = time.monotonic() + (time.monotonic() - started) / _SHARE

    def read(self) -> Record | None:
        """Read it; None where there is none, or none that can be read."""
        if self._path is None or not self._path.is_file():
            return None
        try:
            return Record.load(self._path)
        except UsageError:
            return None

    def remove(self) -> None:
        """Take it away."""
        if self._path is not None:
            with suppress(OSError):
                self._path.unlink(missing_ok=True)
