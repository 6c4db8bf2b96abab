"""The command ``robustfim doctor``."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from robustfim.commands import COUNT, INPUT, Chosen, progress_bar, shared_options
from robustfim.outcome import ExitCode

if TYPE_CHECKING:
    from robustfim_doctor.diagnosis import Diagnosis

__all__ = ["doctor"]


@click.command(epilog="Example: robustfim doctor --model use=reference/cnn --data use=reviews")
@click.argument("suite", required=False, type=INPUT)
@shared_options(
    "model", "data", "override", "seed", "offline", "max_calls", "store", "plugins", "color",
    model={"help": "The model: --model use=huggingface --model path=…"},
    data={"help": "The data: --data use=csv --data path=test.csv."},
    seed={"default": 0, "show_default": True, "help": "The seed of the draw of examples."},
)  # fmt: skip
@click.option("--examples", type=COUNT, default=400, show_default=True,
              help="Labelled examples that the model is asked about.")  # fmt: skip
@click.option("--allow-weak", is_flag=True, help="Accept a model whose answers do not go with the gold labels.")
@click.option("--hub", is_flag=True, help="Ask the model hub whether it can be reached.")
@click.option("-v", "--verbose", is_flag=True, help="List what is well, too.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.pass_context
def doctor(
    ctx: click.Context, suite: Path | None, chosen: Chosen, examples: int, allow_weak: bool, hub: bool,
    verbose: bool, as_json: bool,
) -> None:  # fmt: skip
    """Look at the installation, and at a model and its data.

    Names plugins that do not load, libraries and resources that are missing, and labels that are mapped wrongly,
    with the line that repairs each. Exit codes: 0 all is well, 1 a problem was found, 4 wrong usage.
    """
    import dataclasses
    import json

    from robustfim_doctor.diagnosis import print_diagnoses

    if chosen.offline and hub:
        raise click.UsageError(
            "--hub needs the network, and --offline forbids it. Leave one of these options out.", ctx
        )
    console = chosen.console()
    with progress_bar(console) as progress:
        progress("look at the installation", 0, 0)
        diagnoses = list(_diagnoses(suite, chosen, progress, examples=examples, allow_weak=allow_weak, hub=hub))
    problems = sum(diagnosis.state == "problem" for diagnosis in diagnoses)
    if as_json:
        told = {"problems": problems, "diagnoses": [dataclasses.asdict(diagnosis) for diagnosis in diagnoses]}
        click.echo(json.dumps(told, indent=1, ensure_ascii=False))
    else:
        print_diagnoses(console, diagnoses, folded=not verbose)
    ctx.exit(ExitCode.FAILED if problems else ExitCode.OK)


def _diagnoses(
    suite: Path | None,
    chosen: Chosen,
    progress: Callable[[str, int, int], None],
    *,
    examples: int,
    allow_weak: bool,
    hub: bool,
) -> Iterator[Diagnosis]:
    from robustfim.collect import model_and_data
    from robustfim.session import open_sessions
    from robustfim_doctor.labels import diagnose_model_and_data
    from robustfim_doctor.libraries import diagnose_libraries, diagnose_versions
    from robustfim_doctor.plugins import diagnose_device, diagnose_hub, diagnose_plugins, diagnose_resources

    plugins, pairs, cased = chosen.plugin_options, [], []
    loaded, manager = diagnose_plugins(plugins)
    if manager is not None and (suite is not None or chosen.model or chosen.data or chosen.override):
        broken = {diagnosis.name for diagnosis in loaded if diagnosis.state == "problem"} - set(manager.names)
        usable = type(plugins)(plugins.load, (*plugins.block, *sorted(broken)))
        # The names of a suite are looked up first: a misspelled one is wrong usage, whatever else there is.
        pairs = model_and_data(chosen.suite(suite), plugins=usable, offline=chosen.offline)
        if suite is not None:
            first = open_sessions(chosen.suite(suite), plugins=usable, options=chosen.options)[0]
            cased = [check.name for check in first.collection.checks if check.perturbation.contract.cased]
    yield from diagnose_versions()
    yield from diagnose_libraries()
    yield from loaded
    if manager is not None:
        yield from diagnose_resources(manager)
    yield from diagnose_device()
    if hub:
        yield diagnose_hub()
    for pair in pairs:
        yield from diagnose_model_and_data(
            pair, chosen, number=examples, allow_weak=allow_weak, cased=cased, progress=progress
        )
