"""The tables of the terminal report: capabilities by test type, and the worst slices of the data."""

from __future__ import annotations

from rich.console import Console

from robustfim.commands import print_line, print_rule, print_table
from robustfim.judge import CONFUSION, Cell, capability_matrix, worst_slices
from robustfim.record import Record, hide_secrets
from robustfim.statistics import percent

__all__ = ["align_rate", "print_confusion", "print_matrix", "print_slices"]

_SHOWN = 5
"""Slices shown without ``-v``."""


def print_matrix(console: Console, record: Record) -> None:
    """Print the failure rates by capability and test type, if any check has both."""
    matrix = capability_matrix(record.checks)
    if matrix is None:
        return
    print_rule(console, "capabilities")
    rows = [[hide_secrets(name), *map(_cell, cells)] for name, cells in matrix.rows]
    print_table(console, ["failing examples (checks)", *matrix.types], rows, numbers=False)


def print_confusion(console: Console, record: Record) -> None:
    """Print the confusion tables of checks with limits for false negatives or false positives."""
    for section in record.sections:
        for table in section.tables if section.name == CONFUSION else ():
            print_rule(console, f"confusion: {table.title}")
            for finding in section.findings:
                print_line(console, finding, style="dim")
            print_table(console, table.header, table.rows, numbers=False)


def print_slices(console: Console, record: Record, verbosity: int) -> None:
    """Print the slices (subsets of examples) in which examples break most often, the most certain first.

    Args:
        console: The console.
        record: The run record.
        verbosity: −1 for no slice, 0 for the worst slices, 1 and more for all.
    """
    worst = worst_slices(record)
    empty = [record_slice.name for record_slice in record.slices if not record_slice.failures.tested]
    if verbosity < 0 or not record.slices:
        return
    shown = worst if verbosity > 0 else worst[:_SHOWN]
    print_rule(console, "slices" if len(shown) == len(worst) else f"worst {len(shown)} of {len(worst)} slices")
    rows = [
        [slice_record.name, align_rate(str(slice_record.failures)), align_rate(str(slice_record.accuracy))]
        for slice_record in shown
    ]
    if rows:
        print_table(console, ["slice", "failing examples", "accuracy"], rows, numbers=False)
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
