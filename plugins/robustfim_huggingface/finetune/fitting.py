"""The training loop: AdamW, a linear schedule with warm-up, clipped gradients, early stopping; seeded."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from functools import partial

import torch
from torch import Tensor, nn

from robustfim.errors import ModelError
from robustfim.example import Example
from robustfim_huggingface.finetune.recipe import Recipe
from robustfim_steps import step_of
from robustfim_steps.moved import Moving

__all__ = ["Epoch", "Labelled", "evaluate", "fenced", "fit"]

Labelled = tuple[Example, int]
"""An example and the number of its class."""

_EVALUATED = 64
"""Examples a forward pass without gradients."""


@dataclass(frozen=True)
class Epoch:
    """The result of one pass over the data.

    Attributes:
        number: Counted from 1.
        loss: Mean training loss.
        correct: The number of right predictions on the development data.
        dev_loss: The mean loss on the development data.
        best: Whether this epoch is the best so far: more right predictions than before, or as many at a lower loss.
    """

    number: int
    loss: float
    correct: int
    dev_loss: float
    best: bool


@contextmanager
def fenced(seed: int, device: torch.device) -> Iterator[None]:
    """Seed torch and make it deterministic, and leave everything as it was."""
    before = torch.are_deterministic_algorithms_enabled()
    with torch.random.fork_rng(devices=[device] if device.type == "cuda" else []):
        torch.manual_seed(seed)
        torch.use_deterministic_algorithms(True, warn_only=device.type != "cpu")
        try:
            yield
        finally:
            torch.use_deterministic_algorithms(before)


def fit(
    module: nn.Module,
    forward: Callable[[Sequence[Example]], Tensor],
    train: Sequence[Labelled],
    dev: Sequence[Labelled],
    recipe: Recipe,
    report: Callable[[Epoch], None],
    progress: Callable[[str, int, int], None] = lambda *_: None,
    moving: Moving | None = None,
) -> tuple[Epoch, bool]:
    """Train until the accuracy on the development data stops growing, and keep the weights of the best epoch.

    Args:
        module: The module, trained in place; at the end it is frozen and in evaluation mode.
        forward: A function from examples to logits ``[examples, classes]``.
        train: The training data.
        dev: The development data, which decide when to stop.
        recipe: The settings.
        report: Called after every epoch.
        progress: Called after every update with ("epoch 2/10", examples done, examples), then for the development data.
        moving: A function that moves the embeddings of examples whose training data are a step in embedding space.

    Returns:
        The best epoch, whose weights ``module`` now has, and whether Ctrl-C ended the training in a later one.

    Raises:
        KeyboardInterrupt: Ctrl-C ended the first epoch.
        ModelError: The loss is no finite number any more.
    """
    module.requires_grad_(True)
    # As usual for transformers: biases and the scales of layer norms are not drawn towards 0.
    scales = [each for each in module.parameters() if each.ndim < 2]
    matrices = [each for each in module.parameters() if each.ndim >= 2]
    groups = [{"params": matrices, "weight_decay": recipe.weight_decay}, {"params": scales, "weight_decay": 0.0}]
    optimizer = torch.optim.AdamW(groups, lr=recipe.learning_rate)
    total = recipe.epochs * math.ceil(len(train) / recipe.batch_size)
    warm_up = max(1, round(recipe.warm_up * total))
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimizer, lambda step: min((step + 1) / warm_up, (total - step) / max(1, total - warm_up))
    )
    best: Epoch | None = None
    kept: dict[str, Tensor] = {}
    interrupted = False
    try:
        for number in range(1, recipe.epochs + 1):
            module.train()
            losses = 0.0
            order = torch.randperm(len(train)).tolist()
            for start in range(0, len(order), recipe.batch_size):
                batch = [train[index] for index in order[start : start + recipe.batch_size]]
                steps = [step_of(example.meta) for example, _ in batch]
                texts = [example for example, _ in batch]
                with moving.batch(partial(forward, texts), steps) if moving else nullcontext():
                    loss = _loss(forward, batch)
                if not torch.isfinite(loss):
                    raise ModelError(
                        f"the training loss of epoch {number} is {loss.item()}; try a lower learning rate than "
                        f"{recipe.learning_rate:g}."
                    )
                optimizer.zero_grad()
                loss.backward()  # type: ignore[no-untyped-call]  # torch leaves it unannotated
                nn.utils.clip_grad_norm_(module.parameters(), recipe.clip)
                optimizer.step()
                schedule.step()
                losses += float(loss.detach()) * len(batch)
                progress(f"epoch {number}/{recipe.epochs}", start + len(batch), len(train))
            told = partial(progress, f"epoch {number}/{recipe.epochs}, dev")
            correct, dev_loss = evaluate(module, forward, dev, told)
            better = best is None or (correct, -dev_loss) > (best.correct, -best.dev_loss)
            epoch = Epoch(number, losses / len(train), correct, dev_loss, better)
            if better:
                best = epoch
                kept = {name: tensor.detach().clone() for name, tensor in module.state_dict().items()}
            report(epoch)
            if best is not None and number - best.number >= recipe.patience:
                break
    except KeyboardInterrupt:
        if best is None:
            raise
        interrupted = True
    if best is None:
        raise ValueError("training needs at least one epoch")
    module.load_state_dict(kept)
    module.eval().requires_grad_(False)
    return best, interrupted


def evaluate(
    module: nn.Module, forward: Callable[[Sequence[Example]], Tensor], data: Sequence[Labelled],
    progress: Callable[[int, int], None] = lambda *_: None,
) -> tuple[int, float]:  # fmt: skip
    """Count the examples whose highest logit is that of their class, and take the mean of their losses."""
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


def _loss(forward: Callable[[Sequence[Example]], Tensor], batch: Sequence[Labelled]) -> Tensor:
    logits = forward([example for example, _ in batch])
    return nn.functional.cross_entropy(logits, torch.tensor([number for _, number in batch], device=logits.device))
