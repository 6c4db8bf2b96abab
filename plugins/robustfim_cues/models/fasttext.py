"""A small model that averages embeddings, as fastText does (Joulin et al. 2017)."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from robustfim.example import Example
from robustfim.seeds import random_for
from robustfim_cues.choices.choice import LABELS, is_choice
from robustfim_cues.models.features import bags

__all__ = ["FastTextModel"]

Matrix = npt.NDArray[np.float64]

_RATE = 20.0
"""The rate of the first step; it falls to 0, as fastText's."""


class FastTextModel:
    """A softmax over the mean embedding of a text's n-grams; embeddings and weights are trained together.

    For choices the model scores both alternatives with the same weights w. With m₁ and m₂ the mean embeddings of the
    alternatives, P(first) = σ(w·(m₁ − m₂)), so that the order of the alternatives does not matter. Two differences from
    fastText: every training step uses all examples, so that contradictory examples cancel exactly, and nothing is
    hashed. N-grams that do not occur in training are ignored. For a text of such n-grams only, all labels are equally
    likely.

    Args:
        leave_out: Fields that the model does not read.
        longest: The largest n of n-grams, ≥ 1.
        seed: The seed of the initial embeddings.
        dims: The size of an embedding, ≥ 1.
        steps: The number of training steps, ≥ 1.
    """

    def __init__(
        self, leave_out: Collection[str] = (), *, longest: int = 1, seed: int = 0, dims: int = 10, steps: int = 60
    ) -> None:
        self._leave_out, self._longest, self._seed = frozenset(leave_out), longest, seed
        self._dims, self._steps = dims, steps
        self._places: dict[str, int] = {}
        self.labels: tuple[str, ...] = ()

    def fit(self, examples: Sequence[Example]) -> FastTextModel:
        """Train on labelled examples; either all or none are choices."""
        self._choices = is_choice(examples[0].fields)
        self.labels = LABELS if self._choices else tuple(sorted({str(example.label) for example in examples}))
        known = sorted({feature for example in examples for bag in self._bags(example) for feature in bag})
        self._places = {feature: place for place, feature in enumerate(known)}
        # `E` [features, dims] and `W` [dims, labels]; of choices one column, the score of an alternative.
        random = np.random.default_rng(random_for(self._seed, "fasttext").getrandbits(64))
        self._embeddings = random.uniform(-1, 1, (len(known), self._dims)) / self._dims
        self._output: Matrix = np.zeros((self._dims, 1 if self._choices else len(self.labels)))
        means = self._means(examples)
        gold = np.array([self.labels.index(str(example.label)) for example in examples])
        wanted = np.eye(len(self.labels))[gold]
        turned = means.T.tocsr()
        for step in range(self._steps):
            rate = _RATE * (1 - step / self._steps)
            hidden = means @ self._embeddings  # [examples, dims]
            error = (self._softmax(hidden @ self._output) - wanted) / len(examples)
            error = error[:, :1] if self._choices else error  # ∂/∂s of −log σ(s), s the first score less the second
            gradients = (turned @ (error @ self._output.T), hidden.T @ error)
            self._embeddings -= rate * gradients[0]
            self._output -= rate * gradients[1]
        return self

    def probabilities(self, examples: Sequence[Example]) -> Matrix:
        """Return probabilities ``[examples, labels]``."""
        return self._softmax(self._means(examples) @ self._embeddings @ self._output)

    def _softmax(self, scores: Matrix) -> Matrix:
        if self._choices:
            scores = np.concatenate([scores, np.zeros_like(scores)], axis=1)
        powers = np.exp(scores - scores.max(axis=1, keepdims=True))
        found: Matrix = powers / powers.sum(axis=1, keepdims=True)
        return found

    def _bags(self, example: Example) -> list[set[str]]:
        return bags(example, self._leave_out, self._longest)

    def _means(self, examples: Sequence[Example]) -> Any:
        """Return what averages the embeddings, ``[examples, features]``, sparse; of choices m₁ − m₂."""
        from scipy.sparse import csr_matrix

        data, rows, columns = [], [], []
        for row, example in enumerate(examples):
            for sign, bag in zip((1, -1), self._bags(example), strict=False):
                places = [self._places[feature] for feature in sorted(bag) if feature in self._places]
                data += [sign / len(places) for _ in places]
                rows += [row] * len(places)
                columns += places
        return csr_matrix((data, (rows, columns)), shape=(len(examples), len(self._places)))
