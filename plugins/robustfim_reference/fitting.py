"""The training loop: AdamW or SGD, early stopping; the same seed gives the same weights."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from functools import partial

import torch
from torch import Tensor, nn

from robustfim.errors import ModelError
from robustfim_reference.recipe import Recipe
from robustfim_steps.moved import Moving

__all__ = ["Epoch", "Text", "count_correct", "fenced", "fit", "pad"]

Text = list[int]
"""A text as rows of the vocabulary, never empty."""

_POOL = 50  # batches among which texts of similar length are put together


@dataclass(frozen=True)
class Epoch:
    """The result of one pass over the data.

    Attributes:
        number: Counted from 1.
        loss: Mean training loss.
        correct: The number of right predictions on the development data.
        best: Whether this epoch has more right predictions than all earlier epochs.
    """

    number: int
    loss: float
    correct: int
    best: bool


@contextmanager
def fenced(seed: int, device: str) -> Iterator[None]:
    """Seed torch and make it deterministic, and leave everything as it was."""
    before, threads = torch.are_deterministic_algorithms_enabled(), torch.get_num_threads()
    devices = [torch.device(device)] if device.startswith("cuda") else []
    with torch.random.fork_rng(devices=devices):
        torch.manual_seed(seed)
        torch.use_deterministic_algorithms(True, warn_only=device != "cpu")
        torch.set_num_threads(1)  # sums depend on how they are shared out
        try:
            yield
        finally:
            torch.use_deterministic_algorithms(before)
            torch.set_num_threads(threads)


def fit(
    module: nn.Module,
    forward: Callable[[Sequence[Text], bool], Tensor],
    train: Sequence[tuple[Text, int]],
    dev: Sequence[tuple[Text, int]],
    recipe: Recipe,
    *,
    patience: int,
    report: Callable[[Epoch], None],
    progress: Callable[[str, int, int], None] = lambda *_: None,
    moving: Moving | None = None,
    norms: Sequence[float] = (),
) -> Epoch:
    """Train until the accuracy on the development data stops growing, and keep the weights of the best epoch.

    Args:
        module: The network, trained in place.
        forward: A function of texts and of a flag for training that returns logits ``[texts, classes]``.
        train: Texts with the number of their class.
        dev: The development data in the same form, for early stopping.
        recipe: The settings.
        patience: The number of epochs without a better accuracy after which training stops.
        report: Called after every epoch.
        progress: Called after every update with ("epoch 2/10", texts done, texts).
        moving: A function that moves the embeddings of texts by a step along the top eigenvector, for training on
            steps.
        norms: The signed length of the step of each training text, ``[train]``, 0 for an unmoved text. Ignored without
            ``moving``.

    Returns:
        The best epoch, whose weights ``module`` now has.

    Raises:
        ModelError: The learning rate is so high that the loss is not finite.
    """
    schedule = _schedule(module, recipe, math.ceil(len(train) / recipe.batch))
    optimizer = schedule.optimizer
    best: Epoch | None = None
    kept: dict[str, Tensor] = {}
    for number in range(1, recipe.epochs + 1):
        module.train()
        losses, done = 0.0, 0
        for batch in _batches([len(text) for text, _ in train], recipe.batch):
            texts = [train[index][0] for index in batch]
            steps = [norms[index] for index in batch] if moving else []
            with moving.batch(partial(forward, texts, False), steps) if moving else nullcontext():
                logits = forward(texts, True)
            wanted = torch.tensor([train[index][1] for index in batch], device=logits.device)
            loss = nn.functional.cross_entropy(logits, wanted, label_smoothing=recipe.smoothing)
            optimizer.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]  # torch leaves it unannotated
            nn.utils.clip_grad_norm_(module.parameters(), recipe.clip)
            optimizer.step()
            schedule.step()
            losses += float(loss.detach()) * len(batch)
            done += len(batch)
            progress(f"epoch {number}/{recipe.epochs}", done, len(train))
        if not math.isfinite(losses):
            raise ModelError(
                f"the loss of epoch {number} is not finite: learning rate {recipe.learning_rate:g} is too high."
            )
        correct = count_correct(module, forward, dev, recipe.batch)
        better = best is None or correct > best.correct
        epoch = Epoch(number, losses / len(train), correct, better)
        if better:
            best = epoch
            kept = {name: tensor.detach().clone() for name, tensor in module.state_dict().items()}
        report(epoch)
        if best is not None and number - best.number >= patience:
            break
    if best is None:
        raise ValueError("training needs at least one epoch")
    module.load_state_dict(kept)
    module.eval()
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
    """Count the texts whose highest logit is that of their class."""
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
    """Lay texts side by side.

    Args:
        texts: Rows of the vocabulary, ``[texts][tokens]``.
        padding: The row that fills up.

    Returns:
        Rows ``[texts, tokens]`` and a mask, True at a token.
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
