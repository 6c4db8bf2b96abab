"""``robustfim study sears``: the command."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import click

from robustfim.collect import named_part
from robustfim.commands import COUNT, FRACTION, INPUT_FILE, NUMBER, OUTPUT_FOLDER, Chosen, shared_options

if TYPE_CHECKING:
    from robustfim.record import Study

__all__ = ["command"]


@click.command(
    name="sears",
    epilog="Example: robustfim study sears --train use=csv --train path=train.csv --dev use=csv --dev path=dev.csv",
)
@shared_options(
    "seed", "offline", "plugins",
    seed={"default": 0, "show_default": True, "type": NUMBER,
          "help": "Seed of the split, both trainings, the mining and the augmentation."},
)  # fmt: skip
@click.option("--train", multiple=True, required=True, metavar="KEY=VALUE",
              help="The training data: use=NAME and the options of the data source.")  # fmt: skip
@click.option("--dev", multiple=True, required=True, metavar="KEY=VALUE",
              help="The validation data, on which the errors are measured, likewise.")  # fmt: skip
@click.option("--trainer", default="reference/fasttext", show_default=True, metavar="TRAINER",
              help="The model to train: a name, or '{use: NAME, path: …}'.")  # fmt: skip
@click.option("-o", "options", multiple=True, metavar="KEY=VALUE", help="An option of the trainer.")
@click.option("--rules", type=INPUT_FILE, metavar="FILE",
              help="Rules that were accepted earlier; without, the trained model is mined.")  # fmt: skip
@click.option("--paraphraser", default="phrases", show_default=True, metavar="PARAPHRASER",
              help="The source of paraphrases: a name, or '{use: NAME, …}'.")  # fmt: skip
@click.option("--held", type=FRACTION, default=0.2, show_default=True,
              help="Share of the training data that is held out: mined, and asked when to stop.")  # fmt: skip
@click.option("--examples", type=COUNT, default=1000, show_default=True, metavar="N",
              help="Held-out examples to mine, at most.")  # fmt: skip
@click.option("--per-example", type=COUNT, metavar="N",
              help="Variants of a training example, at most, drawn at random.  [default: all]")  # fmt: skip
@click.option("--share", type=click.FloatRange(0, 1, min_open=True), default=1.0, show_default=True,
              help="Share of the training examples that can be changed of which variants are made.")  # fmt: skip
@click.option("--keep", type=OUTPUT_FOLDER, metavar="FOLDER",
              help="Write both models there, as 'before' and 'after'.")  # fmt: skip
def command(
    chosen: Chosen, train: tuple[str, ...], dev: tuple[str, ...], trainer: str, options: Sequence[str],
    rules: Path | None, paraphraser: str, held: float, examples: int, per_example: int | None,
    share: float, keep: Path | None,
) -> Study:  # fmt: skip
    """Find out whether training on what rules make of the training data mends a model.

    A model is trained, rules are mined from held-out training data, and the model is trained again on the training
    data with what the rules make of it: Table 6 of Ribeiro, Singh and Guestrin 2018, validation error and sensitivity
    error before and after.
    """
    from robustfim_sears.remedy.study import Settings, sears_study
    from robustfim_sears.rule.file import read_rules

    given = () if rules is None else read_rules(rules)
    (learnt,) = replace(chosen, data=train).model_and_data()
    (asked,) = replace(chosen, data=dev).model_and_data()
    assert learnt.data is not None and asked.data is not None  # noqa: S101, PT018  # both options are required
    manager = learnt.manager
    with TemporaryDirectory() as scratch:
        return sears_study(
            learnt.data, asked.data, named_part("trainers", trainer, manager, "--trainer", options),
            named_part("paraphrasers", paraphraser, manager, "--paraphraser"),
            Settings(chosen.seed or 0, examples, held, per_example, share, chosen.offline), rules=given,
            folder=keep or Path(scratch), report=lambda line: click.echo(line, err=True),
        )  # fmt: skip
