"""Turn signals that end a run into interruptions, so that the record is written as after Ctrl-C."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

__all__ = ["ENDING", "handled", "interrupting"]

ENDING = [
    getattr(signal, name) for name in ("SIGTERM", "SIGHUP", "SIGINT") if hasattr(signal, name)
]  # Windows has no SIGHUP
"""The signals that end a run: sent by a CI system, by a closed terminal or by a person."""


@contextmanager
def handled(handler: Callable[[int, Any], Any]) -> Iterator[None]:
    """Call ``handler`` for the signals that end a run, while the ``with`` block runs.

    Yields:
        Once. Outside the main thread, where Python handles no signals, nothing is changed.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {number: signal.signal(number, handler) for number in ENDING}
    try:
        yield
    finally:
        for number, old in before.items():
            signal.signal(number, signal.SIG_DFL if old is None else old)


def interrupting() -> Any:
    """Turn the signals that end a run into a ``KeyboardInterrupt``, like Ctrl-C."""
    return handled(_interrupt)


def _interrupt(number: int, frame: object) -> None:
    raise KeyboardInterrupt
