"""``robustfim finetune``: fine-tune a Hugging Face model on any data source."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import yaml

from robustfim.blame import blame
from robustfim.commands import COUNT, INPUT, NUMBER, OUTPUT_FOLDER, POSITIVE, Chosen, progress_bar, shared_options
from robustfim.errors import UsageError
from robustfim.example import Example
from robustfim.outcome import ExitCode
from robustfim.plugin.options import build, resolve
from robustfim.suite import SuiteFile, parse_override
from robustfim.whole_file import write_whole
from robustfim_huggingface.checkpoint.saved_model import Loading
from robustfim_huggingface.finetune.card import Source, tuned_card
from robustfim_huggingface.finetune.recipe import Recipe
from robustfim_huggingface.finetune.task import TASKS, require_gold, task_of
from robustfim_huggingface.finetune.tuning import find_base, tune
from robustfim_steps import read_steps, stepped
from robustfim_steps.epochs import EpochLines
from robustfim_steps.made_by import command_line, shown

if TYPE_CHECKING:
    from robustfim.collect import Named

__all__ = ["command"]


@click.command(
    name="finetune",
    epilog="Example: robustfim finetune ./base --data use=csv --data path=train.csv --dev path=dev.csv --out mine",
)
@click.argument("base", metavar="BASE")
@shared_options(
    "data", "seed", "offline", "plugins",
    data={"required": True, "help": "Data to learn from: use=NAME and the options of the data source."},
    seed={"default": 0, "show_default": True, "type": NUMBER, "help": "Seed of everything random."},
)  # fmt: skip
@click.option("--dev", multiple=True, required=True, metavar="KEY=VALUE",
              help="Data that decides when to stop; without use=NAME, other options than those of --data.")  # fmt: skip
@click.option("--steps", type=INPUT, metavar="FILE",
              help="Steps in embedding space to learn from, too, as 'robustfim export --steps' writes "
              "them.")  # fmt: skip
@click.option("--step-norm", type=POSITIVE,
              help="Learn each example at a step of this norm, too, along the top eigenvector of the weights at "
              "hand.")  # fmt: skip
@click.option("--out", required=True, type=OUTPUT_FOLDER, metavar="FOLDER",
              help="Folder to write the model to.")  # fmt: skip
@click.option("--task", type=click.Choice(list(TASKS)), help="The task to learn; by default the data's fields decide.")
@click.option("-o", "options", multiple=True, metavar="KEY=VALUE",
              help="How the model reads: an option of it, such as text=review or context=[premise].")  # fmt: skip
@click.option("--epochs", default=Recipe.epochs, show_default=True, type=COUNT,
              help="Largest number of passes over the data.")  # fmt: skip
@click.option("--patience", default=Recipe.patience, show_default=True, type=COUNT,
              help="Stop after this many epochs without a better one.")  # fmt: skip
@click.option("--learning-rate", default=Recipe.learning_rate, show_default=True,
              type=POSITIVE, help="Its largest value, after the warm-up.")  # fmt: skip
@click.option("--batch-size", default=Recipe.batch_size, show_default=True, type=COUNT, help="Examples an update.")
@click.option("--max-length", type=COUNT,
              help="Tokens read at most, special ones included; by default as many as the model can.")  # fmt: skip
@click.option(
    "--device", default="auto", show_default=True, help="The device to train on: auto, cpu, cuda, cuda:1, mps."
)
@click.option("--revision", metavar="NAME", help="The hub's branch, tag or commit.")
@click.pass_context
def command(
    ctx: click.Context, /, base: str, chosen: Chosen, dev: tuple[str, ...], steps: Path | None,
    step_norm: float | None, out: Path, task: str | None, options: Sequence[str], epochs: int,
    patience: int, learning_rate: float, batch_size: int, max_length: int | None, device: str,
    revision: str | None,
) -> None:  # fmt: skip
    """Fine-tune BASE, a folder or a hub id with safetensors weights, and write it to a folder.

    The folder then works in a suite as {use: huggingface, path: FOLDER}, or for choices as
    {use: huggingface/choice, path: FOLDER}. The same command gives the same weights on one CPU. Ctrl-C
    ends the training and writes the best epoch so far; its exit code is 2.
    """
    own = () if any(each.startswith("use=") for each in dev) else chosen.data
    both = {"data": chosen, "dev": replace(chosen, data=(*own, *dev))}
    parts = {name: _data_of(name, each) for name, each in both.items()}
    checkpoint = find_base(resolve(base, Path | str, Path()), revision, offline=chosen.offline)
    sources = [_read(name, part) for name, part in parts.items()]
    train, held_out = (examples for _, examples in sources)
    require_gold(train, "--data")
    require_gold(held_out, "--dev")
    if common := {example.id for example in train} & {example.id for example in held_out}:
        click.echo(f"{len(common)} examples of --dev are in --data, too: its accuracy says less.", err=True)
    task = task or task_of(train)
    moved = [] if steps is None else read_steps(steps, [*train[0].fields])
    moved += stepped(train, step_norm) if step_norm else []
    recipe = Recipe(epochs, patience, learning_rate, batch_size, max_length=max_length)
    reading = _reading(task, checkpoint.folder, options)
    console = chosen.console()
    with progress_bar(console) as progress:
        tuned = tune(
            checkpoint, TASKS[task], [*train, *moved], held_out, out, recipe, options=reading, device=device,
            seed=chosen.seed or 0, report=EpochLines(console, epochs, len(held_out)), progress=progress,
        )  # fmt: skip
    card = tuned_card(
        tuned, recipe, shown(checkpoint.name), checkpoint.digest,
        command_line(["robustfim", "finetune", shown(base)], ("base", "plugins", "offline")),
        [source for source, _ in sources], seed=chosen.seed or 0,
    )  # fmt: skip
    write_whole(out / "MODEL_CARD.md", card.encode())
    correct = tuned.epoch.correct
    click.echo(f"wrote {out}: dev accuracy {correct / len(held_out):.3f} ({correct} of {len(held_out)})")
    if tuned.interrupted:
        click.echo(f"interrupted after epoch {tuned.run}: the weights are those of epoch {tuned.epoch.number}.")
    spec = {**tuned.spec, "path": out.as_posix()}
    click.echo(f"model: {yaml.safe_dump(spec, default_flow_style=True, width=1000, sort_keys=False).strip()}")
    ctx.exit(ExitCode.INTERRUPTED if tuned.interrupted else ExitCode.OK)


def _data_of(name: str, chosen: Chosen) -> Named:
    """The data that an option names."""
    part = chosen.model_and_data()[0].data
    if part is None:
        raise UsageError(f"--{name} names no data. Write --{name} use=NAME; 'robustfim plugins' lists the names.")
    return part


def _read(name: str, part: Named) -> tuple[Source, list[Example]]:
    """Read data, and note what it was."""
    with blame(f"data source {part.use.use!r}"):
        examples = list(part.make().load())
    return Source(name, part.use.use, part.use.options, tuple(example.id for example in examples)), examples


def _reading(task: str, base: Path, options: Sequence[str]) -> dict[str, Any]:
    """Check how the model is to read, before anything is loaded."""
    file = SuiteFile(Path("the command line"), {"model": {}})
    for text in options:
        location, value = parse_override(text, "-o")
        if location[0] in {"path", "labels", *Loading.__annotations__}:
            raise UsageError(f"-o {text}: {location[0]!r} is not an option that names the fields of an example.")
        file.override(("model", *location), value, f"-o {text}")
    given: dict[str, Any] = file.data["model"]
    build(TASKS[task].model, {"path": str(base), **given}, "robustfim_huggingface", file, ("model",))
    return given
