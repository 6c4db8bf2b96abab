"""A deadline: a plugin of one run that stops the run when its time is up, and keeps the results so far."""

from __future__ import annotations

import time

from robustfim.hookspecs import hookimpl

__all__ = ["Deadline"]

_PREDICT = "predict"
_LONG = 1e9
"""Seconds of a scan without a limit."""


class Deadline:
    """Stops a run as Ctrl-C does; the record has everything that was counted by then.

    Args:
        seconds: The time from now on; None for no limit.

    Attributes:
        passed: Whether a run was stopped because its time was up.
        unchanged: A run is stopped if fewer seconds than this are left while it predicts unchanged texts; 0 to disable.
        predicted: The number of unchanged texts that were predicted when a run was stopped in this way; 0 if none was.
    """

    def __init__(self, seconds: float | None) -> None:
        self._end = time.monotonic() + (_LONG if seconds is None else seconds)
        self.passed = False
        self.unchanged, self.predicted = 0.0, 0

    @property
    def left(self) -> float:
        """Return the seconds that are left, ≥ 0."""
        return max(0.0, self._end - time.monotonic())

    @hookimpl(tryfirst=True)
    def robustfim_progress(self, stage: str, done: int, total: int) -> None:
        """Stop the run if its time is up; called whenever work was done."""
        if stage == _PREDICT and 0 < done < total and self.left < self.unchanged:
            self.unchanged, self.predicted = 0.0, done
            raise KeyboardInterrupt
        if not self.left and not self.passed:
            self.passed = True
            raise KeyboardInterrupt
