"""The printing of errors: one line on standard error for each mistake."""

from __future__ import annotations

from robustfim.errors import Mistakes, NothingCollected, PluginLoadError, RobustfimError, UsageError, shown_path
from robustfim.outcome import ExitCode

__all__ = ["print_error", "tell"]


_LONGEST = 4000
"""The most characters of a message that quotes the user's input."""

_MOST = 20
"""The most mistakes of a suite that are printed at once."""


def print_error(message: str, color: str = "auto") -> None:
    """Print ``ERROR: …`` on standard error, on one line.

    Args:
        message: The message; control characters are escaped.
        color: ``auto``, ``yes`` or ``no``.
    """
    from rich.text import Text

    from robustfim.printable import printable
    from robustfim.record.secrets import public_text
    from robustfim.terminal.console import make_console

    shown = printable(" ".join(public_text(shown_path(message)).split()))
    shown = shown if len(shown) <= _LONGEST else f"{shown[:_LONGEST]}…"
    line = Text("ERROR: ", style="bold red").append(shown, style="none")
    make_console(color, stderr=True).print(line, soft_wrap=True)


def tell(error: RobustfimError, color: str = "auto") -> ExitCode:
    """Print an error without a traceback; several mistakes are printed one per line.

    Args:
        error: The error.
        color: ``auto``, ``yes`` or ``no``.
    """
    told = error.errors if isinstance(error, Mistakes) else (error,)
    for problem in told[:_MOST]:
        print_error(str(problem), color)
    if len(told) > _MOST:
        print_error(f"and {len(told) - _MOST} more mistakes.", color)
    if isinstance(error, UsageError | PluginLoadError):
        return ExitCode.USAGE
    return ExitCode.NOTHING_COLLECTED if isinstance(error, NothingCollected) else ExitCode.FAILED
