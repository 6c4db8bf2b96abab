"""The command ``robustfim init``."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import click

from robustfim.commands import Chosen, print_line, shared_options
from robustfim.outcome import ExitCode
from robustfim.whole_file import write_whole
from robustfim_doctor.scan_options import ALLOW_WEAK

if TYPE_CHECKING:
    from rich.console import Console

    from robustfim.collect import ModelAndData

__all__ = ["data_name", "init", "labels_fit"]


@click.command(
    epilog="Example: robustfim init --model ./my-model --data test.csv",
)
@shared_options(
    "model", "data", "seed", "offline", "max_calls", "store", "plugins", "color",
    model={"help": "The model: --model ./my-model, or use=NAME and its options."},
    data={"help": "The data: --data test.csv --data text=review --data label=rating."},
    seed={"default": 0, "show_default": True, "help": "The seed of the scan, and of the suite."},
    max_calls={"default": 20_000, "show_default": True},
)  # fmt: skip
@click.option("--from", "record", type=click.Path(path_type=Path, exists=True), metavar="RECORD",
              help="A run's results.json, or its folder, in their place: its model, data and checks, and as limits "
              "what it measured.")  # fmt: skip
@click.option("--out", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE",
              help="The suite to write; suites/<name of the data>.yaml where it is not given.")  # fmt: skip
@click.option("--force", is_flag=True, help="Write it over a file that is there.")
@click.option("--examples", type=click.IntRange(min=20), default=200, show_default=True,
              help="Examples tested by each check, at most.")  # fmt: skip
@ALLOW_WEAK
@click.pass_context
def init(
    ctx: click.Context, chosen: Chosen, record: Path | None, out: Path | None, force: bool, examples: int,
    allow_weak: bool,
) -> None:  # fmt: skip
    """Write a suite for a model and its data, with limits that a quick scan measured, or a run: --from.

    The scan keeps its predictions, so the first run of the suite asks the model nothing again. Exit codes: 0
    written, 1 the labels do not fit or the model gave no usable answer, 4 wrong usage, 5 nothing to measure.
    """
    from robustfim.errors import UsageError
    from robustfim.record import Record
    from robustfim.session import look_at_suite
    from robustfim.suite import check_name
    from robustfim_doctor.measured_suite import draft_suite
    from robustfim_doctor.recorded_suite import recorded_suite

    missing = [f"--{name}" for name in ("model", "data") if not getattr(chosen, name)]
    if record is None and missing:
        raise UsageError(f"{' and '.join(missing)} must say what is tested, or --from RECORD names a run of it.")
    if record is not None and len(missing) < 2:
        raise UsageError("--from RECORD brings the model and the data of its run: leave --model and --data out.")
    begun: Record | ModelAndData
    if record is None:
        (begun,) = chosen.model_and_data()
    else:
        begun = Record.load(record / "results.json" if record.is_dir() else record)
    out = out or Path("suites") / f"{begun.suite if isinstance(begun, Record) else data_name(begun)}.yaml"
    try:
        check_name(out.stem)
    except ValueError as error:
        raise UsageError(f"--out {out}: {error}.".replace("a check", "a suite")) from None
    if out.exists() and not force:
        raise UsageError(f"{out} is there already. Name another file with --out, or write over it with --force.")
    console = chosen.console()
    if isinstance(begun, Record):
        draft = recorded_suite(begun, out, chosen.plugin_options, f"init --from {record}")
    elif labels_fit(begun, chosen, console, examples=examples, allow_weak=allow_weak):
        draft = draft_suite(
            begun, out, chosen.plugin_options, chosen.options, examples=examples, console=console, one_label=allow_weak
        )
    else:
        ctx.exit(ExitCode.FAILED)
    try:
        write_whole(out, draft.text(out.parent).encode())
    except OSError as error:
        raise UsageError(f"{out} cannot be written: {error.strerror or error}.") from error
    look_at_suite(out, options=chosen.options)
    left_out = f", {len(draft.left_out)} left out" if draft.left_out else ""
    print_line(console, f"wrote {out}: {len(draft.checks)} checks{left_out}")
    print_line(console, f"run it: robustfim run {out}")


def data_name(pair: ModelAndData) -> str:
    """Name a suite after its data: the file or dataset, or what offers it."""
    use = None if pair.data is None else pair.data.use
    path = "" if use is None else str(use.options.get("path") or use.use)
    return re.sub(r"[^A-Za-z0-9_.\-]+", "-", Path(path).stem).strip(".-") or "suite"


def labels_fit(pair: ModelAndData, chosen: Chosen, console: Console, *, examples: int, allow_weak: bool) -> bool:
    """Compare the labels first: what is measured under a wrong mapping would be worth nothing."""
    from robustfim_doctor.diagnosis import print_diagnoses
    from robustfim_doctor.labels import diagnose_model_and_data

    diagnoses = list(diagnose_model_and_data(pair, chosen, number=examples, allow_weak=allow_weak))
    print_diagnoses(console, diagnoses)
    if any(each.state == "problem" for each in diagnoses):
        print_line(console, "nothing was measured, since it would say nothing: repair this first.", "bold red")
        return False
    return True
