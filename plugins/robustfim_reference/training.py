"""Training of a reference model, as the command ``train`` and the trainers do it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from robustfim.errors import DataError, ModelError, UsageError, suggestions
from robustfim_reference.corpus import Row
from robustfim_reference.recipe import Recipe

if TYPE_CHECKING:
    from robustfim_reference.learners import Learner
    from robustfim_steps.fitting import Epoch

__all__ = ["Trained", "labels_of", "train_model"]


@dataclass(frozen=True)
class Trained:
    """The result of training a model.

    Attributes:
        learner: The model, with the weights of the best epoch, rounded as they are stored.
        epoch: The best epoch.
        correct: The number of development rows with a right prediction.
    """

    learner: Learner
    epoch: Epoch
    correct: int

    @property
    def parameters(self) -> int:
        """The number of trained parameters."""
        return sum(parameter.numel() for parameter in self.learner.module.parameters())


def labels_of(rows: Sequence[Row], dev: Sequence[Row], name: str) -> tuple[str, ...]:
    """Return the labels of the training data, sorted.

    Raises:
        DataError: All rows have the same label, or the development data have a label that is not in the training data.
    """
    labels = tuple(sorted({row.label for row in rows}))
    if len(labels) < 2:
        raise DataError(f"the training data has one label only, {labels[0]!r}; a classifier needs two or more.")
    strange = sorted({row.label for row in dev} - set(labels))
    if strange:
        raise DataError(f"{name}: label {strange[0]!r} is not in the training data.{suggestions(strange[0], labels)}")
    return labels


def train_model(
    architecture: str, recipe: Recipe, rows: Sequence[Row], dev: Sequence[Row], labels: Sequence[str], *,
    texts: Sequence[str], seed: int, patience: int, device: str, report: Callable[[Epoch], None],
    progress: Callable[[str, int, int], None] = lambda *_: None,
) -> Trained:  # fmt: skip
    """Train a model until the development accuracy stops growing; reproducible on one CPU.

    Args:
        architecture: A key of ``RECIPES``.
        recipe: The settings of the training.
        rows: The training data. A row with a ``norm`` is trained at this step along the top eigenvector.
        dev: The development data, which decide when to stop.
        labels: The labels, in the order of the model's outputs.
        texts: The texts from which the vocabulary and the initial word embeddings are made.
        seed: The seed of all random numbers.
        patience: The number of epochs without a better accuracy after which training stops.
        device: The device to train on.
        report: Called after every epoch.
        progress: Called now and then with a stage, the number of texts done in this stage, and the number of texts.

    Raises:
        ModelError: torch or another library for training is not installed.
        UsageError: The device does not exist.
    """
    try:
        import torch

        from robustfim_reference.fitting import count_correct, fit
        from robustfim_reference.learners import learner
        from robustfim_steps.fitting import fenced
        from robustfim_steps.moved import Moving
    except ModuleNotFoundError as error:
        raise ModelError(f"training needs {error.name}: pip install 'robustfim[huggingface]'.") from error
    try:
        torch.zeros(1, device=device)
    except (AssertionError, RuntimeError) as error:  # a build without CUDA asserts
        raise UsageError(f"device {device!r} cannot be used: {error}. Leave it out for the CPU.") from error
    number = {name: index for index, name in enumerate(labels)}
    with fenced(seed, device, threads=1):
        model = learner(architecture, texts, tuple(labels), recipe, seed=seed, device=device)
        train, held_out = ([(model.encode(row.text), number[row.label]) for row in each] for each in (rows, dev))
        norms = [row.norm for row in rows]
        best = fit(
            model.module, model.forward, train, held_out, recipe, patience=patience, report=report, progress=progress,
            moving=Moving(model.module, model.embedding, model.special) if any(norms) else None, norms=norms,
        )  # fmt: skip
        model.module.half().float()  # as they are stored
        correct = count_correct(model.module, model.forward, held_out, recipe.batch)
    return Trained(model, best, correct)
