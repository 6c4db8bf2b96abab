"""The training settings of each architecture, chosen on the development data."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

__all__ = ["RECIPES", "Optimiser", "Recipe", "by_sgd"]

Optimiser = Literal["adamw", "sgd"]


@dataclass(frozen=True)
class Recipe:
    """The training settings of an architecture.

    Attributes:
        sizes: Arguments of the network's class, except ``rows`` and ``classes``.
        vocabulary: The largest number of words or word pieces.
        learning_rate: The largest learning rate of the optimiser.
        epochs: The largest number of passes over the data.
        word_dropout: The fraction of tokens hidden in training, in [0, 1).
        pairs: The largest number of bigrams; 0 for models without bigrams.
        weight_decay: The weight decay of AdamW.
        smoothing: The label smoothing, in [0, 1).
        batch: The number of texts in an update.
        spread: The standard deviation of the initial word embeddings.
        max_tokens: The largest number of tokens read of a text.
        warm_up: The largest number of updates in which AdamW's learning rate rises.
        optimiser: ``adamw`` (with a linear schedule) or ``sgd`` (plain stochastic gradient descent).
        decay: The factor of SGD's learning rate after each epoch, in (0, 1].
        clip: The largest norm of a gradient; larger gradients are scaled down.
        vectors: A file of word vectors, used as initial embeddings; None to compute them from the training texts.
    """

    sizes: Mapping[str, Any]
    vocabulary: int
    learning_rate: float
    epochs: int
    word_dropout: float
    pairs: int = 0
    weight_decay: float = 1e-4
    smoothing: float = 0.1
    batch: int = 64
    spread: float = 0.3
    max_tokens: int = 512
    warm_up: int = field(default=200)
    optimiser: Optimiser = "adamw"
    decay: float = 0.9
    clip: float = 1.0
    vectors: Path | None = None


def by_sgd(recipe: Recipe) -> Recipe:
    """Return the recipe with the optimiser of *Geometry matters* (Datta et al. 2020).

    This is SGD with learning rate 4, multiplied by ``decay`` after each epoch, without dropout, hidden words, label
    smoothing or gradient clipping.
    """
    sizes = {name: 0.0 if "drop" in name else size for name, size in recipe.sizes.items()}
    return replace(
        recipe, sizes=sizes, optimiser="sgd", learning_rate=4.0, word_dropout=0.0, smoothing=0.0, clip=math.inf
    )


RECIPES: Mapping[str, Recipe] = {
    "fasttext": Recipe(
        sizes={"dims": 32, "dropout": 0.3},
        vocabulary=16000,
        pairs=30000,
        learning_rate=5e-3,
        epochs=10,
        word_dropout=0.3,
    ),
    "cnn": Recipe(
        sizes={"dims": 50, "dropout": 0.5, "widths": [3, 4, 5], "filters": 100},
        vocabulary=16000,
        learning_rate=1e-3,
        epochs=10,
        word_dropout=0.2,
    ),
    "lstm": Recipe(
        sizes={"dims": 50, "dropout": 0.4, "hidden": 64},
        vocabulary=16000,
        learning_rate=2e-3,
        epochs=10,
        word_dropout=0.2,
    ),
    "bert": Recipe(
        sizes={
            "hidden_size": 96,
            "num_hidden_layers": 2,
            "num_attention_heads": 4,
            "intermediate_size": 256,
            "hidden_dropout_prob": 0.2,
            "attention_probs_dropout_prob": 0.1,
        },
        vocabulary=10000,
        learning_rate=1e-3,
        epochs=10,
        word_dropout=0.15,
        spread=0.3,
    ),
}
