"""The command ``robustfim scan``."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from robustfim.commands import FRACTION, OUTPUT_FILE, Chosen, print_line, shared_options
from robustfim.outcome import ExitCode
from robustfim_doctor.deadline import Deadline
from robustfim_doctor.shown_scan import show_scan

if TYPE_CHECKING:
    from rich.console import Console

    from robustfim.collect import ModelAndData
    from robustfim_doctor.budgeted_scan import Scan
    from robustfim_doctor.draft import Draft

__all__ = ["scan"]


@click.command(epilog="Example: robustfim scan --model reference/fasttext --data reviews --write suite.yaml")
@shared_options(
    "model", "data", "seed", "offline", "max_calls", "store", "reports", "plugins", "color",
    model={"help": "The model: --model ./my-model, or use=NAME and its options."},
    data={"help": "The data: --data test.csv --data text=review --data label=rating."},
    seed={"default": 0, "show_default": True, "help": "The seed of the draw of examples, and of the suite."},
    max_calls={"default": 50_000, "show_default": True},
)  # fmt: skip
@click.option(
    "--seconds", type=click.FloatRange(min=1), default=120, show_default=True, help="About how long it may take."
)
@click.option("--examples", type=click.IntRange(min=20), default=1000, show_default=True,
              help="Examples tested by each check, at most.")  # fmt: skip
@click.option("--write", type=OUTPUT_FILE, metavar="FILE",
              help="Write a suite: what holds must go on holding, and what breaks must not get worse.")  # fmt: skip
@click.option("--against", multiple=True, metavar="KEY=VALUE",
              help="With --write: another model, as behind --model, such as the last release. The margin and the "
              "limits are those that a model passes which differs from this one as often as it does.")  # fmt: skip
@click.option("--from", "record", type=click.Path(path_type=Path, exists=True), metavar="RECORD",
              help="Write that suite from a run's results.json, or its folder: its model, data and checks, and as "
              "limits what it measured. Nothing is asked.")  # fmt: skip
@click.option("--force", is_flag=True, help="Write it over a file that is there.")
@click.option("--allow-weak", is_flag=True, help="Accept a model whose answers do not go with the gold labels.")
@click.option("--guard", is_flag=True,
              help="Find out what gets past a guard, and what it stops that it should not.")  # fmt: skip
@click.option("--block", metavar="LABEL", help="With --guard: the label that the guard stops.")
@click.option("--at", type=FRACTION, default=0.5, show_default=True,
              help="With --guard: it stops a text where the probability of that label is at least this.")  # fmt: skip
@click.pass_context
def scan(
    ctx: click.Context, chosen: Chosen, seconds: float, examples: int, write: Path | None,
    against: tuple[str, ...], record: Path | None, force: bool, allow_weak: bool, guard: bool, block: str | None,
    at: float,
) -> None:  # fmt: skip
    """Find out what changes a model's answers: chooses what applies, runs it on a budget, tells the worst first.

    The page that it writes opens on the same sentences. Exit codes: 0 looked at, whatever was found; 1 the labels do
    not fit, the answers go against them, or the model gave no usable answer; 4 wrong usage; 5 nothing to look at.
    """
    deadline = Deadline(seconds)
    _check(chosen, write=write, record=record, guard=guard, block=block, force=force)
    if against and (write is None or record is not None):
        raise click.UsageError(
            "--against needs --write and excludes --from: the option sets the margin of the suite that a scan writes.",
            ctx,
        )
    console = chosen.console()
    if record is not None and write is not None:
        from robustfim.record import Record
        from robustfim_doctor.recorded_suite import recorded_suite

        run = Record.load(record / "results.json" if record.is_dir() else record)
        draft = recorded_suite(run, write, chosen.plugin_options, f"scan --from {record}")
        _write(console, draft, write, chosen)
        print_line(console, f"Next: {_following(write)}", "bold")
        return
    decide = () if block is None else (f"decide.label={block}", f"decide.at={at}")
    if against:
        against = (*against, *decide)
    guards = None if block is None else (block, at)
    _scan(
        ctx, replace(chosen, model=(*chosen.model, *decide)), console, write, against, guards,
        examples=examples, deadline=deadline, allow_weak=allow_weak,
    )  # fmt: skip


def _check(
    chosen: Chosen, *, write: Path | None, record: Path | None, guard: bool, block: str | None, force: bool
) -> None:
    """Refuse options that do not go together, before anything is read."""
    from robustfim.errors import UsageError
    from robustfim.session import prepare_folder
    from robustfim.suite import check_name

    missing = [f"--{name}" for name in ("model", "data") if not getattr(chosen, name)]
    if record is None and missing:
        raise UsageError(
            f"{' and '.join(missing)} must be given. To take the model and the data from a record, write --from RECORD."
        )
    if record is not None and len(missing) < 2:
        raise UsageError("--from RECORD takes the model and the data of its run: leave --model and --data out.")
    if record is not None and write is None:
        raise UsageError("--from RECORD writes a suite: name its file with --write.")
    if guard and block is None:
        raise UsageError("--guard needs --block LABEL, the label that the guard stops.")
    if block is not None and not guard:
        raise UsageError("--block LABEL is an option of --guard.")
    if record is None:
        prepare_folder(chosen.reports)
    if write is None:
        return
    try:
        check_name(write.stem)
    except ValueError as error:
        raise UsageError(f"--write {write}: {error}.".replace("a check", "a suite")) from None
    if write.exists() and not force:
        raise UsageError(f"{write} exists already. Name another file with --write, or write over it with --force.")


def _scan(
    ctx: click.Context, chosen: Chosen, console: Console, write: Path | None, against: tuple[str, ...],
    guards: tuple[str, float] | None, *, examples: int, deadline: Deadline, allow_weak: bool,
) -> None:  # fmt: skip
    """Look at the labels, scan, show what was found, and write the suite; of a guard, by families of evasion."""
    from robustfim.errors import ModelError
    from robustfim.result import Run
    from robustfim_doctor.budgeted_scan import budgeted_scan, pace_of, sized
    from robustfim_doctor.guard import families, guarded, with_errors

    (pair,) = chosen.model_and_data()
    if guards is not None:
        _refuse_unlabelled(pair, chosen)
    pace = pace_of(pair, chosen.options)
    if guards is None:
        most = sized(pace, deadline.left, min(examples, 200))
        if not _labels_fit(pair, chosen, console, examples=most, allow_weak=allow_weak):
            ctx.exit(ExitCode.FAILED)
    kind = "scan" if guards is None else "scan-guard"
    name = write.stem if write is not None else f"{kind}-{_data_name(pair)}"
    scanned = budgeted_scan(
        pair, name, chosen.plugin_options, chosen.options, examples=examples, deadline=deadline, pace=pace,
        one_label=allow_weak, suits=None if guards is None else families(pair.manager), following=_following(write),
        tell=lambda line: print_line(console, f"scan: {line}", "dim"),
    )  # fmt: skip
    command = "scan"
    if guards is not None:
        if scanned.record.message and not any(check.tested for check in scanned.record.checks):
            raise ModelError(scanned.record.message)
        scanned = replace(scanned, record=guarded(scanned.record, *guards), draft=with_errors(scanned.draft))
        command = "scan --guard --block {} --at {:g}".format(*guards)
    # The report of a scan is none of the suite that it writes.
    folder = chosen.reports / (name if name.startswith(kind) else f"{kind}-{name}")
    show_scan(console, Run(scanned.record, chosen.plugins), folder)
    record = scanned.record
    if record.model.association.asked and record.model.association.verdict == "negative":
        unwritten = "" if write is None else f"{write} is not written, since it would fail at once: "
        print_line(console, f"{unwritten}the answers go against the gold labels. Repair this first.", "bold red")
        ctx.exit(ExitCode.FAILED)
    if write is not None:
        _write(console, _limited(scanned, write, chosen, command, against), write, chosen)
    print_line(console, f"Next: {_following(write)}", "bold")
    if record.interrupted:
        ctx.exit(ExitCode.INTERRUPTED)
    if not any(check.tested for check in record.checks):
        ctx.exit(ExitCode.FAILED)


def _refuse_unlabelled(pair: ModelAndData, chosen: Chosen) -> None:
    from robustfim.collect import ROWS, sample
    from robustfim.errors import UsageError

    if pair.data is not None and not any(
        example.label is not None for example in sample(pair.data.make(), pair.data.use.use, ROWS, chosen.seed or 0)
    ):
        raise UsageError(
            "--guard counts texts that the guard should stop but lets through, so it needs gold labels. Data "
            f"{pair.data.use.use!r} has none: name the column, --data label=COLUMN."
        )


def _following(write: Path | None) -> str:
    """Say what to do next."""
    if write is None:
        return "scan with --write suite.yaml, which also writes a suite of these checks."
    return f"robustfim run {write.as_posix()}"


def _limited(scanned: Scan, write: Path, chosen: Chosen, command: str, against: tuple[str, ...]) -> Draft:
    """Give the suite of a scan its limits; with another model those of its churn."""
    from robustfim_doctor.budgeted_scan import churn_between
    from robustfim_doctor.measured_suite import with_limits

    churn = None
    if against:
        (other,) = replace(chosen, model=against).model_and_data()
        print_line(chosen.console(), "scan: the same checks on the other model", "dim")
        if other.model is not None:
            churn = churn_between(scanned, other.model, chosen.plugin_options, chosen.options)
    return with_limits(scanned.draft, scanned.record, write, command, churn)


def _write(console: Console, draft: Draft, out: Path, chosen: Chosen) -> None:
    """Write a suite, read it back, and say so."""
    from robustfim.session import look_at_suite
    from robustfim.whole_file import write_whole, writing

    with writing(out):
        write_whole(out, draft.text(out.parent).encode())
    look_at_suite(out, options=chosen.options)
    left_out = f", {len(draft.left_out)} left out" if draft.left_out else ""
    print_line(console, f"wrote {out}: {len(draft.checks)} checks{left_out}")


def _data_name(pair: ModelAndData) -> str:
    """Name a suite after its data: the file or dataset, or what offers it."""
    use = None if pair.data is None else pair.data.use
    path = "" if use is None else str(use.options.get("path") or use.use)
    return re.sub(r"[^A-Za-z0-9_.\-]+", "-", Path(path).stem).strip(".-") or "suite"


def _labels_fit(pair: ModelAndData, chosen: Chosen, console: Console, *, examples: int, allow_weak: bool) -> bool:
    """Compare the labels first: what is measured under a wrong mapping would be worth nothing."""
    from robustfim_doctor.diagnosis import print_diagnoses
    from robustfim_doctor.labels import diagnose_model_and_data

    diagnoses = list(diagnose_model_and_data(pair, chosen, number=examples, allow_weak=allow_weak))
    print_diagnoses(console, diagnoses)
    if any(diagnosis.state == "problem" for diagnosis in diagnoses):
        print_line(console, "nothing was measured, since it would say nothing: repair this first.", "bold red")
        return False
    return True
