"""The checks that did not pass in the last run, for ``--lf``."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import Any

from robustfim.outcome import Outcome
from robustfim.record import Record
from robustfim.suite.config import RunConfig
from robustfim.whole_file import write_whole

__all__ = ["LastFailed"]

_BAD = {Outcome.FAILED, Outcome.ERROR, Outcome.XPASSED, Outcome.INCONCLUSIVE}


class LastFailed:
    """The checks of a suite that did not pass when they last ran; their ids are in a file beside the store.

    Args:
        config: The run; with ``--no-store`` the ids are neither read nor written.
    """

    def __init__(self, config: RunConfig) -> None:
        store = config.options.store
        self._path = None if store is None else store.parent / "lastfailed.json"
        self._suite = config.shown_path

    @property
    def ids(self) -> list[str]:
        """Return the ids of these checks; empty if no earlier run is known."""
        remembered = self._read().get(self._suite, [])
        return [str(each) for each in remembered] if isinstance(remembered, list) else []

    def update(self, record: Record) -> None:
        """Update the ids after a run; a check that did not run keeps its status."""
        if self._path is None:
            return
        ran = {check.id for check in record.checks}
        failed = {check.id for check in record.checks if check.outcome in _BAD}
        ids = sorted({each for each in self.ids if each not in ran} | failed)
        with suppress(OSError):  # a disk without room forgets, and the run has its outcome all the same
            write_whole(self._path, json.dumps({**self._read(), self._suite: ids}, indent=1).encode())

    def _read(self) -> dict[str, Any]:
        try:
            loaded = json.loads(self._path.read_text(encoding="utf-8")) if self._path is not None else {}
        except (OSError, ValueError):  # a memory that cannot be read is no memory
            return {}
        return loaded if isinstance(loaded, dict) else {}
