"""The training loop, seeded: clips gradients, stops early, and keeps the weights of the best epoch."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial

import torch
from torch import Tensor, nn

from robustfim.errors import ModelError

__all__ = ["Epoch", "fenced", "fit"]

Progress = Callable[[str, int, int], None]
"""Called with a stage such as ``epoch 2/10``, the examples that are done of it, and all of them."""


@dataclass(frozen=True)
class Epoch:
    """The result of one pass over the data.

    Attributes:
        number: The number of the epoch, from 1.
        loss: The mean training loss.
        score: Ranks epochs, higher is better: first the number of right predictions on the development data, then
            numbers that break ties.
        best: Whether the score is higher than that of all earlier epochs.
    """

    number: int
    loss: float
    score: tuple[float, ...]
    best: bool

    @property
    def correct(self) -> int:
        """Return the number of right predictions on the development data."""
        return int(self.score[0])


@contextmanager
def fenced(seed: int, device: str, threads: int | None = None) -> Iterator[None]:
    """Seed torch and make torch deterministic inside the ``with`` block; restore the earlier state afterwards.

    Args:
        seed: The seed.
        device: Where to compute, such as ``cpu`` or ``cuda:1``.
        threads: The number of CPU threads, which affects the rounding of sums; None for all that torch uses.
    """
    before, many = torch.are_deterministic_algorithms_enabled(), torch.get_num_threads()
    with torch.random.fork_rng(devices=[torch.device(device)] if device.startswith("cuda") else []):
        torch.manual_seed(seed)
        torch.use_deterministic_algorithms(True, warn_only=device != "cpu")
        torch.set_num_threads(threads or many)
        try:
            yield
        finally:
            torch.use_deterministic_algorithms(before)
            torch.set_num_threads(many)


def fit(
    module: nn.Module,
    schedule: torch.optim.lr_scheduler.LRScheduler,
    batches: Callable[[], Sequence[Sequence[int]]],
    loss_of: Callable[[Sequence[int]], Tensor],
    evaluate: Callable[[Callable[[int, int], None]], tuple[float, ...]],
    *,
    epochs: int,
    patience: int,
    clip: float,
    report: Callable[[Epoch], None],
    progress: Progress = lambda *_: None,
) -> tuple[Epoch, bool]:
    """Train a network until the score on the development data stops growing, and keep the best epoch's weights.

    Args:
        module: The module, trained in place; at the end it is in evaluation mode.
        schedule: The schedule of the learning rate, stepped after every update, with its optimiser.
        batches: Returns the batches of an epoch: lists of rows of the training data, each row once.
        loss_of: Returns the differentiable mean loss of a batch.
        evaluate: Returns the score on the development data. Its argument is a function that reports progress.
        epochs: The largest number of passes over the data, ≥ 1.
        patience: Training stops after this number of epochs without a higher score.
        clip: The largest norm of a gradient; longer gradients are shortened.
        report: Called after every epoch.
        progress: Called after every update, then for the development data.

    Returns:
        The best epoch, whose weights ``module`` now has, and whether Ctrl-C ended the training in a later epoch.

    Raises:
        KeyboardInterrupt: Ctrl-C ended the first epoch.
        ModelError: The loss is no longer a finite number.
    """
    optimizer = schedule.optimizer
    best: Epoch | None = None
    kept: dict[str, Tensor] = {}
    interrupted = False
    try:
        for number in range(1, epochs + 1):
            stage = f"epoch {number}/{epochs}"
            module.train()
            drawn, losses, done = batches(), 0.0, 0
            size = sum(map(len, drawn))
            for batch in drawn:
                loss = loss_of(batch)
                if not torch.isfinite(loss):
                    raise ModelError(
                        f"the training loss of epoch {number} is {loss.item()}; try a lower learning rate than "
                        f"{schedule.base_lrs[0]:g}."
                    )
                optimizer.zero_grad()
                loss.backward()  # type: ignore[no-untyped-call]  # torch leaves it unannotated
                nn.utils.clip_grad_norm_(module.parameters(), clip)
                optimizer.step()
                schedule.step()
                losses += float(loss.detach()) * len(batch)
                done += len(batch)
                progress(stage, done, size)
            score = evaluate(partial(progress, f"{stage}, dev"))
            epoch = Epoch(number, losses / size, score, best is None or score > best.score)
            if epoch.best:
                best = epoch
                kept = {name: tensor.detach().clone() for name, tensor in module.state_dict().items()}
            report(epoch)
            if best is not None and number - best.number >= patience:
                break
    except KeyboardInterrupt:
        if best is None:
            raise
        interrupted = True
    if best is None:
        raise ValueError("training needs at least one epoch")
    module.load_state_dict(kept)
    module.eval()
    return best, interrupted
