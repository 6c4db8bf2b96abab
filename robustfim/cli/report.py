"""The command ``robustfim report``: any report of a run that is over, from its record alone."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from robustfim.cli.group import chosen_plugins, plugin_option

__all__ = ["report"]

_FILE = click.Path(path_type=Path, dir_okay=False)


@click.command()
@click.argument("record", type=click.Path(path_type=Path))
@click.option("--html", type=_FILE, help="Write the HTML report to this file.")
@click.option("--junit-xml", "--junitxml", "junit", type=_FILE, help="Write a JUnit report to this file.")
@click.option("--markdown", type=_FILE, help="Write a comment for a pull request to this file.")
@click.option(
    "--to",
    "others",
    multiple=True,
    metavar="NAME=FILE",
    help="Write any other report: --to sarif=results.sarif. 'robustfim plugins' lists them.",
)
@click.option("--partial", is_flag=True, help="Of a run that was killed: in a folder, read results.partial.json.")
@plugin_option
@click.pass_context
def report(
    ctx: click.Context, record: Path, html: Path | None, junit: Path | None, markdown: Path | None,
    others: Sequence[str], partial: bool, plugins: Sequence[str],
) -> None:  # fmt: skip
    """Write reports of a run that is over, without its model and its data.

    RECORD is a results.json, or the folder that holds it. Without an option the HTML report is written beside it.
    """
    from robustfim.errors import UsageError
    from robustfim.plugin.loading import load_plugins
    from robustfim.plugin.options import build
    from robustfim.record import Record
    from robustfim.session.partial import PARTIAL
    from robustfim.session.reporting import write_reports
    from robustfim.suite.file import SuiteFile

    path = record / (PARTIAL if partial else "results.json") if record.is_dir() else record
    run = Record.load(path)
    given = {"html": html, "junit": junit, "markdown": markdown}
    files = {name: file for name, file in given.items() if file is not None}
    for each in others:
        name, equals, target = each.partition("=")
        if not (name and equals and target):
            raise UsageError(f"--to {each}: write NAME=FILE, such as --to sarif=results.sarif.")
        if name in files:
            raise UsageError(f"--to {each}: the report {name!r} is named twice, and has one file.")
        files[name] = Path(target)
    if not files:
        files = {"html": path.with_name("report.html")}
    manager = load_plugins(chosen_plugins(ctx, plugins))
    line = SuiteFile(Path("the command line"), {})
    made, owners = {}, {}
    for name, file in files.items():
        offer = manager.get("reports", name)
        made[name] = build(offer.cls, {"path": str(file.absolute())}, offer.owner, line, ())
        owners[name] = offer.owner
        file.parent.mkdir(parents=True, exist_ok=True)
    written, problem = write_reports(made, run, path.parent, owners)
    for done in written:
        click.echo(f"wrote {done}")
    if problem is not None:
        raise problem
