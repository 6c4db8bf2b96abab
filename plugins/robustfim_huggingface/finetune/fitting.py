"""The training loop: AdamW, a linear schedule with warm-up, and evaluation on the development data."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from functools import partial

import torch
from torch import Tensor, nn

from robustfim.example import Example
from robustfim_huggingface.finetune.recipe import Recipe
from robustfim_steps import step_of
from robustfim_steps.fitting import Epoch, Progress
from robustfim_steps.fitting import fit as fit_epochs
from robustfim_steps.moved import Moving

__all__ = ["Labelled", "evaluate", "fit"]

Labelled = tuple[Example, int]
"""An example and the number of its class."""

_EVALUATED = 64
"""Examples a forward pass without gradients."""


def fit(
    module: nn.Module,
    forward: Callable[[Sequence[Example]], Tensor],
    train: Sequence[Labelled],
    dev: Sequence[Labelled],
    recipe: Recipe,
    report: Callable[[Epoch], None],
    progress: Progress = lambda *_: None,
    moving: Moving | None = None,
) -> tuple[Epoch, bool]:
    """Train until the accuracy on the development data stops growing, and keep the weights of the best epoch.

    Args:
        module: The module, trained in place. Afterwards it is frozen and in evaluation mode.
        forward: A function from examples to logits ``[examples, classes]``.
        train: The training data.
        dev: The development data, which decide when to stop.
        recipe: The settings.
        report: Called after every epoch.
        progress: Called after every update with ("epoch 2/10", examples done, number of examples), then in the same way
            for the development data.
        moving: A function that moves the embeddings of training examples that have a step in embedding space.

    Returns:
        The best epoch, whose weights ``module`` now has, and whether Ctrl-C ended the training in a later epoch.

    Raises:
        KeyboardInterrupt: Ctrl-C ended the first epoch.
        ModelError: The loss became NaN or infinite.
    """
    module.requires_grad_(True)
    # As usual for transformers: biases and the scales of layer norms are not drawn towards 0.
    scales = [parameter for parameter in module.parameters() if parameter.ndim < 2]
    matrices = [parameter for parameter in module.parameters() if parameter.ndim >= 2]
    groups = [{"params": matrices, "weight_decay": recipe.weight_decay}, {"params": scales, "weight_decay": 0.0}]
    optimizer = torch.optim.AdamW(groups, lr=recipe.learning_rate)
    total = recipe.epochs * math.ceil(len(train) / recipe.batch_size)
    warm_up = max(1, round(recipe.warm_up * total))
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimizer, lambda step: min((step + 1) / warm_up, (total - step) / max(1, total - warm_up))
    )

    def batches() -> list[list[int]]:
        order = torch.randperm(len(train)).tolist()
        return [order[start : start + recipe.batch_size] for start in range(0, len(order), recipe.batch_size)]

    def loss_of(rows: Sequence[int]) -> Tensor:
        texts = [train[row][0] for row in rows]
        steps = [step_of(text.meta) for text in texts]
        with moving.batch(partial(forward, texts), steps) if moving else nullcontext():
            logits = forward(texts)
        return nn.functional.cross_entropy(logits, torch.tensor([train[row][1] for row in rows], device=logits.device))

    def score(told: Callable[[int, int], None]) -> tuple[float, ...]:
        correct, loss = evaluate(module, forward, dev, told)
        return correct, -loss

    found = fit_epochs(
        module, schedule, batches, loss_of, score, epochs=recipe.epochs, patience=recipe.patience, clip=recipe.clip,
        report=report, progress=progress,
    )  # fmt: skip
    module.requires_grad_(False)
    return found


def evaluate(
    module: nn.Module, forward: Callable[[Sequence[Example]], Tensor], data: Sequence[Labelled],
    progress: Callable[[int, int], None] = lambda *_: None,
) -> tuple[int, float]:  # fmt: skip
    """Return the number of examples that the model classifies correctly, and the mean loss."""
    module.eval()
    correct, losses = 0, 0.0
    with torch.no_grad():
        for start in range(0, len(data), _EVALUATED):
            part = data[start : start + _EVALUATED]
            logits = forward([example for example, _ in part]).float()
            wanted = torch.tensor([number for _, number in part], device=logits.device)
            correct += int((logits.argmax(dim=1) == wanted).sum())
            losses += float(nn.functional.cross_entropy(logits, wanted, reduction="sum"))
            progress(start + len(part), len(data))
    return correct, losses / len(data)
