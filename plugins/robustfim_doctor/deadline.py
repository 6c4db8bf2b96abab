"""A deadline: a plugin of one run that stops it when its time is up, and keeps what was done."""

from __future__ import annotations

import time

from robustfim.hookspecs import hookimpl

__all__ = ["Deadline"]

_LONG = 1e9
"""Seconds of a scan without a limit."""


class Deadline:
    """Stops a run as Ctrl-C does: what is counted by then is in the record.

    Args:
        seconds: From now on; None for as long as it takes.
    """

    def __init__(self, seconds: float | None) -> None:
        self._end = time.monotonic() + (_LONG if seconds is None else seconds)
        self.passed = False

    @property
    def left(self) -> float:
        """Seconds that are left, ≥ 0."""
        return max(0.0, self._end - time.monotonic())

    @hookimpl(tryfirst=True)
    def robustfim_progress(self, stage: str, done: int, total: int) -> None:
        """Look at the clock whenever something was done."""
        if not self.left and not self.passed:
            self.passed = True
            raise KeyboardInterrupt
