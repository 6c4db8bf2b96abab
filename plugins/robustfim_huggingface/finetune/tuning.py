"""Fine-tuning of a saved model, as the command ``finetune`` and the trainers do it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from robustfim.errors import UsageError
from robustfim.example import Example
from robustfim.whole_file import writing
from robustfim_checkpoints.folder import Checkpoint, fetch, open_folder
from robustfim_checkpoints.library import library
from robustfim_huggingface.finetune.recipe import Recipe
from robustfim_huggingface.finetune.task import Task, numbered, require_gold
from robustfim_steps import step_of

if TYPE_CHECKING:
    from robustfim_steps.fitting import Epoch

__all__ = ["Tuned", "find_base", "tune"]


@dataclass(frozen=True)
class Tuned:
    """The result of fine-tuning a model.

    Attributes:
        spec: The model as a suite names it: ``{"use": "huggingface", "path": "…"}`` with options such as ``text`` or
            ``max_length``.
        labels: The labels, in the order of the model's outputs.
        epoch: The epoch whose weights were kept.
        run: The number of epochs that were run.
        tested: The number of examples in the development data.
        parameters: The number of trained parameters.
        begun: The names of the weights that were initialised at random.
        interrupted: Whether Ctrl-C ended the training after ``run`` epochs.
    """

    spec: Mapping[str, Any]
    labels: tuple[str, ...]
    epoch: Epoch
    run: int
    tested: int
    parameters: int
    begun: tuple[str, ...]
    interrupted: bool


def find_base(path: Path | str, revision: str | None = None, *, offline: bool = False) -> Checkpoint:
    """Find the base model of a fine-tuning.

    Raises:
        UsageError: The model is missing, or the folder is not a model.
        ModelError: The model has only pickled weights, or cannot be fetched.
    """
    if isinstance(path, Path) or Path(path).is_dir():
        return open_folder(Path(path))
    return fetch(path, revision, offline=offline)


def tune(
    base: Checkpoint,
    task: Task,
    train: Sequence[Example],
    dev: Sequence[Example],
    folder: Path,
    recipe: Recipe,
    *,
    options: Mapping[str, Any],
    device: str,
    seed: int,
    report: Callable[[Epoch], None],
    progress: Callable[[str, int, int], None] = lambda *_: None,
) -> Tuned:
    """Train all weights of a model until the accuracy on the development data stops growing, and write the model.

    The same arguments give the same weights on one CPU with one number of threads.

    Args:
        base: The model to begin with. A missing head is initialised at random, by the seed.
        task: What to learn.
        train: The training data. If an example's row has an ``eigenvector_step``, its embedding is moved by this step
            in training.
        dev: The development data, which decide when to stop.
        folder: The folder for the model, its tokenizer and the names of the labels; created if it is missing.
        recipe: The settings.
        options: Options that say which fields the model reads, such as ``text`` or ``context``.
        device: A torch device, or ``auto``.
        seed: The seed of all random numbers.
        report: Called after every epoch.
        progress: Called now and then with a stage, the number of examples done in this stage, and the number of
            examples.

    Raises:
        DataError: A gold label is missing or not usable, or all examples have the same label.
        UsageError: An example lacks a field, ``max_length`` is too large, or the folder is the base model's own.
        ModelError: torch or transformers is not installed, or the model cannot be loaded.
    """
    labels = task.labels(require_gold(train, "the training data"), base.config, options)
    rows, held_out = numbered(train, labels, "the training data"), numbered(dev, labels, "the development data")
    if folder.resolve() == base.folder.resolve():
        raise UsageError(f"{folder} is the model that you fine-tune. Name another folder for the result.")
    for name in ("torch", "transformers"):
        library(name, extra="huggingface")
    import torch

    from robustfim_checkpoints.library import torch_device
    from robustfim_checkpoints.loading import load_base, load_tokenizer, save
    from robustfim_huggingface.finetune.fitting import fit
    from robustfim_steps.fitting import fenced
    from robustfim_steps.moved import Moving

    epochs: list[Epoch] = []

    def told(epoch: Epoch) -> None:
        epochs.append(epoch)
        report(epoch)

    # What begins is saved and opened as a suite opens it, so that it is trained on what it will read.
    with TemporaryDirectory() as name, fenced(seed, str(torch_device(device))):
        tokenizer = load_tokenizer(base)
        network, begun = load_base(base, torch.float32, task.auto, **task.configured(labels))
        if recipe.max_length is not None:
            tokenizer.model_max_length = recipe.max_length
        network.config.pad_token_id = tokenizer.pad_token_id
        save(network, tokenizer, Path(name))
        model = task.model(Path(name), max_length=recipe.max_length, device=device, **options)
        model.called(base.name)
        module = model.network.module
        moving = None
        if any(step_of(example.meta) for example in train):
            around = [getattr(tokenizer, f"{each}_token_id") for each in ("cls", "sep", "bos", "eos", "pad")]
            words: Any = module
            moving = Moving(module, words.get_input_embeddings(), [each for each in around if each is not None])
        best, interrupted = fit(module, model.training_logits, rows, held_out, recipe, told, progress, moving)
        with writing(folder):
            save(module, model.network.reading.tokenizer, folder)
    return Tuned(
        {"use": task.use, "path": str(folder), **options},
        tuple(labels),
        best,
        len(epochs),
        len(held_out),
        sum(parameter.numel() for parameter in module.parameters()),
        tuple(begun),
        interrupted,
    )
