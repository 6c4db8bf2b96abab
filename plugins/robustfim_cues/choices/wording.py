"""Write correlations and tables as text for the terminal."""

from __future__ import annotations

from collections.abc import Iterator

from robustfim.exhibit import Table

__all__ = ["correlation_text", "table_lines"]


def correlation_text(correlation: tuple[float, float] | None) -> str:
    """Return a phrase on the rank correlation of a model's sensitivity to cues and the cues' productivity.

    Args:
        correlation: Spearman's ρ and its p-value; None if ρ is undefined.
    """
    if correlation is None:
        return "too few cues, or no difference between them, to correlate sensitivity with productivity"
    return "rank correlation of sensitivity with productivity {:.2f}, p = {:.2g}".format(*correlation)


def table_lines(table: Table) -> Iterator[str]:
    """Write a table for the terminal, the first column left-aligned and all other columns right-aligned."""
    widths = [max(map(len, column)) for column in zip(table.header, *table.rows, strict=True)]
    for row in (table.header, *table.rows):
        cells = [cell.rjust(width) for cell, width in zip(row, widths, strict=True)]
        yield "  ".join([row[0].ljust(widths[0]), *cells[1:]])
