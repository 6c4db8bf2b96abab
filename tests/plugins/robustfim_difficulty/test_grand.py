"""GraNd against the closed form of a linear layer's gradient."""

from __future__ import annotations

from math import isnan
from typing import Any

import numpy as np
import pytest

from robustfim.errors import DataError, ModelError
from robustfim_difficulty.grand import GradientNorm
from tests.plugins.robustfim_difficulty.toy import WEIGHTS, Letters, bench, example, softmax, vector
from tests.robustfim.toys import CountingModel

torch = pytest.importorskip("torch")


class Linear(Letters):
    """The toy's logits, by a torch module with a bias of 0; it takes no gradients by itself."""

    fingerprint = "linear-1"

    def __init__(self) -> None:
        self.layer = torch.nn.Linear(3, 2).double().requires_grad_(False)
        with torch.no_grad():
            self.layer.weight.copy_(torch.tensor(WEIGHTS))
            self.layer.bias.zero_()

    def logits(self, embeddings: Any, embedded: Any) -> Any:
        return self.layer((embeddings * embedded.mask[..., None]).sum(1))


def test_grand_is_the_norm_of_the_gradient_of_weights_and_bias() -> None:
    examples = [example("a red apple", "positive"), example("the sea", "negative"), example("no label")]
    model = Linear()
    run = bench(examples, model).context
    found = GradientNorm().score(examples, run)
    for text, gold, number in (("a red apple", 1, found[0]), ("the sea", 0, found[1])):
        summed = np.array([vector(word) for word in text.split()]).sum(0)
        error = np.array(softmax(WEIGHTS @ summed)) - np.eye(2)[gold]
        # ∂ℓ/∂W = (p − y) hᵀ and ∂ℓ/∂b = p − y
        assert number == pytest.approx(np.linalg.norm(error) * np.sqrt(summed @ summed + 1), abs=1e-9)
    assert isnan(found[2])
    assert not model.layer.weight.requires_grad
    assert run.effort["step_calls"] == 6


def test_grand_refuses_what_it_cannot_measure() -> None:
    examples = [example("film", "odd")]
    with pytest.raises(DataError, match="no label 'odd'"):
        GradientNorm().score(examples, bench(examples, Linear()).context)
    known = [example("film", "positive")]
    with pytest.raises(ModelError, match="called no torch module"):
        GradientNorm().score(known, bench(known, Letters()).context)
    with pytest.raises(ModelError, match="gives predictions only"):
        GradientNorm().score(known, bench(known, CountingModel()).context)
