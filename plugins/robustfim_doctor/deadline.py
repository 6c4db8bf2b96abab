"""A deadline: a plugin of one run that stops it when its time is up, and keeps what was done."""

from __future__ import annotations

import time

from robustfim.hookspecs import hookimpl

__all__ = ["Deadline"]

_PREDICT = "predict"
_LONG = 1e9
"""Seconds of a scan without a limit."""


class Deadline:
    """Stops a run as Ctrl-C does: what is counted by then is in the record.

    Args:
        seconds: From now on; None for as long as it takes.

    Attributes:
        passed: Whether it ended a run because its time was up.
        unchanged: The seconds that must be left while unchanged texts are predicted, or the run ends; 0 for any.
        predicted: The number of unchanged texts that were predicted when a run ended for that reason; 0 if none did.
    """

    def __init__(self, seconds: float | None) -> None:
        self._end = time.monotonic() + (_LONG if seconds is None else seconds)
        self.passed = False
        self.unchanged, self.predicted = 0.0, 0

    @property
    def left(self) -> float:
        """Seconds that are left, ≥ 0."""
        return max(0.0, self._end - time.monotonic())

    @hookimpl(tryfirst=True)
    def robustfim_progress(self, stage: str, done: int, total: int) -> None:
        """Look at the clock whenever something was done."""
        if stage == _PREDICT and 0 < done < total and self.left < self.unchanged:
            self.unchanged, self.predicted = 0.0, done
            raise KeyboardInterrupt
        if not self.left and not self.passed:
            self.passed = True
            raise KeyboardInterrupt
