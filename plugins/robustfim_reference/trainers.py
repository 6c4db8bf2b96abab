"""Trainers of the reference models, for studies that train models."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar

from robustfim.commands import progress_lines
from robustfim.errors import DataError
from robustfim.example import Example
from robustfim_reference.corpus import Row
from robustfim_reference.recipe import RECIPES
from robustfim_reference.training import labels_of, train_model
from robustfim_steps import step_of
from robustfim_steps.epochs import epoch_report

__all__ = ["BertTrainer", "CnnTrainer", "FastTextTrainer", "LstmTrainer", "rows_of"]


class _Trainer:
    """Trains a reference model from nothing.

    Args:
        epochs: The largest number of passes over the data; None for the recipe's.
        patience: Epochs without a better accuracy after which to stop.
        device: Where to compute: ``"cpu"``, ``"cuda"``, ``"cuda:1"``…
    """

    libraries: ClassVar = {"torch": "robustfim[torch]"}
    architecture: ClassVar[str]

    def __init__(self, *, epochs: int | None = None, patience: int = 5, device: str = "cpu") -> None:
        recipe = RECIPES[self.architecture]
        self._recipe = replace(recipe, epochs=epochs or recipe.epochs)
        self._patience, self._device = patience, device

    def train(
        self, examples: Sequence[Example], dev: Sequence[Example], folder: Path, *, seed: int,
        report: Callable[[str], None],
    ) -> Mapping[str, Any]:  # fmt: skip
        """Train on texts and labels, and write the model as ``robustfim train`` does, without a card.

        An example whose row has an ``eigenvector_step`` is learnt at that step.
        """
        rows, held_out = rows_of(examples), rows_of(dev)
        trained = train_model(
            self.architecture, self._recipe, rows, held_out, labels_of(rows, held_out, "the development data"),
            texts=[row.text for row in rows], seed=seed, patience=self._patience, device=self._device,
            report=epoch_report(report, self._recipe.epochs, len(held_out)), progress=progress_lines(report),
        )  # fmt: skip
        folder.mkdir(parents=True, exist_ok=True)
        trained.learner.write(folder)
        return {"use": f"reference/{self.architecture}", "path": str(folder)}


class FastTextTrainer(_Trainer):
    """Trains a bag of words and bigrams (fastText)."""

    architecture = "fasttext"


class CnnTrainer(_Trainer):
    """Trains a convolutional network (Kim-CNN)."""

    architecture = "cnn"


class LstmTrainer(_Trainer):
    """Trains a bidirectional LSTM."""

    architecture = "lstm"


class BertTrainer(_Trainer):
    """Trains a tiny BERT, including its vocabulary of word pieces."""

    libraries: ClassVar = {
        "torch": "robustfim[torch]",
        "transformers": "robustfim[huggingface]",
        "tokenizers": "robustfim[huggingface]",
    }
    architecture = "bert"


def rows_of(examples: Sequence[Example]) -> list[Row]:
    """Return the text and label of each example as rows for training."""
    rows = []
    for example in examples:
        if example.label is None:
            raise DataError(f"example {example.id} has no gold label to learn from.")
        if len(example.fields) != 1:
            raise DataError(
                f"example {example.id} has the fields {', '.join(example.fields)}; a reference model reads one."
            )
        rows.append(Row(example.text, example.label, step_of(example.meta)))
    if not rows:
        raise DataError("there is no example: training and early stopping need at least one example each.")
    return rows
