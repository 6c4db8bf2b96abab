"""Wording: how a share is written with its interval and its count, a correlation, and a table on the terminal."""

from __future__ import annotations

from collections.abc import Iterator

from robustfim.exhibit import Table
from robustfim.statistics import wilson

__all__ = ["correlation_text", "percent", "table_lines"]


def percent(hits: int, tested: int) -> str:
    """Write a share: ``52.5 % [47.6, 57.4] of 400``.

    Args:
        hits: How many.
        tested: Of how many, ≥ 1.
    """
    low, high = (100 * end for end in wilson(hits, tested) or (0.0, 1.0))
    return f"{100 * hits / tested:.1f} % [{low:.1f}, {high:.1f}] of {tested}"


def correlation_text(correlation: tuple[float, float] | None) -> str:
    """Write how sensitivity goes with productivity.

    Args:
        correlation: Spearman's ρ and its p-value; None where there is none.
    """
    if correlation is None:
        return "too few cues, or no difference between them, to correlate sensitivity with productivity"
    return "rank correlation of sensitivity with productivity {:.2f}, p = {:.2g}".format(*correlation)


def table_lines(table: Table) -> Iterator[str]:
    """Write a table for the terminal, the first column to the left and the others to the right."""
    widths = [max(map(len, column)) for column in zip(table.header, *table.rows, strict=True)]
    for row in (table.header, *table.rows):
        cells = [cell.rjust(width) for cell, width in zip(row, widths, strict=True)]
        yield "  ".join([row[0].ljust(widths[0]), *cells[1:]])
