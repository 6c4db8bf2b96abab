"""The commands for baselines: ``robustfim compare`` and ``robustfim accept``."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from robustfim.cli.report_options import Files, ReportCommand
from robustfim.commands import INPUT, OUTPUT_FILE, OUTPUT_FOLDER, Chosen, shared_options
from robustfim.errors import PluginError, UsageError
from robustfim.outcome import ExitCode, settled
from robustfim.whole_file import write_whole, writing

if TYPE_CHECKING:
    from robustfim.record import Record

__all__ = ["accept", "compare"]


@click.command(
    cls=ReportCommand,
    epilog="Example: robustfim compare before/results.json after/results.json --margin 0.02",
)
@click.argument("before", type=INPUT)
@click.argument("after", type=INPUT)
@shared_options("margin", "fail_on", "inconclusive", "plugins", "color")
@click.option("--format", "form", metavar="FORMAT",
              help="Both files are another tool's results; 'robustfim plugins' lists the formats.")  # fmt: skip
@click.option("-o", "options", multiple=True, metavar="KEY=VALUE", help="An option of the format: -o passes=0.5.")
@click.option("--json", "json_file", type=OUTPUT_FILE, help="Write the comparison to this file.")
@click.option("-v", "--verbose", count=True, help="More of the regressions; -vv shows all.")
@click.option("-q", "--quiet", is_flag=True, help="Counts alone.")
@click.pass_context
def compare(
    ctx: click.Context, before: Path, after: Path, form: str | None, options: Sequence[str], json_file: Path | None,
    files: Files, verbose: int, quiet: bool, chosen: Chosen,
) -> None:  # fmt: skip
    """Compare two run records: what did the model of AFTER break that the one of BEFORE did right?

    Checks are matched by name and examples by their content. Exit codes: 0 nothing refuses it, and what a margin
    asks for is proved, 1 it may not replace the baseline, 6 inconclusive or nothing in common, 4 wrong usage.
    """
    from robustfim.judge.comparison import compare as compare_records
    from robustfim.record import Record

    if form is None:
        if options:
            raise UsageError(
                f"-o {options[0]}: '-o' sets an option of another tool's format, and '--format' is missing. Name "
                "the format with '--format NAME'."
            )
        try:
            old, new = Record.load(before), Record.load(after)
        except UsageError as error:
            raise UsageError(f"{error} '--format NAME' reads another tool's results.") from error
    else:
        old, new = _imported((before, after), form, options, chosen)
        old = old.model_copy(update={"suite": new.suite})  # named after a file by some
    comparison = compare_records(old, new, fail_on=chosen.fail_on, margin=chosen.margin)
    hook = chosen.manager().hook
    printer = hook.robustfim_terminal(console=chosen.console(), hook=hook, verbosity=-1 if quiet else verbose)
    if printer is not None:
        printer.compare(comparison, new)
    if json_file is not None:
        with writing(f"the comparison {json_file}"):
            write_whole(json_file, f"{comparison.model_dump_json(indent=1)}\n".encode())
    for name, file in files.values():
        _write_page(old, new.compared([comparison]), name, file, chosen)
        click.echo(f"wrote {file}")
    common = comparison.whole.estimate.tested or comparison.accuracy.estimate.tested
    code = ExitCode.INCONCLUSIVE if comparison.inconclusive or not common else ExitCode.OK
    ctx.exit(ExitCode.FAILED if comparison.failed else settled(code, chosen.inconclusive or new.inconclusive))


def _imported(files: Sequence[Path], name: str, options: Sequence[str], chosen: Chosen) -> list[Record]:
    """Read files of another tool's results."""
    from robustfim.plugin.factory import make_offered
    from robustfim.roles import ResultFormat
    from robustfim.suite import SuiteFile, Use, parse_override

    file = SuiteFile(Path("the command line"), {"use": name})
    for text in options:
        file.override(*parse_override(text, "-o"), f"-o {text}")
    made, _ = make_offered(chosen.manager(), file, "suite_formats", Use.model_validate(file.data), ())
    if not isinstance(made, ResultFormat):
        raise UsageError(f"--format={name}: a suite's format and no tool's results: 'robustfim plugins' says which.")
    return [made.record(path) for path in files]


def _write_page(before: Record, after: Record, name: str, file: Path, chosen: Chosen) -> None:
    """Write the report of two runs."""
    from robustfim.plugin.factory import make_offered
    from robustfim.suite import SuiteFile, Use

    use = Use.model_validate({"use": name, "path": str(file.absolute())})
    report, offer = make_offered(chosen.manager(), SuiteFile(Path("the command line"), {}), "reports", use, ())
    if not report.contract.compares:
        raise UsageError(f"the report {name!r} of plugin {offer.owner!r} cannot show two runs.")
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        report.write(after, file.parent, before)
    except (OSError, PluginError) as error:
        reason = error.__cause__ if isinstance(error, PluginError) else error
        if not isinstance(reason, OSError):
            raise
        raise UsageError(f"the page cannot be written to {file}: {reason.strerror or reason}.") from error


@click.command(epilog="Example: robustfim accept reports/sentiment/results.json")
@click.argument("records", nargs=-1, required=True, type=INPUT, metavar="RECORD...")
@click.option("--to", "folder", type=OUTPUT_FOLDER, default=Path("baselines"), show_default=True,
              help="Folder of the baselines; each is written to <suite>.json in it.")  # fmt: skip
def accept(records: Sequence[Path], folder: Path) -> None:
    """Make runs the baseline that 'robustfim run --baseline' compares with.

    RECORD is a results.json. Commit the folder, so that everybody compares with the same run.
    """
    from robustfim.judge.baseline import accept as accept_record
    from robustfim.record import Record

    for path in records:
        record = Record.load(path)
        target = folder / f"{record.suite}.json"
        replaced = _described(target)
        accept_record(record, target)
        counts = ", ".join(f"{number} {name}" for name, number in record.summary.items() if number)
        click.echo(f"{target}: {record.model.use}, {record.started[:10]}, {counts}{replaced}")


def _described(path: Path) -> str:
    """Say what a baseline replaces."""
    from robustfim.record import Record

    if not path.exists():
        return ""
    try:
        old = Record.load(path, rows=False)
    except UsageError:
        return "; replaces a file that was no run record"
    return f"; replaces {old.model.use}, {old.started[:10]}"
