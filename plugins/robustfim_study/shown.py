"""A study on the terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from robustfim.console import print_line, print_rule
from robustfim.terminal_diff import printable

if TYPE_CHECKING:
    from rich.console import Console

    from robustfim_study.study import Study, Table

__all__ = ["print_study"]

_WIDE = 200
"""Columns of a table in a pipe or a file, where no terminal says how many there are."""


def print_study(console: Console, study: Study) -> None:
    """Print a study's tables and then what they say.

    Args:
        console: The console.
        study: The study; no text in it is trusted.
    """
    print_rule(console, study.title)
    for table in study.tables:
        _print_table(console, table)
    for finding in study.findings:
        print_line(console, finding)


def _print_table(console: Console, table: Table) -> None:
    from rich import box
    from rich.table import Table as RichTable
    from rich.text import Text

    print_line(console, table.title, "bold")
    drawn = RichTable(box=box.SIMPLE_HEAD, pad_edge=False)
    for place, name in enumerate(table.header):
        drawn.add_column(
            Text(printable(name)), justify="left" if place == 0 else "right", overflow="fold", no_wrap=place == 0
        )
    for row in table.rows:
        drawn.add_row(*(Text(printable(cell)) for cell in row))
    width = console.width
    if not console.file.isatty():
        console.width = max(_WIDE, width)
    console.print(drawn)
    console.width = width
    for note in table.notes:
        print_line(console, note, "dim")
    console.print()
