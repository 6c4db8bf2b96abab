"""``robustfim study cues``: the command."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import click

from robustfim.collect import named_part
from robustfim.commands import COUNT, FRACTION, NUMBER, OUTPUT_FOLDER, Chosen, shared_options
from robustfim_cues.study.folds import REGIMES

if TYPE_CHECKING:
    from robustfim.record import Study

__all__ = ["command"]


@click.command(name="cues", epilog="Example: robustfim study cues --folds 2 --regime original --regime balanced")
@shared_options(
    "data", "seed", "offline", "plugins",
    data={"default": ("use=copa",),
          "help": "Choices and their mirrors: use=NAME and its options.  [default: use=copa]"},
    seed={"default": 0, "show_default": True, "type": NUMBER,
          "help": "Seed of folds, trainings, and the split into Easy and Hard."},
)  # fmt: skip
@click.option("--trainer", default="cues/bag-of-words", show_default=True, metavar="TRAINER",
              help="The model to train: a name, or '{use: NAME, path: …}'.")  # fmt: skip
@click.option("-o", "options", multiple=True, metavar="KEY=VALUE", help="An option of the trainer.")
@click.option("--regime", "regimes", multiple=True, type=click.Choice(list(REGIMES)),
              help="Train on these instances only; may be repeated.")  # fmt: skip
@click.option("--folds", type=click.IntRange(min=2), default=5, show_default=True, help="Number of folds.")
@click.option("--dev", type=FRACTION, default=0.1, show_default=True,
              help="Share of the other folds' pairs by which a training stops.")  # fmt: skip
@click.option("--minimum", type=COUNT, default=5, show_default=True,
              help="Smallest number of instances to which a cue applies.")  # fmt: skip
@click.option("--keep", type=OUTPUT_FOLDER, metavar="FOLDER",
              help="Keep the models; the same command goes on where it stopped.")  # fmt: skip
def command(
    chosen: Chosen, trainer: str, options: Sequence[str], regimes: Sequence[str], folds: int, dev: float, minimum: int,
    keep: Path | None,
) -> Study:  # fmt: skip
    """Find out what a model learns from instances with superficial cues, and from balanced ones.

    The experiment of Balanced COPA: models are trained on original instances and on pairs of instances and mirrors,
    cross-validated, and compared on Easy, Hard and mirrored instances and on pairs.
    """
    from robustfim_cues.study.study import cues_study

    (pair,) = chosen.model_and_data()
    assert pair.data is not None  # noqa: S101  # --data has a default
    with TemporaryDirectory() as scratch:
        return cues_study(
            pair.data, named_part("trainers", trainer, pair.manager, "--trainer", options),
            [*dict.fromkeys(regimes or REGIMES)],
            folds=folds, dev=dev, seed=chosen.seed or 0, minimum=minimum, folder=keep or Path(scratch),
            report=click.echo,
        )  # fmt: skip
