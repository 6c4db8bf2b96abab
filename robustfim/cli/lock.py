"""The command ``robustfim lock``."""

from __future__ import annotations

from pathlib import Path

import click

from robustfim.commands import INPUT, OUTPUT_FILE, Chosen, progress_bar, shared_options
from robustfim.errors import UsageError
from robustfim.printable import counted

__all__ = ["lock"]


@click.command(epilog="Example: robustfim lock suites/sentiment.yaml --to sentiment.lock.jsonl")
@click.argument("suite", type=INPUT)
@click.option("--to", type=OUTPUT_FILE,
              help="The file to write; <suite>.lock.json beside the suite by default.")  # fmt: skip
@shared_options("model", "data", "override", "offline", "store", "plugins")
def lock(suite: Path, to: Path | None, chosen: Chosen) -> None:
    """Write down which examples SUITE tests and with which perturbed texts.

    'robustfim run SUITE --lock FILE', or 'lock: FILE' in the suite, then tests just these, so that two models see
    the same inputs whatever changed in a lexicon or in the order of difficulty.
    """
    from robustfim.session.locked_texts import locked_texts
    from robustfim.session.open import open_session

    session = open_session(chosen.suite(suite), plugins=chosen.plugin_options, options=chosen.options)
    with progress_bar(chosen.console()) as progress:
        session.manager.register(progress, "robustfim.progress_bar")
        session.configure()
        made = session.select(lambda stage: locked_texts(stage, progress))
    if not made.checks:
        raise UsageError(
            f"{suite} has no perturbed texts to lock. Its checks use the texts of a source, make steps in embedding "
            "space, or are skipped."
        )
    path = made.dump(to or suite.with_name(f"{suite.stem}.lock.json"))
    texts = sum(len(candidate) for check in made.checks.values() for candidate in check.candidates.values())
    click.echo(f"{path}: {len(made.arms)} examples, {texts:,} texts of {counted(len(made.checks), 'check')}")
