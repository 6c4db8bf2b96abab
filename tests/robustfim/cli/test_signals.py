from __future__ import annotations

import os
import signal
import threading

import pytest

from robustfim.cli.signals import _ENDING, interrupting


@pytest.mark.parametrize("number", _ENDING)
def test_a_signal_that_ends_a_run_is_an_interrupt(number: signal.Signals) -> None:
    def wait() -> None:
        with interrupting():
            os.kill(os.getpid(), number)
            signal.pause()

    with pytest.raises(KeyboardInterrupt):
        wait()


def test_what_was_done_with_signals_before_is_done_again() -> None:
    before = [signal.getsignal(number) for number in _ENDING]
    with pytest.raises(KeyboardInterrupt), interrupting():
        os.kill(os.getpid(), signal.SIGTERM)
    assert [signal.getsignal(number) for number in _ENDING] == before


def test_another_thread_changes_nothing() -> None:
    found = []

    def work() -> None:
        with interrupting():
            found.append(signal.getsignal(signal.SIGTERM))

    before = signal.getsignal(signal.SIGTERM)
    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert found == [before]
