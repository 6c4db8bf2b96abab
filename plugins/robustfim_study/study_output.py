"""A study on the terminal, and in its files."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from robustfim.commands import print_line, print_rule, print_table, printable
from robustfim.session import prepare_folder

if TYPE_CHECKING:
    from rich.console import Console

    from robustfim.exhibit import Table
    from robustfim.record import Study

__all__ = ["finish_study", "print_study"]


def finish_study(console: Console, study: Study, reports: Path, formats: Sequence[str] = ()) -> None:
    """Print a study, and write its record, its page, and its tables and figures.

    Args:
        console: The console.
        study: The study; no text in it is trusted.
        reports: Holds ``SUITE/study-NAME.json`` and ``.html`` afterwards, without the folder where there is no suite.
        formats: In which to write each table and figure, too (:data:`robustfim_study.paper_files.FORMATS`).

    Raises:
        UsageError: Nothing can be written there.
    """
    from robustfim.drawing import write_page
    from robustfim_study.page import render
    from robustfim_study.paper_files import write_files

    folder = reports / study.suite if study.suite else reports
    print_study(console, study)
    prepare_folder(folder)
    for path in (
        study.dump(folder / f"study-{study.study}.json"),
        write_page(folder / f"study-{study.study}.html", render(study)),
        *write_files(study, folder, formats),
    ):
        print_line(console, f"wrote {path}")


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
    print_line(console, table.title, "bold")
    print_table(console, [printable(name) for name in table.header], [list(map(printable, row)) for row in table.rows])
    for note in table.notes:
        print_line(console, note, "dim")
    console.print()
