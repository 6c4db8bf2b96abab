"""The training loop of the reference models: batches, schedule and evaluation."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from functools import partial

import torch
from torch import Tensor, nn

from robustfim_reference.recipe import Recipe
from robustfim_steps.fitting import Epoch, Progress
from robustfim_steps.fitting import fit as fit_epochs
from robustfim_steps.moved import Moving

__all__ = ["Text", "count_correct", "fit", "pad"]

Text = list[int]
"""A text as rows of the vocabulary, never empty."""

_POOL = 50  # batches among which texts of similar length are put together


def fit(
    module: nn.Module,
    forward: Callable[[Sequence[Text], bool], Tensor],
    train: Sequence[tuple[Text, int]],
    dev: Sequence[tuple[Text, int]],
    recipe: Recipe,
    *,
    patience: int,
    report: Callable[[Epoch], None],
    progress: Progress = lambda *_: None,
    moving: Moving | None = None,
    norms: Sequence[float] = (),
) -> Epoch:
    """Train until the accuracy on the development data stops growing, and keep the weights of the best epoch.

    Args:
        module: The network, trained in place.
        forward: A function of texts and of a flag for training that returns logits ``[texts, classes]``.
        train: Pairs of a text and the index of its class.
        dev: The development data in the same form, for early stopping.
        recipe: The settings.
        patience: The number of epochs without a better accuracy after which training stops.
        report: Called after every epoch.
        progress: Called after every update with ("epoch 2/10", texts done, texts).
        moving: A function that moves the embeddings of texts by a step along the top eigenvector, for training on
            steps.
        norms: For each training text the signed length of its step, ``[train]``, 0 for an unmoved text. Ignored without
            ``moving``.

    Returns:
        The best epoch, whose weights ``module`` now has.

    Raises:
        KeyboardInterrupt: Ctrl-C ended the training.
        ModelError: The learning rate is so high that the loss is not finite.
    """

    def loss_of(batch: Sequence[int]) -> Tensor:
        texts = [train[index][0] for index in batch]
        steps = [norms[index] for index in batch] if moving else []
        with moving.batch(partial(forward, texts, False), steps) if moving else nullcontext():
            logits = forward(texts, True)
        wanted = torch.tensor([train[index][1] for index in batch], device=logits.device)
        return nn.functional.cross_entropy(logits, wanted, label_smoothing=recipe.smoothing)

    best, interrupted = fit_epochs(
        module,
        _schedule(module, recipe, math.ceil(len(train) / recipe.batch)),
        lambda: _batches([len(text) for text, _ in train], recipe.batch),
        loss_of,
        lambda _: (count_correct(module, forward, dev, recipe.batch),),
        epochs=recipe.epochs, patience=patience, clip=recipe.clip, report=report, progress=progress,
    )  # fmt: skip
    if interrupted:
        raise KeyboardInterrupt
    return best


def _schedule(module: nn.Module, recipe: Recipe, batches: int) -> torch.optim.lr_scheduler.LambdaLR:
    """Make the optimiser and the schedule of its learning rate, by update."""
    rate = recipe.learning_rate
    if recipe.optimiser == "sgd":
        plain = torch.optim.SGD(module.parameters(), lr=rate)
        return torch.optim.lr_scheduler.LambdaLR(plain, lambda step: recipe.decay ** (step // batches))
    optimizer = torch.optim.AdamW(module.parameters(), lr=rate, weight_decay=recipe.weight_decay)
    total = recipe.epochs * batches
    warm_up = min(recipe.warm_up, max(1, total // 10))
    return torch.optim.lr_scheduler.LambdaLR(
        optimizer, lambda step: min((step + 1) / warm_up, max(0.02, 1 - step / total))
    )


def count_correct(
    module: nn.Module,
    forward: Callable[[Sequence[Text], bool], Tensor],
    data: Sequence[tuple[Text, int]],
    batch: int,
) -> int:
    """Return the number of texts whose largest logit is that of their class."""
    module.eval()
    order = sorted(range(len(data)), key=lambda index: len(data[index][0]))
    correct = 0
    with torch.no_grad():
        for start in range(0, len(order), batch):
            part = [data[index] for index in order[start : start + batch]]
            found = forward([text for text, _ in part], False).argmax(dim=1).tolist()
            correct += sum(each == number for each, (_, number) in zip(found, part, strict=True))
    return correct


def pad(texts: Sequence[Text], padding: int) -> tuple[Tensor, Tensor]:
    """Pad texts on the right to the same length.

    Args:
        texts: For each text the vocabulary indices of its tokens, ``[texts][tokens]``.
        padding: The vocabulary index used as padding.

    Returns:
        The padded indices ``[texts, tokens]``, and a mask that is True at a token.
    """
    longest = max(len(text) for text in texts)
    rows = torch.tensor([text + [padding] * (longest - len(text)) for text in texts])
    lengths = torch.tensor([len(text) for text in texts])
    return rows, torch.arange(longest) < lengths[:, None]


def _batches(lengths: Sequence[int], size: int) -> list[list[int]]:
    """Shuffle, put texts of similar length together, and shuffle the batches."""
    shuffled = torch.randperm(len(lengths)).tolist()
    batches = []
    for start in range(0, len(shuffled), size * _POOL):
        pool = sorted(shuffled[start : start + size * _POOL], key=lambda index: lengths[index])
        batches += [pool[first : first + size] for first in range(0, len(pool), size)]
    return [batches[index] for index in torch.randperm(len(batches)).tolist()]
