"""End a check after its time limit, and report which plugin or model is at work if a run makes no progress."""

from __future__ import annotations

import signal
import sys
import threading
import time
from collections.abc import Callable
from types import FrameType, TracebackType

from robustfim.blame import at_work
from robustfim.errors import PluginError

__all__ = ["StandstillWatch", "TimeLimit", "TimeoutReached"]

_STANDSTILL = 60.0
"""Seconds without progress after which the run reports who is at work."""


class TimeoutReached(BaseException):
    """The time of a check is up. Plugins cannot catch it with ``except Exception``."""


class TimeLimit:
    """A context manager that interrupts its body when its time is up; each further entry uses the remaining time.

    In the main thread of a process, except on Windows, a signal interrupts any Python code, even an endless loop.
    Elsewhere only calls of :meth:`look` end the body.

    Attributes:
        spent: Seconds spent in the body so far.
    """

    def __init__(self, seconds: float | None) -> None:
        self._seconds, self.spent = seconds, 0.0
        self._end, self._inside = float("inf"), False
        self._alarm = seconds is not None and hasattr(signal, "setitimer")
        self._alarm = self._alarm and threading.current_thread() is threading.main_thread()

    def __enter__(self) -> TimeLimit:
        self._began = time.monotonic()
        left = max(1e-3, (self._seconds or 0.0) - self.spent)
        if self._seconds is not None:
            self._end = self._began + left
        if self._alarm:
            self._before = signal.signal(signal.SIGALRM, self._ring)
            # Again after every second: a plugin may have caught the first.
            signal.setitimer(signal.ITIMER_REAL, left, 1.0)
        self._inside = True
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._inside = False
        if self._alarm:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, self._before)
        self.spent += time.monotonic() - self._began
        if isinstance(error, TimeoutReached):  # outside of any plugin
            raise PluginError(str(error)) from None

    def look(self) -> None:
        """Raise an error if the time is up.

        Raises:
            TimeoutReached: The time is up.
        """
        if time.monotonic() > self._end:
            self._stop()

    def _ring(self, number: int, frame: FrameType | None) -> None:
        """Stop what runs inside; an alarm on the way in or out would leave the timer running."""
        if self._inside and not (frame is not None and frame.f_code is TimeLimit.__exit__.__code__):
            self._stop()

    def _stop(self) -> None:
        raise TimeoutReached(f"the check took longer than its 'timeout' of {self._seconds:g} s.")


class StandstillWatch:
    """A watch that reports, after a minute without progress, which plugin or model is running; once per standstill.

    Args:
        tell: Called with the sentence, from a separate thread.
        seconds: The time without progress after which to report.
    """

    def __init__(self, tell: Callable[[str], object] | None = None, seconds: float = _STANDSTILL) -> None:
        self._tell = tell or (lambda text: sys.stderr.write(f"robustfim: {text}\n"))
        self._seconds = seconds
        self._last, self._told = time.monotonic(), False
        self._over = threading.Event()

    def moved(self) -> None:
        """Record that the run made progress."""
        self._last, self._told = time.monotonic(), False

    def __enter__(self) -> StandstillWatch:
        self.moved()
        threading.Thread(target=self._watch, daemon=True).start()
        return self

    def __exit__(self, *error: object) -> None:
        self._over.set()

    def _watch(self) -> None:
        while not self._over.wait(self._seconds / 12):
            if not self._told and time.monotonic() - self._last >= self._seconds:
                self._told = True
                who = at_work()
                what = f"{who} is at work" if who else "robustfim itself is at work"
                self._tell(f"no progress for {self._seconds:g} s: {what}. 'timeout: SECONDS' in a check bounds it.")
