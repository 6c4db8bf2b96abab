"""Start and end the process of the command line; the start imports little, so that Ctrl-C is always reported."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import NoReturn

__all__ = ["main"]


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line, and end the process with an exit code of :class:`robustfim.outcome.ExitCode`.

    Args:
        arguments: The words after ``robustfim``; by default those of the process.

    Raises:
        SystemExit: Always, with the exit code.
    """
    if arguments is None:
        _spare_the_processor()
        _tell_who_leaves()
    try:
        try:
            from robustfim.cli.command_line import exit_code
        except KeyboardInterrupt:
            print("interrupted", file=sys.stderr)
            sys.exit(2)
        sys.exit(exit_code(arguments))
    finally:
        try:
            sys.stdout.flush()
        except (OSError, ValueError):  # the reader is gone; Python would end with its own exit code
            with suppress(OSError, ValueError):
                os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _spare_the_processor() -> None:
    """Let this process waste no processor time; only one that is robustfim's own."""
    # OpenMP's threads (torch's, scikit-learn's) wait for each other in a loop, which takes the time of a busy machine.
    os.environ.setdefault("OMP_WAIT_POLICY", "passive")
    # Counting references frees nearly all; looking for cycles as often as Python does is a tenth of a short run.
    gc.set_threshold(50_000, 20, 100)


def _tell_who_leaves() -> None:
    """Let ``os._exit`` in this process say who called it, and be a failure whatever its code; only in robustfim's."""
    own, leave = os.getpid(), os._exit

    def left(status: int) -> NoReturn:
        if os.getpid() != own:  # a fork leaves as it likes
            leave(status)
        from robustfim.blame import at_work
        from robustfim.outcome import ExitCode
        from robustfim.terminal.error_line import print_error

        try:
            who = at_work() or "something"
            print_error(f"{who} ended the process by os._exit({status}).")
            sys.stdout.flush()
        finally:
            leave(ExitCode.FAILED)

    os._exit = left
