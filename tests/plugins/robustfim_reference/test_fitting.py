"""The training loop: plain SGD against its closed form, and a learning rate that is too high."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from robustfim.errors import ModelError
from robustfim_reference.recipe import RECIPES, Recipe, by_sgd

torch = pytest.importorskip("torch")

TEXTS = [([3, 4], 0), ([4], 1)]


def fitted(recipe: Recipe) -> tuple[dict[str, np.ndarray], list[dict[str, np.ndarray]]]:
    """Train fastText on two tiny texts: the weights at first, and after each epoch."""
    from robustfim_reference.fitting import fit, pad
    from robustfim_reference.networks import FastTextNetwork
    from robustfim_reference.vocabulary import PADDING

    torch.manual_seed(0)
    network = FastTextNetwork(rows=5, classes=2, dims=3, dropout=recipe.sizes["dropout"])
    after: list[dict[str, np.ndarray]] = []

    def weights() -> dict[str, np.ndarray]:
        return {name: tensor.double().numpy().copy() for name, tensor in network.state_dict().items()}

    def forward(texts: Sequence[list[int]], training: bool) -> Any:
        rows, mask = pad(texts, PADDING)
        logits: Any = network(network.embedding(rows), mask)
        return logits

    before = weights()
    fit(network, forward, TEXTS, TEXTS, recipe, patience=9, report=lambda epoch: after.append(weights()))
    return before, after


def test_an_update_of_sgd_is_the_rate_times_the_gradient_and_the_rate_falls_by_a_tenth_an_epoch() -> None:
    recipe = replace(by_sgd(RECIPES["fasttext"]), epochs=3)
    weights, after = fitted(recipe)
    for rate, found in zip((4.0, 3.6, 3.24), after, strict=True):
        table, w, b = weights["embedding.weight"], weights["output.weight"], weights["output.bias"]
        slopes = {name: np.zeros_like(value) for name, value in weights.items()}
        for rows, gold in TEXTS:
            mean = table[rows].mean(axis=0)
            p = np.exp(w @ mean + b)
            error = (p / p.sum() - np.eye(2)[gold]) / len(TEXTS)
            slopes["output.weight"] += np.outer(error, mean)
            slopes["output.bias"] += error
            slopes["embedding.weight"][rows] += w.T @ error / len(rows)
        weights = {name: value - rate * slopes[name] for name, value in weights.items()}
        for name, value in weights.items():
            assert found[name] == pytest.approx(value, abs=1e-5)


def test_a_learning_rate_that_is_too_high_is_named() -> None:
    with pytest.raises(ModelError, match=r"loss of epoch \d is nan; try a lower learning rate than 1e\+30"):
        fitted(replace(by_sgd(RECIPES["fasttext"]), learning_rate=1e30))
