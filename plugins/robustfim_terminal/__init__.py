"""What people read in a terminal: the report of a run, comparisons, and the checks of a suite as items of pytest."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from robustfim.hookspecs import hookimpl

if TYPE_CHECKING:
    from rich.console import Console

    from robustfim_terminal.report import Terminal

__all__ = ["robustfim_terminal"]


@hookimpl
def robustfim_terminal(console: Console, hook: Any, verbosity: int) -> Terminal:
    """Print runs in the style of pytest."""
    from robustfim_terminal.report import Terminal

    return Terminal(console, hook, verbosity)
