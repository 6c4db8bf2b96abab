"""The command ``robustfim doctor``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from robustfim.cli.group import chosen_plugins, plugin_option
from robustfim.outcome import ExitCode

if TYPE_CHECKING:
    from robustfim.doctor.diagnosis import Diagnosis
    from robustfim.plugin.loading import PluginOptions

__all__ = ["doctor"]


@click.command()
@click.argument("suite", required=False, type=click.Path(path_type=Path))
@click.option("--model", multiple=True, metavar="KEY=VALUE", help="The model: --model use=huggingface --model path=…")
@click.option("--data", multiple=True, metavar="KEY=VALUE", help="The data: --data use=csv --data path=test.csv.")
@click.option("-o", "override", multiple=True, metavar="KEY=VALUE", help="Any other key of the suite.")
@click.option("--examples", type=click.IntRange(min=1), default=400, show_default=True,
              help="Labelled examples that the model is asked about.")  # fmt: skip
@click.option("--seed", type=int, default=0, show_default=True, help="The seed of their draw.")
@click.option("--allow-weak", is_flag=True,
              help="Accept a model that is no better than always answering the commonest label.")  # fmt: skip
@click.option("--hub", is_flag=True, help="Ask the model hub whether it can be reached.")
@click.option("--offline", is_flag=True, help="Fetch nothing from any hub.")
@click.option("--max-calls", type=click.IntRange(min=1), metavar="N", help="Send at most N texts to the model.")
@click.option("--store", type=click.Path(path_type=Path), default=Path(".robustfim/store.sqlite"), show_default=True,
              help="File of the prediction store.")  # fmt: skip
@click.option("--no-store", is_flag=True, help="Keep nothing on disk.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@plugin_option
@click.option("--color", type=click.Choice(["auto", "yes", "no"]), default="auto", show_default=True)
@click.pass_context
def doctor(ctx: click.Context, /, plugins: Sequence[str], as_json: bool, color: str, **given: Any) -> None:
    """Look at the installation, and at a model and its data.

    Names plugins that do not load, libraries and resources that are missing, and labels that are mapped wrongly,
    with the line that repairs each. Exit codes: 0 all is well, 1 a problem was found, 4 wrong usage.
    """
    import dataclasses
    import json

    from robustfim.doctor.diagnosis import print_diagnoses
    from robustfim.terminal.console import make_console

    if given["offline"] and given["hub"]:
        raise click.UsageError("--hub asks the hub, and --offline forbids it.", ctx)
    found = list(_diagnoses(given, chosen_plugins(ctx, plugins)))
    problems = sum(each.state == "problem" for each in found)
    if as_json:
        told = {"problems": problems, "diagnoses": [dataclasses.asdict(each) for each in found]}
        click.echo(json.dumps(told, indent=1, ensure_ascii=False))
    else:
        print_diagnoses(make_console(color), found)
    ctx.exit(ExitCode.FAILED if problems else ExitCode.OK)


def _diagnoses(given: dict[str, Any], plugins: PluginOptions) -> Iterator[Diagnosis]:
    from robustfim.collect.model_and_data import open_subject
    from robustfim.doctor.labels import diagnose_subject
    from robustfim.doctor.libraries import diagnose_libraries, diagnose_versions
    from robustfim.doctor.plugins import diagnose_device, diagnose_hub, diagnose_plugins, diagnose_resources
    from robustfim.session.opened import open_sessions
    from robustfim.suite.config import RunOptions

    chosen = {name: given[name] for name in ("model", "data", "override")}
    subjects = []
    loaded, manager = diagnose_plugins(plugins)
    if manager is not None and (given["suite"] is not None or any(chosen.values())):
        broken = {each.name for each in loaded if each.state == "problem"} - set(manager.names)
        usable = type(plugins)(plugins.load, (*plugins.block, *sorted(broken)))
        # The names of a suite are looked up first: a misspelled one is wrong usage, whatever else there is.
        subjects = open_subject(given["suite"], plugins=usable, offline=given["offline"], **chosen)
        if given["suite"] is not None:
            options = RunOptions(collect_only=True, offline=given["offline"])
            open_sessions(given["suite"], plugins=usable, options=options, **chosen)
    yield from diagnose_versions()
    yield from diagnose_libraries()
    yield from loaded
    if manager is not None:
        yield from diagnose_resources(manager)
    yield from diagnose_device()
    if given["hub"]:
        yield diagnose_hub()
    for subject in subjects:
        yield from diagnose_subject(
            subject,
            number=given["examples"],
            seed=given["seed"],
            store=None if given["no_store"] else given["store"],
            max_calls=given["max_calls"],
            allow_weak=given["allow_weak"],
        )
