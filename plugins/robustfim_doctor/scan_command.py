"""The command ``robustfim scan``."""

from __future__ import annotations

from pathlib import Path

import click

from robustfim.commands import Chosen, print_line
from robustfim.outcome import ExitCode
from robustfim_doctor.init_command import data_name, labels_fit
from robustfim_doctor.scan_options import ALLOW_WEAK, scan_options
from robustfim_doctor.shown_scan import show_scan

__all__ = ["scan"]


@click.command(epilog="Example: robustfim scan --model reference/fasttext --data reviews --write suite.yaml")
@scan_options(
    model="The model: --model ./my-model, or use=NAME and its options.",
    data="The data: --data test.csv --data text=review --data label=rating.",
)
@click.option(
    "--seconds", type=click.FloatRange(min=1), default=120, show_default=True, help="About how long it may take."
)
@click.option("--examples", type=click.IntRange(min=20), default=500, show_default=True,
              help="Examples tested by each check, at most.")  # fmt: skip
@click.option("--write", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE",
              help="Write a suite: what holds must go on holding, and what breaks must not get worse.")  # fmt: skip
@click.option("--force", is_flag=True, help="Write it over a file that is there.")
@ALLOW_WEAK
@click.pass_context
def scan(
    ctx: click.Context, chosen: Chosen, seconds: float, examples: int, write: Path | None, force: bool, allow_weak: bool
) -> None:
    """Find out what changes a model's answers: chooses what applies, runs it on a budget, tells the worst first.

    The page that it writes opens on the same sentences. Exit codes: 0 looked at, whatever was found; 1 the labels do
    not fit or the model gave no usable answer; 4 wrong usage; 5 nothing to look at.
    """
    from robustfim.errors import UsageError
    from robustfim.result import Run
    from robustfim.whole_file import write_whole
    from robustfim_doctor.budgeted_scan import budgeted_scan
    from robustfim_doctor.measured_suite import with_limits

    if write is not None and write.exists() and not force:
        raise UsageError(f"{write} is there already. Name another file with --write, or write over it with --force.")
    (pair,) = chosen.model_and_data()
    console = chosen.console()
    if not labels_fit(pair, chosen, console, examples=min(examples, 200), allow_weak=allow_weak):
        ctx.exit(ExitCode.FAILED)
    name = write.stem if write is not None else f"scan-{data_name(pair)}"
    scanned = budgeted_scan(
        pair, name, chosen.plugin_options, chosen.options, examples=examples, seconds=seconds, one_label=allow_weak,
        tell=lambda line: print_line(console, f"scan: {line}", "dim"),
    )  # fmt: skip
    show_scan(console, Run(scanned.record, chosen.plugins), chosen.reports / name)
    if write is not None:
        draft = with_limits(scanned.draft, scanned.record, f"Run it:  robustfim run {write.as_posix()}", "scan")
        try:
            write_whole(write, draft.text(write.parent).encode())
        except OSError as error:
            raise UsageError(f"{write} cannot be written: {error.strerror or error}.") from error
        print_line(console, f"wrote {write}: {len(draft.checks)} checks; run it: robustfim run {write}")
    if scanned.record.interrupted:
        ctx.exit(ExitCode.INTERRUPTED)
    if not any(check.tested for check in scanned.record.checks):
        ctx.exit(ExitCode.FAILED)
