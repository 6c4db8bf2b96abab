"""The command ``robustfim report``, which writes any report of a finished run from the run's record."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from robustfim.cli.report_options import Files, ReportCommand
from robustfim.commands import INPUT, INPUT_FILE, Chosen, shared_options

__all__ = ["report"]


@click.command(cls=ReportCommand, epilog="Example: robustfim report reports/sentiment/results.json --html page.html")
@click.argument("record", type=INPUT)
@click.option(
    "--to",
    "others",
    multiple=True,
    metavar="NAME=FILE",
    help="Write any other report: --to sarif=results.sarif. 'robustfim plugins' lists them.",
)
@click.option(
    "--review",
    "answers",
    type=INPUT_FILE,
    help="Show what people said of the failures, from this file ('robustfim review' writes it).",
)
@click.option("--no-texts", "textless", is_flag=True, help="Leave the texts out; hashes stand for them.")
@click.option("--partial", is_flag=True, help="Of a run that was killed: in a folder, read results.partial.json.")
@shared_options("plugins")
def report(
    record: Path, files: Files, others: Sequence[str], answers: Path | None, partial: bool, textless: bool,
    chosen: Chosen,
) -> None:  # fmt: skip
    """Write reports that show the failures of a run that is over, without its model and its data.

    RECORD is a results.json, or the folder that holds it. Without an option the HTML report is written beside it.
    """
    from robustfim.errors import UsageError
    from robustfim.parts import ReportPart
    from robustfim.record import Record
    from robustfim.result import Run
    from robustfim.session.partial import PARTIAL

    path = record / (PARTIAL if partial else "results.json") if record.is_dir() else record
    wanted: dict[str | None, Path] = dict(files.values())
    for typed in others:
        name, equals, place = typed.partition("=")
        if not (name and equals and place):
            raise UsageError(f"--to {typed}: write NAME=FILE, such as --to sarif=results.sarif.")
        if name in wanted:
            raise UsageError(f"--to {typed}: the options name the report {name!r} twice; give each report one file.")
        wanted[name] = Path(place)
    known = chosen.manager().offers("reports")
    summary = [name in known and ReportPart(known[name].cls).contract.summary for name in wanted if name]
    run = Run(Record.load(path, rows=not summary or not all(summary)), chosen.plugins)
    if answers is not None:
        from robustfim.judge.validity import reviewed
        from robustfim.record.review import ReviewFile

        if not answers.is_file():
            raise UsageError(f"there is no review file {answers}. 'robustfim review {path}' writes one.")
        said = ReviewFile.load(answers)
        run = Run(reviewed(run.record, said.by_pair), chosen.plugins)
    if textless:
        run = run.without_texts()
    for which, target in (wanted or {None: path.with_name("report.html")}).items():
        click.echo(f"wrote {run.report(target, which)}")
