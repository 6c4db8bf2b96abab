"""``robustfim train``: train a small reference model on CSV files."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import get_args

import click

from robustfim.commands import COUNT, INPUT, OUTPUT, POSITIVE, Chosen, progress_bar
from robustfim.errors import UsageError, suggestions
from robustfim_reference.card import Source, card
from robustfim_reference.corpus import cut, read_rows
from robustfim_reference.recipe import RECIPES, Optimiser, by_sgd
from robustfim_reference.trainers import rows_of
from robustfim_reference.training import labels_of, train_model
from robustfim_steps import read_steps
from robustfim_steps.epochs import EpochLines
from robustfim_steps.made_by import command_line

__all__ = ["command"]


@click.command(name="train", epilog="Example: robustfim train cnn --data train.csv --dev dev.csv --out my-cnn")
@click.argument("architecture", metavar="ARCHITECTURE")
@click.option("--data", multiple=True, required=True, type=INPUT, help="CSV file to train on; may be repeated.")
@click.option("--unlabelled", multiple=True, type=INPUT, help="CSV file of which only the texts are read, for the "
              "vocabulary and the first word embeddings; may be repeated.")  # fmt: skip
@click.option("--steps", type=INPUT, help="Steps in embedding space to learn from, too, as 'robustfim export --steps' "
              "writes them.")  # fmt: skip
@click.option("--step-norm", type=POSITIVE, help="Learn each training text at a step of "
              "this norm, too, along the top eigenvector of the weights at hand.")  # fmt: skip
@click.option("--dev", required=True, type=INPUT, help="CSV file that decides when to stop.")
@click.option("--out", required=True, type=OUTPUT, help="Folder to write the model to.")
@click.option("--text", default="text", show_default=True, help="Column of the texts.")
@click.option("--label", default="label", show_default=True, help="Column of the labels.")
@click.option("--cut", "words", type=COUNT, help="Cut longer training texts into runs of whole "
              "sentences of at most this many words, each with its text's label.")  # fmt: skip
@click.option("--seed", default=0, show_default=True, help="Seed of everything random.")
@click.option("--epochs", type=COUNT, help="Largest number of passes over the data.")
@click.option("--patience", default=5, show_default=True, type=COUNT,
              help="Stop after this many epochs without a better accuracy.")  # fmt: skip
@click.option("--max-vocabulary", type=click.IntRange(min=200), help="Largest number of words or word pieces.")
@click.option("--optimiser", type=click.Choice(get_args(Optimiser)), default="adamw", show_default=True,
              help="sgd trains as 'Geometry matters' does: learning rate 4, times 0.9 after each epoch, "
              "nothing dropped.")  # fmt: skip
@click.option("--learning-rate", type=POSITIVE, help="Highest learning rate.")
@click.option("--vectors", type=INPUT, help="Word vectors to begin with, in the text form of GloVe or word2vec; the "
              "embeddings get as many dimensions.")  # fmt: skip
@click.option("--device", default="cpu", show_default=True, help="The device to train on: cpu, cuda, cuda:1…")
def command(
    architecture: str, data: tuple[Path, ...], unlabelled: tuple[Path, ...], steps: Path | None,
    step_norm: float | None, dev: Path, out: Path, text: str, label: str, words: int | None, seed: int,
    epochs: int | None, patience: int, max_vocabulary: int | None, optimiser: Optimiser, learning_rate: float | None,
    vectors: Path | None, device: str,
) -> None:  # fmt: skip
    """Train ARCHITECTURE (fasttext, cnn, lstm or bert) on CSV files and write it to a folder.

    The folder then works in a suite as {use: reference/ARCHITECTURE, path: FOLDER}. The same command gives
    the same weights.
    """
    if architecture not in RECIPES:
        raise UsageError(f"unknown architecture {architecture!r}.{suggestions(architecture, RECIPES, 'Known')}")
    if vectors and architecture == "bert":
        raise UsageError("bert cannot use the word vectors of --vectors, because it reads pieces of words.")
    recipe = by_sgd(RECIPES[architecture]) if optimiser == "sgd" else RECIPES[architecture]
    recipe = replace(
        recipe, epochs=epochs or recipe.epochs, vocabulary=max_vocabulary or recipe.vocabulary,
        learning_rate=learning_rate or recipe.learning_rate, vectors=vectors,
    )  # fmt: skip
    labelled = [(path, read_rows(path, text, label)) for path in data]
    plain = [(path, read_rows(path, text, None)) for path in unlabelled]
    rows = [row for _, each in labelled for row in each]
    checked = read_rows(dev, text, label)
    labels = labels_of(rows, checked, str(dev))
    moved = [] if steps is None else rows_of(read_steps(steps, [text]))
    labels_of(rows, moved, str(steps))
    sources = [Source("data", path, len(each)) for path, each in labelled]
    sources += [Source("unlabelled", path, len(each)) for path, each in plain]
    sources += [Source("steps", steps, len(moved))] if steps else []
    if vectors and vectors.is_file():
        with vectors.open("rb") as lines:
            sources.append(Source("vectors", vectors, sum(1 for _ in lines)))
    sources.append(Source("dev", dev, len(checked)))
    shown_command = command_line(["robustfim", "train", architecture], ("architecture",))
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"--out {out} cannot be made a folder: {error}.") from error
    more = [row for _, each in plain for row in each]
    if words is not None:
        rows, more = (
            [part for row in rows for part in cut(row, words)],
            [part for row in more for part in cut(row, words)],
        )
    texts = [row.text for row in [*rows, *more]]
    rows += [*moved, *(replace(row, norm=step_norm) for row in rows if step_norm)]
    console = Chosen().console()
    with progress_bar(console) as progress:
        trained = train_model(
            architecture, recipe, rows, checked, labels, texts=texts, seed=seed, patience=patience, device=device,
            report=EpochLines(console, recipe.epochs, len(checked)), progress=progress,
        )  # fmt: skip
    trained.learner.write(out)
    told = card(
        architecture, shown_command, sources, labels=labels, seed=seed, correct=trained.correct, tested=len(checked),
        epoch=trained.epoch.number, parameters=trained.parameters,
    )  # fmt: skip
    (out / "MODEL_CARD.md").write_text(told, encoding="utf-8")
    click.echo(f"wrote {out}: dev accuracy {trained.correct / len(checked):.3f} ({trained.correct} of {len(checked)})")
