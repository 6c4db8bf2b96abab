"""The tables of the terminal report: capabilities by test type, and the worst slices of the data."""

from __future__ import annotations

from rich.cells import cell_len
from rich.console import Console

from robustfim.judge.matrix import Cell, capability_matrix
from robustfim.judge.slice_rates import worst_slices
from robustfim.record import Record
from robustfim.statistics import percent
from robustfim.terminal.console import print_line, print_rule
from robustfim.terminal.printable import printable

__all__ = ["align_rate", "print_matrix", "print_slices"]

_SHOWN = 5
"""Slices shown without ``-v``."""


def print_matrix(console: Console, record: Record) -> None:
    """Print the failure rates by capability and test type, where checks have them.

    Args:
        console: Where to print.
        record: The run record.
    """
    matrix = capability_matrix(record.checks)
    if matrix is None:
        return
    print_rule(console, "capabilities")
    rows = [["failing examples (checks)", *matrix.types]]
    rows += [[printable(name), *map(_cell, cells)] for name, cells in matrix.rows]
    _print_rows(console, rows)


def print_slices(console: Console, record: Record, verbosity: int) -> None:
    """Print the slices in which examples break most often, the surely worst first.

    Args:
        console: Where to print.
        record: The run record.
        verbosity: −1 for none, 0 for the worst, 1 and more for all.
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
    """Give the percentage of a rate as text the width of the widest, so that rates stand below one another.

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
