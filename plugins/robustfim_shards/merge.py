"""The command ``robustfim merge``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import click

from robustfim.commands import INPUT, Chosen, shared_options
from robustfim.outcome import worst

__all__ = ["command"]


@click.command(epilog="Example: robustfim merge suites/sentiment.yaml part-*.sqlite")
@click.argument("suite", type=INPUT)
@click.argument("stores", type=INPUT, nargs=-1, required=True, metavar="STORE...")
@shared_options(
    "model", "data", "override", "seed", "lock", "inconclusive", "baselines", "margin", "fail_on", "max_calls", "store",
    "engine", "workers", "offline", "plugins", "reports", "ci", "durations", "verbosity", "without_texts", "color",
)  # fmt: skip
@click.pass_context
def command(ctx: click.Context, suite: Path, stores: Sequence[Path], chosen: Chosen) -> None:
    """Make the record of a run of SUITE from the STOREs that 'robustfim run --shard' wrote.

    Their answers are added to --store, and the suite is run with them: selection, rates, corrections and verdicts are
    those of one run. The model is asked for what no part holds. Exit codes are those of 'robustfim run'.
    """
    from robustfim.session import open_sessions
    from robustfim.terminal.series import run_models
    from robustfim_shards.stores import gather

    added = gather(stores, chosen.store)
    click.echo(f"{chosen.store}: {added:,} entries added")
    options = replace(chosen.options, overrides=chosen.words, reports=chosen.reports, remember=True)
    sessions = open_sessions(chosen.suite(suite), plugins=chosen.plugin_options, options=options, ci=chosen.ci)
    codes = [code for code, _ in run_models(sessions, chosen.console())]
    ctx.exit(worst(codes[1:] or codes))  # of several models the first is what the others are compared with
