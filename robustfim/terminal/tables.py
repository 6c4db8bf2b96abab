"""The tables of the terminal report: capabilities by test type, and the worst slices of the data."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest

from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from robustfim.judge.confusion import CONFUSION
from robustfim.judge.matrix import Cell, capability_matrix
from robustfim.judge.slice_rates import worst_slices
from robustfim.printable import printable
from robustfim.record import Record
from robustfim.record.secrets import hide_secrets
from robustfim.statistics import percent
from robustfim.terminal.console import print_line, print_rule

__all__ = ["align_rate", "print_confusion", "print_matrix", "print_slices", "print_table"]

_SHOWN = 5
"""Slices shown without ``-v``."""


def print_matrix(console: Console, record: Record) -> None:
    """Print the failure rates by capability and test type, if any check has both."""
    matrix = capability_matrix(record.checks)
    if matrix is None:
        return
    print_rule(console, "capabilities")
    rows = [["failing examples (checks)", *matrix.types]]
    rows += [[printable(hide_secrets(name)), *map(_cell, cells)] for name, cells in matrix.rows]
    _print_rows(console, rows)


def print_confusion(console: Console, record: Record) -> None:
    """Print the confusion tables of checks with limits for false negatives or false positives."""
    for section in record.sections:
        for table in section.tables if section.name == CONFUSION else ():
            print_rule(console, f"confusion: {table.title}")
            for finding in section.findings:
                print_line(console, printable(finding), style="dim")
            _print_rows(console, [list(map(printable, row)) for row in (table.header, *table.rows)])


def print_slices(console: Console, record: Record, verbosity: int) -> None:
    """Print the slices in which examples break most often, the most certain first.

    Args:
        console: The console.
        record: The run record.
        verbosity: −1 for no slice, 0 for the worst slices, 1 and more for all.
    """
    worst = worst_slices(record)
    empty = [each.name for each in record.slices if not each.failures.tested]
    if verbosity < 0 or not record.slices:
        return
    shown = worst if verbosity > 0 else worst[:_SHOWN]
    print_rule(console, "slices" if len(shown) == len(worst) else f"worst {len(shown)} of {len(worst)} slices")
    rows = [["slice", "failing examples", "accuracy"]]
    rows += [[printable(each.name), align_rate(str(each.failures)), align_rate(str(each.accuracy))] for each in shown]
    if shown:
        _print_rows(console, rows)
    if empty:
        print_line(console, f"without a tested example: {', '.join(empty)}", style="dim")


def _cell(cell: Cell | None) -> str:
    if cell is None:
        return "–"
    if not cell.rate.tested:
        return f"nothing tested ({cell.checks})"
    return f"{percent(cell.rate.rate)} of {cell.rate.tested:,} ({cell.checks})"


def align_rate(text: str) -> str:
    """Pad the percentage of a rate as text, so that rates align below each other.

    Args:
        text: ``0 % [0.0, 56.1] of 3``.
    """
    share, bracket, rest = text.partition(" [")
    return f"{share:>6}{bracket}{rest}" if bracket else text


def _print_rows(console: Console, rows: list[list[str]]) -> None:
    widths = [max(cell_len(row[column]) for row in rows) for column in range(len(rows[0]))]
    for number, row in enumerate(rows):
        cells = [cell + " " * (width - cell_len(cell)) for cell, width in zip(row, widths, strict=True)]
        print_line(console, "  ".join(cells).rstrip(), style="dim" if number == 0 else "none")


def print_table(
    console: Console, heads: Sequence[str], rows: Sequence[Sequence[str]], *, numbers: bool = False, rule: bool = False
) -> None:
    """Print a table without cutting words; if it is too wide, each row becomes a paragraph.

    Args:
        console: The console.
        heads: The headings of the columns, as printable text.
        rows: The cells of each row, as printable text; a cell may have several lines.
        numbers: Whether all columns except the first are aligned to the right.
        rule: Whether to draw a line below the headings.
    """
    cells = [[cell.splitlines() or [""] for cell in row] for row in (heads, *rows)]
    widths = [max(cell_len(line) for row in cells for line in row[place]) for place in range(len(heads))]
    if sum(widths) + _BETWEEN * (len(widths) - 1) <= console.width:
        for number, lines in enumerate(cells):
            for part in zip_longest(*lines, fillvalue=""):
                _print_cells(
                    console, part, widths, numbers=numbers, style="dim" if number == 0 and not rule else "none"
                )
            if rule and number == 0:
                print_line(console, "─" * (sum(widths) + _BETWEEN * (len(widths) - 1)), style="dim")
        return
    for row in rows:
        print_line(console, row[0] or "–", style="bold")
        details = Text(" · ").join(
            Text(f"{head} ", style="dim").append(" / ".join(cell.splitlines()), style="none")
            for head, cell in zip(heads[1:], row[1:], strict=True)
            if cell
        )
        for line in details.wrap(console, max(20, console.width - len(_MARGIN))):
            line.rstrip()
            console.print(Text(_MARGIN).append_text(line), soft_wrap=True)


_BETWEEN, _MARGIN = 2, "    "


def _print_cells(console: Console, cells: Sequence[str], widths: Sequence[int], *, numbers: bool, style: str) -> None:
    padded = []
    for place, (cell, width) in enumerate(zip(cells, widths, strict=True)):
        room = " " * (width - cell_len(cell))
        padded.append(room + cell if numbers and place else cell + room)
    print_line(console, (" " * _BETWEEN).join(padded).rstrip(), style=style)
