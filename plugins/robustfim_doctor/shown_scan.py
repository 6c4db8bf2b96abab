"""What a scan found, on the terminal, as a page and as a record."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from robustfim.commands import print_line, print_rule, print_table, printable

if TYPE_CHECKING:
    from rich.console import Console

    from robustfim.result import Run

__all__ = ["show_scan"]


def show_scan(console: Console, run: Run, folder: Path) -> None:
    """Print what a scan found, and write its page and its record.

    Raises:
        UsageError: A file cannot be written.
    """
    section = run.record.sections[0]
    print_rule(console, section.title)
    for sentence in section.findings:
        print_line(console, f"- {sentence}")
    for table in section.tables:
        print_table(console, table.header, [list(map(printable, row)) for row in table.rows])
    folder.mkdir(parents=True, exist_ok=True)
    for file in ("report.html", "results.json"):
        run.report(folder / file)
        print_line(console, f"wrote {folder / file}")
