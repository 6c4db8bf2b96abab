"""The settings of a training."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Recipe"]


@dataclass(frozen=True)
class Recipe:
    """The settings of a training; the defaults suit a BERT of up to 100 million weights.

    Attributes:
        epochs: The largest number of passes over the data, ≥ 1.
        patience: The number of passes without an improvement after which training stops, ≥ 1.
        learning_rate: The largest learning rate, reached after the warm-up, > 0.
        batch_size: The number of examples in an update, ≥ 1.
        weight_decay: The weight decay of AdamW, applied to matrices.
        warm_up: The fraction of all updates in which the learning rate grows. Afterwards it falls to 0.
        clip: The largest norm of a gradient.
        max_length: The largest number of tokens read, in training and later in use; None for the model's limit.
    """

    epochs: int = 10
    patience: int = 3
    learning_rate: float = 5e-5
    batch_size: int = 16
    weight_decay: float = 0.01
    warm_up: float = 0.1
    clip: float = 1.0
    max_length: int | None = None
