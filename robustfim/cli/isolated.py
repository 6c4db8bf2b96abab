"""Run a suite in a child process: the run has an exit code and reports even if the child process dies."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
import traceback
from collections.abc import Callable
from contextlib import suppress
from multiprocessing.connection import Connection, wait
from pathlib import Path

from robustfim.cli.signals import ENDING, handled, interrupting
from robustfim.commands import Chosen
from robustfim.errors import RobustfimError
from robustfim.outcome import ExitCode
from robustfim.terminal.error_line import print_error, tell

__all__ = ["run_isolated"]

Run = Callable[[Path, tuple[str, ...], Chosen, dict[str, Path], Callable[[], None]], ExitCode]


def run_isolated(run: Run, path: Path, only: tuple[str, ...], chosen: Chosen, names: dict[str, Path]) -> ExitCode:
    """Run one suite in a child process, and write the reports of the run if the child process dies.

    ``os._exit`` in a model, a crash of an extension or the system's out-of-memory killer ends a process without a
    message. The parent process imports no model, so it survives and reports the results of the checks until then.

    Args:
        run: The function of a module that runs a suite. It calls its last argument when the suite is opened.
        path: The suite file.
        only: Names of the checks to run; empty for all.
        chosen: The typed options.
        names: The suites that ran before, by name; this suite is added.

    Returns:
        The exit code of the run; the code of a failed run if the child process died.
    """
    context = multiprocessing.get_context("spawn")  # a fork would share what may be broken
    here, there = context.Pipe(duplex=False)
    process = context.Process(target=_child, args=(there, run, path, only, chosen, names))
    with handled(lambda number, frame: _forward(process.pid, number)):
        process.start()
        there.close()
        opened, ended = False, None
        with suppress(EOFError, OSError):
            while ended is None:
                told = here.recv()
                opened, ended = True, None if told == "opened" else told
        process.join()
    if ended is not None:
        names.update(ended[1])
        return ExitCode(ended[0])
    return _report_death(_cause(process.exitcode or 0), path, only, chosen, opened=opened)


def _child(
    parent: Connection, run: Run, path: Path, only: tuple[str, ...], chosen: Chosen,
    names: dict[str, Path],
) -> None:  # fmt: skip
    """Run the suite and tell how it ended."""
    with suppress(OSError):
        os.setpgrp()  # a Ctrl-C comes through the parent, once
    _end_with_the_parent()
    with interrupting():
        try:
            code = run(path, only, chosen, names, lambda: parent.send("opened"))
        except RobustfimError as error:
            parent.send("opened")
            code = tell(error, chosen.color)
        except KeyboardInterrupt:
            code = ExitCode.INTERRUPTED
        except Exception:  # a defect of robustfim
            traceback.print_exc()
            code = ExitCode.INTERNAL_ERROR
    parent.send((int(code), names))
    parent.close()


def _report_death(cause: str, path: Path, only: tuple[str, ...], chosen: Chosen, *, opened: bool) -> ExitCode:
    message = f"the process of the run died: {cause}"
    if not opened:  # what killed it may be a plugin, which would kill this process as well
        print_error(f"{path}: {message}, before the suite was read.", chosen.color)
        return ExitCode.FAILED
    from robustfim.terminal.series import tell_death

    for session in chosen.sessions(path, only):
        tell_death(session, chosen.console(), f"{message}.")
    return ExitCode.FAILED


def _cause(code: int) -> str:
    if code >= 0:
        return f"something in it ended it with exit code {code}"
    number = -code
    name = signal.Signals(number).name if number in set(signal.Signals) else f"signal {number}"
    likely = {"SIGKILL": ", perhaps for want of memory", "SIGSEGV": ", a crash in compiled code"}
    return f"killed by {name}{likely.get(name, '')}"


def _forward(child: int | None, number: int) -> None:
    if child is not None:
        with suppress(ProcessLookupError):
            os.kill(child, number)


def _end_with_the_parent() -> None:
    """Interrupt the run when nobody waits for it any more."""
    parent = multiprocessing.parent_process()
    if parent is None:
        return

    def watch() -> None:
        wait([parent.sentinel])
        os.kill(os.getpid(), ENDING[0])

    threading.Thread(target=watch, daemon=True).start()
