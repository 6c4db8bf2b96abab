"""Turn signals that end a run into interruptions, so that the record is written as after Ctrl-C."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["interrupting"]

_ENDING = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP", "SIGINT") if hasattr(signal, name)]
"""The signals that end a run: sent by a CI system, by a closed terminal or by a person."""


@contextmanager
def interrupting() -> Iterator[None]:
    """Turn the signals that end a run into a ``KeyboardInterrupt``, like Ctrl-C, while the ``with`` block runs.

    Yields:
        Once. Outside the main thread, where Python handles no signals, nothing is changed.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {number: signal.signal(number, _interrupt) for number in _ENDING}
    try:
        yield
    finally:
        for number, old in before.items():
            signal.signal(number, signal.SIG_DFL if old is None else old)


def _interrupt(number: int, frame: object) -> None:
    raise KeyboardInterrupt
