"""The command ``robustfim lock``."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from robustfim.cli.group import chosen_plugins, plugin_option
from robustfim.errors import UsageError

__all__ = ["lock"]


@click.command()
@click.argument("suite", type=click.Path(path_type=Path))
@click.option("--model", multiple=True, metavar="KEY=VALUE", help="Another model, or an option of it.")
@click.option("--data", multiple=True, metavar="KEY=VALUE", help="Other data, or an option of it.")
@click.option("-o", "override", multiple=True, metavar="KEY=VALUE", help="Any other key of the suite.")
@click.option("--to", type=click.Path(path_type=Path, dir_okay=False),
              help="The file to write; <suite>.lock.json beside the suite by default.")  # fmt: skip
@click.option("--offline", is_flag=True, help="Fetch nothing from any hub.")
@plugin_option
@click.pass_context
def lock(
    ctx: click.Context, suite: Path, model: Sequence[str], data: Sequence[str], override: Sequence[str],
    to: Path | None, offline: bool, plugins: Sequence[str],
) -> None:  # fmt: skip
    """Write down which examples SUITE tests and with which perturbed texts.

    'robustfim run SUITE --lock FILE', or 'lock: FILE' in the suite, then tests just these, so that two models see
    the same inputs whatever changed in a lexicon or in the order of difficulty.
    """
    from robustfim.session.opened import open_session
    from robustfim.suite.config import RunOptions

    options = RunOptions(offline=offline)
    session = open_session(
        suite, plugins=chosen_plugins(ctx, plugins), model=model, data=data, override=override, options=options
    )
    session.configure()
    made = session.write_lock()
    if not made.checks:
        raise UsageError(
            f"{suite} has no perturbed texts to lock: its checks bring their own, are steps, or are skipped."
        )
    path = made.dump(to or suite.with_name(f"{suite.stem}.lock.json"))
    texts = sum(len(each) for check in made.checks.values() for each in check.candidates.values())
    click.echo(f"{path}: {len(made.arms)} examples, {texts:,} texts of {len(made.checks)} checks")
