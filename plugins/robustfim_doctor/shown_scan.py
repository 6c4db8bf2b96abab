"""The output of a scan: on the terminal, as a page and as a record."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from robustfim.commands import print_line, print_rule, print_table, printable
from robustfim.exhibit import DIGEST
from robustfim.words import first_words

if TYPE_CHECKING:
    from rich.console import Console

    from robustfim.exhibit import Table
    from robustfim.result import Run

__all__ = ["show_scan"]


def show_scan(console: Console, run: Run, folder: Path) -> None:
    """Print the findings of a scan, and write its HTML report and its run record to a folder.

    Raises:
        UsageError: A file cannot be written.
    """
    section = next(each for each in run.record.sections if each.name == DIGEST)
    print_rule(console, section.title)
    for sentence in section.findings:
        if not sentence.startswith("Next: "):
            print_line(console, f"- {sentence}")
    for table in section.tables:
        if table.texts:
            _print_lines(console, table)
        else:
            print_table(console, table.header, table.rows)
        for note in table.notes:
            print_line(console, note, "dim")
    folder.mkdir(parents=True, exist_ok=True)
    for file in ("report.html", "results.json"):
        run.report(folder / file)
        print_line(console, f"wrote {folder / file}")


def _print_lines(console: Console, table: Table) -> None:
    """Print a row a line; the last column, a text, is cut where the line ends."""
    rows = [list(map(printable, row)) for row in (table.header, *table.rows)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(table.header) - 1)]
    left = max(20, console.width - sum(widths) - 2 * len(widths))
    console.print()
    for number, row in enumerate(rows):
        cells = [f"{cell:<{width}}" for cell, width in zip(row, widths, strict=False)]
        text = row[-1] if len(row[-1]) <= left else f"{first_words(row[-1], left - 1)}…"
        print_line(console, "  ".join([*cells, text]).rstrip(), "" if number else "dim")
    console.print()
