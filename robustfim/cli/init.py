"""The command ``robustfim init``."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from robustfim.cli.group import chosen_plugins, plugin_option
from robustfim.outcome import ExitCode

if TYPE_CHECKING:
    from robustfim.collect.model_and_data import Subject

__all__ = ["init"]


@click.command()
@click.option("--model", multiple=True, required=True, metavar="KEY=VALUE",
              help="The model: --model use=huggingface --model path=./my-model.")  # fmt: skip
@click.option("--data", multiple=True, required=True, metavar="KEY=VALUE",
              help="The data: --data use=csv --data path=test.csv.")  # fmt: skip
@click.option("--out", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE",
              help="The suite to write; suites/<name of the data>.yaml where it is not given.")  # fmt: skip
@click.option("--force", is_flag=True, help="Write it over a file that is there.")
@click.option("--examples", type=click.IntRange(min=20), default=200, show_default=True,
              help="Examples tested by each check, at most.")  # fmt: skip
@click.option("--max-calls", type=click.IntRange(min=1), default=20_000, show_default=True, metavar="N",
              help="Send at most N texts to the model.")  # fmt: skip
@click.option("--seed", type=int, default=0, show_default=True, help="The seed of the scan, and of the suite.")
@click.option("--allow-weak", is_flag=True,
              help="Accept a model that is no better than always answering the commonest label.")  # fmt: skip
@click.option("--offline", is_flag=True, help="Fetch nothing from any hub.")
@click.option("--store", type=click.Path(path_type=Path), default=Path(".robustfim/store.sqlite"), show_default=True,
              help="File of the prediction store.")  # fmt: skip
@plugin_option
@click.option("--color", type=click.Choice(["auto", "yes", "no"]), default="auto", show_default=True)
@click.pass_context
def init(
    ctx: click.Context, /, model: Sequence[str], data: Sequence[str], out: Path | None, plugins: Sequence[str],
    **given: Any,
) -> None:  # fmt: skip
    """Write a suite for a model and its data, with limits that a quick scan measured.

    The scan keeps its predictions, so the first run of the suite asks the model nothing again. Exit codes: 0
    written, 1 the labels do not fit or the model gave no usable answer, 4 wrong usage, 5 nothing to measure.
    """
    from robustfim.collect.model_and_data import open_subject
    from robustfim.doctor.drafting import draft_suite
    from robustfim.errors import UsageError
    from robustfim.session.opened import open_session
    from robustfim.suite.config import RunOptions
    from robustfim.suite.format import check_name
    from robustfim.terminal.console import make_console, print_line

    chosen = chosen_plugins(ctx, plugins)
    subject = open_subject(None, plugins=chosen, model=model, data=data, offline=given["offline"])[0]
    out = out or Path("suites") / f"{_name(subject)}.yaml"
    try:
        check_name(out.stem)
    except ValueError as error:
        raise UsageError(f"--out {out}: {error}.".replace("a check", "a suite")) from None
    if out.exists() and not given["force"]:
        raise UsageError(f"{out} is there already. Name another file with --out, or write over it with --force.")
    console = make_console(given["color"])
    options = RunOptions(
        seed=given["seed"], offline=given["offline"], max_calls=given["max_calls"], store=given["store"]
    )
    if not _labels_fit(subject, given, console):
        ctx.exit(ExitCode.FAILED)
    draft = draft_suite(subject, out, chosen, options, examples=given["examples"], console=console)
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        out.write_text(draft.text(out.parent), encoding="utf-8")
    except OSError as error:
        raise UsageError(f"{out} cannot be written: {error.strerror or error}.") from error
    open_session(out, options=RunOptions(collect_only=True, offline=given["offline"]))
    left_out = f", {len(draft.left_out)} left out" if draft.left_out else ""
    print_line(console, f"wrote {out}: {len(draft.checks)} checks{left_out}")
    print_line(console, f"run it: robustfim run {out}")


def _name(subject: Subject) -> str:
    """Name a suite after its data: the file or dataset, or what offers it."""
    use = None if subject.data is None else subject.data.use
    path = "" if use is None else str(use.options.get("path") or use.use)
    return re.sub(r"[^A-Za-z0-9_.\-]+", "-", Path(path).stem).strip(".-") or "suite"


def _labels_fit(subject: Subject, given: dict[str, Any], console: Any) -> bool:
    """Compare the labels first: limits measured under a wrong mapping would be worth nothing."""
    from robustfim.doctor.diagnosis import print_diagnoses
    from robustfim.doctor.labels import diagnose_subject
    from robustfim.terminal.console import print_line

    found = list(
        diagnose_subject(
            subject,
            number=given["examples"],
            seed=given["seed"],
            store=given["store"],
            max_calls=given["max_calls"],
            allow_weak=given["allow_weak"],
        )
    )
    print_diagnoses(console, found)
    if any(each.state == "problem" for each in found):
        print_line(console, "no suite was written: such limits would say nothing. Repair this first.", "bold red")
        return False
    return True
