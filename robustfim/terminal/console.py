"""The console on which robustfim prints."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import suppress
from typing import Any, TextIO, cast

from rich.console import Console
from rich.rule import Rule
from rich.text import Text
from rich.theme import Theme

from robustfim.printable import printable
from robustfim.record.secrets import hide_secrets

__all__ = ["READABLE", "choose_color", "make_console", "print_command", "print_line", "print_rule"]


_CHOSEN = ["auto"]
"""The values of ``--color``, for consoles made with ``auto``; the last one is valid."""


def choose_color(color: str) -> Callable[[], None]:
    """Set the colours of every console that is made with ``auto`` from now on.

    Args:
        color: ``auto``, ``yes`` or ``no``.
    """
    _CHOSEN.append(color)

    def undo() -> None:
        _CHOSEN.remove(color)

    return undo


READABLE = "#a85f00"
"""The replacement for yellow on terminals with many colours: its contrast is above 4 on white and on black."""


def make_console(color: str = "auto", *, stderr: bool = False) -> Console:
    """Make a console.

    Args:
        color: ``auto`` (colours on a terminal, none with NO_COLOR), ``yes`` or ``no``.
        stderr: Whether the console writes to standard error.
    """
    color = _CHOSEN[-1] if color == "auto" else color
    console = Console(
        file=cast(TextIO, _Lasting(sys.stderr if stderr else sys.stdout)),
        stderr=stderr,
        force_terminal=True if color == "yes" else None,
        no_color=True if color == "no" else None,
        highlight=False,
        markup=False,
        emoji=False,
    )
    if console.color_system in ("256", "truecolor"):
        console.push_theme(Theme({"yellow": READABLE, "bold yellow": f"bold {READABLE}"}))
    return console


class _Lasting:
    """A stream on which printing never fails, so that a run without a reader still writes its reports.

    Args:
        stream: The stream to print on while it can be written to.
    """

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        """Write a text; characters that the encoding lacks are escaped, and output to a closed stream is dropped."""
        try:
            self._stream.write(text)
        except UnicodeEncodeError as error:
            with suppress(OSError, ValueError):
                self._stream.write(text.encode(error.encoding, "backslashreplace").decode(error.encoding))
        except (OSError, ValueError):
            pass
        return len(text)

    def flush(self) -> None:
        """Write the buffered text, if possible."""
        with suppress(OSError, ValueError):
            self._stream.flush()

    def isatty(self) -> bool:
        """Whether the stream is a terminal; a closed one is not."""
        try:
            return self._stream.isatty()
        except ValueError:
            return False

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


_INDENT = "    "


def print_line(console: Console, text: str | Text, style: str = "none", *, indent: bool = False) -> None:
    """Print a line, wrapped at the width of the terminal, or at 80 columns (``COLUMNS``) in a pipe or a file.

    Args:
        console: The console.
        text: The line; a plain text is made printable.
        style: The style of a plain text.
        indent: Whether the line, and each line into which it is broken, begins with four blanks.
    """
    shown = Text(printable(hide_secrets(text)), style=style) if isinstance(text, str) else text
    begin = _INDENT if indent else ""
    while True:
        room = max(20, console.width - len(begin))
        whole = shown.cell_len <= room
        part = shown if whole else shown.wrap(console, room)[0]
        rest = shown.plain[max(1, len(part)) :]
        part.rstrip()
        console.print(Text(begin).append_text(part), soft_wrap=True)
        if whole:
            return
        shown = shown[len(shown) - len(rest.lstrip()) :]
        begin = _INDENT


def print_command(console: Console, command: str) -> None:
    """Print a command line, indented and unbroken, so that it can be copied as a whole."""
    console.print(Text(_INDENT + printable(hide_secrets(command)), style="dim"), soft_wrap=True)


def print_rule(console: Console, title: str, *, characters: str = "=", style: str = "none") -> None:
    """Print a title in the middle of a horizontal rule; a title that is too long is printed without the rule.

    The rule is made of ``characters``.
    """
    text = Text(printable(hide_secrets(title)), style=style)
    if text.cell_len + 4 > console.width:  # a rule would cut it
        console.print(text)
        return
    console.print(Rule(text, characters=characters, style=style))
