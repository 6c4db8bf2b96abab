"""Print a study on the terminal, and write its files."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from robustfim.commands import print_line, print_rule, print_table
from robustfim.session import prepare_folder

if TYPE_CHECKING:
    from rich.console import Console

    from robustfim.record import Study

__all__ = ["finish_study", "render"]


def finish_study(console: Console, study: Study, reports: Path, *, as_csv: bool, latex: bool) -> None:
    """Print a study's results, and write them as JSON and as an HTML page.

    Args:
        console: The console.
        study: The study; its texts are escaped.
        reports: The folder for ``SUITE/study-NAME.json`` and ``.html``; without a suite, for ``study-NAME`` directly.
        as_csv: Whether to write each table and figure as CSV, too.
        latex: Whether to write each table as LaTeX, too.

    Raises:
        UsageError: The files cannot be written.
    """
    from robustfim_drawing import write_page
    from robustfim_study.paper_files import write_files

    folder = reports / study.suite if study.suite else reports
    _print_study(console, study)
    prepare_folder(folder)
    for path in (
        study.dump(folder / f"study-{study.study}.json"),
        write_page(folder / f"study-{study.study}.html", render(study)),
        *write_files(study, folder, as_csv=as_csv, latex=latex),
    ):
        print_line(console, f"wrote {path}")


def render(study: Study) -> str:
    """Return a study as one HTML document, with escaped texts and a policy that forbids network requests."""
    from robustfim_drawing import page

    about = [
        f"model {study.model.use}" if study.model else "",
        f"data {study.data.use} ({study.data.examples} examples)" if study.data else "",
        f"seed {study.seed}",
        f"robustfim {study.environment.robustfim}",
    ]
    title = f"{study.title} · {study.suite}" if study.suite else study.title
    return page(
        title, study.findings, study.tables, study.figures,
        about=" · ".join(each for each in about if each), made=study.started,
    )  # fmt: skip


def _print_study(console: Console, study: Study) -> None:
    """Print a study's tables and then what they say."""
    print_rule(console, study.title)
    for table in study.tables:
        print_line(console, table.title, "bold")
        print_table(console, table.header, table.rows)
        for note in table.notes:
            print_line(console, note, "dim")
        console.print()
    for finding in study.findings:
        print_line(console, finding)
