"""Trainers that fine-tune a saved model, for studies that train models."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar, TypedDict, Unpack

from pydantic import PositiveFloat, PositiveInt

from robustfim.commands import progress_lines
from robustfim.example import Example
from robustfim_huggingface.finetune.recipe import Recipe
from robustfim_huggingface.finetune.task import TASKS
from robustfim_huggingface.finetune.tuning import find_base, tune
from robustfim_steps.epochs import epoch_report

__all__ = ["ChoiceTrainer", "ClassifierTrainer"]


class _Tuning(TypedDict, total=False):
    """The options that both have; :class:`_Trainer` says what they mean, and their defaults."""

    epochs: PositiveInt
    patience: PositiveInt
    learning_rate: PositiveFloat
    batch_size: PositiveInt
    max_length: PositiveInt | None
    device: str
    revision: str | None
    offline: bool


class _Trainer:
    """What both do alike.

    Args:
        path: The model to begin with: a folder that ``save_pretrained`` wrote, or a hub id; safetensors weights.
        options: How the model reads.
        epochs: The largest number of passes over the data.
        patience: Passes without a better one after which to stop.
        learning_rate: Its largest value.
        batch_size: Examples an update.
        max_length: Tokens read at most, special ones included; by default as many as the model can.
        device: ``auto`` (a GPU if there is one), ``cpu``, ``cuda``, ``cuda:1``, ``mps``.
        revision: The hub's branch, tag or commit.
        offline: Use only what is already on this machine.
    """

    libraries: ClassVar = {"torch": "robustfim[torch]", "transformers": "robustfim[huggingface]"}
    task: str

    def __init__(
        self,
        path: Path | str,
        options: Mapping[str, Any],
        epochs: int = Recipe.epochs,
        patience: int = Recipe.patience,
        learning_rate: float = Recipe.learning_rate,
        batch_size: int = Recipe.batch_size,
        max_length: int | None = None,
        device: str = "auto",
        revision: str | None = None,
        offline: bool = False,
    ) -> None:
        self._recipe = Recipe(epochs, patience, learning_rate, batch_size, max_length=max_length)
        self._device = device
        self._options = {name: value for name, value in options.items() if value is not None}
        self._base = find_base(path, revision, offline=offline)

    def train(
        self, examples: Sequence[Example], dev: Sequence[Example], folder: Path, *, seed: int,
        report: Callable[[str], None],
    ) -> Mapping[str, Any]:  # fmt: skip
        """Fine-tune, and write the model as ``robustfim finetune`` does, without a card."""
        tuned = tune(
            self._base, TASKS[self.task], examples, dev, folder, self._recipe, options=self._options,
            device=self._device, seed=seed, report=epoch_report(report, self._recipe.epochs, len(dev)),
            progress=progress_lines(report),
        )  # fmt: skip
        if tuned.interrupted:
            raise KeyboardInterrupt
        return tuned.spec


class ClassifierTrainer(_Trainer):
    """Fine-tunes a saved model to label texts or pairs.

    Training uses AdamW, a linear schedule with warm-up, and clipped gradients. The epoch with the best accuracy on the
    development data is kept. Needs ``pip install 'robustfim[huggingface]'``.

    Args:
        text: The field to classify; by default an example's first field.
        pair: The field with the second text of a pair; by default the second field, if an example has two.
        **tuning: Options of the training, shared by all trainers of this plugin.
    """

    task = "classification"

    def __init__(
        self,
        path: Path | str,
        text: str | None = None,
        pair: str | None = None,
        **tuning: Unpack[_Tuning],
    ) -> None:
        super().__init__(path, {"text": text, "pair": pair}, **tuning)


class ChoiceTrainer(_Trainer):
    """Fine-tunes a saved model to choose among alternatives.

    Training uses AdamW, a linear schedule with warm-up, and clipped gradients. The epoch with the best accuracy on the
    development data is kept. Needs ``pip install 'robustfim[huggingface]'``.

    Args:
        choices: The fields of the alternatives, two or more; by default ``choice1`` and ``choice2``.
        context: The fields of the context, read in this order and joined by blanks; by default all others.
        words: A mapping from texts of a context field to the words that the model reads instead. With ``{cause: What
            was the cause?}``, the field's text "cause" is read as "What was the cause?".
        **tuning: Options of the training, shared by all trainers of this plugin.
    """

    task = "choice"

    def __init__(
        self,
        path: Path | str,
        choices: list[str] | None = None,
        context: list[str] | None = None,
        words: dict[str, str] | None = None,
        **tuning: Unpack[_Tuning],
    ) -> None:
        super().__init__(path, {"choices": choices, "context": context, "words": words}, **tuning)
