"""``robustfim study cues``: the command."""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import click

from robustfim.cli.group import chosen_plugins, plugin_option
from robustfim.collect.model_and_data import named_part, open_subject
from robustfim_cues.study.folds import REGIMES

if TYPE_CHECKING:
    from robustfim.record import Study

__all__ = ["command"]


@click.command(name="cues")
@click.option("--data", multiple=True, default=("use=copa",), metavar="KEY=VALUE",
              help="Choices and their mirrors: use=NAME and its options.  [default: use=copa]")  # fmt: skip
@click.option("--trainer", default="cues/bag-of-words", show_default=True, metavar="TRAINER",
              help="What is trained: a name, or '{use: NAME, path: …}'.")  # fmt: skip
@click.option("-o", "options", multiple=True, metavar="KEY=VALUE", help="An option of the trainer.")
@click.option("--regime", "regimes", multiple=True, type=click.Choice(list(REGIMES)),
              help="Train on these instances only; may be repeated.")  # fmt: skip
@click.option("--folds", type=click.IntRange(min=2), default=5, show_default=True, help="Number of folds.")
@click.option("--dev", type=click.FloatRange(0, 1, min_open=True, max_open=True), default=0.1, show_default=True,
              help="Share of the other folds' pairs by which a training stops.")  # fmt: skip
@click.option("--minimum", type=click.IntRange(min=1), default=5, show_default=True,
              help="Smallest number of instances to which a cue applies.")  # fmt: skip
@click.option("--seed", default=0, show_default=True, type=click.IntRange(min=0),
              help="Seed of folds, trainings, and the split into Easy and Hard.")  # fmt: skip
@click.option("--keep", type=click.Path(path_type=Path, file_okay=False), metavar="FOLDER",
              help="Keep the models; the same command goes on where it stopped.")  # fmt: skip
@click.option("--offline", is_flag=True, help="Fetch nothing from any hub.")
@plugin_option
@click.pass_context
def command(
    ctx: click.Context, /, data: Sequence[str], trainer: str, options: Sequence[str], regimes: Sequence[str],
    folds: int, dev: float, minimum: int, seed: int, keep: Path | None, offline: bool, plugins: Sequence[str],
) -> Study:  # fmt: skip
    """Find out what a model learns from instances with superficial cues, and from balanced ones.

    The experiment of Balanced COPA: models are trained on original instances and on pairs of instances and mirrors,
    cross-validated, and compared on Easy, Hard and mirrored instances and on pairs.
    """
    from robustfim_cues.study.study import cues_study

    (subject,) = open_subject(None, plugins=chosen_plugins(ctx, plugins), data=data, offline=offline)
    assert subject.data is not None  # noqa: S101  # --data has a default
    started = datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")
    with TemporaryDirectory() as scratch:
        return cues_study(
            subject.data, named_part("trainers", trainer, subject.manager, "--trainer", options),
            [*dict.fromkeys(regimes or REGIMES)],
            folds=folds, dev=dev, seed=seed, minimum=minimum, folder=keep or Path(scratch), started=started,
            report=click.echo,
        )  # fmt: skip
