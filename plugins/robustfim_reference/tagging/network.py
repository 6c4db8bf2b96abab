"""The network of the tagger in NumPy: two convolutions over the embeddings of tokens."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["TaggerNetwork", "likeliest_tags"]

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class TaggerNetwork:
    """A network that computes the logits of each token's tags, z = W₃ relu(W₂ * relu(W₁ * e)).

    Here e are the embeddings of the tokens, each the mean of its features' embeddings, and * is a convolution.

    Attributes:
        table: The embeddings of features, ``[buckets, dims]``.
        first: W₁, ``[width, dims, hidden]`` with an odd width, and its bias ``[hidden]``.
        second: W₂, ``[width, hidden, hidden]``, and its bias.
        output: W₃, ``[hidden, tags]``, and its bias.
    """

    table: NDArray[np.float32]
    first: tuple[Floats, Floats]
    second: tuple[Floats, Floats]
    output: tuple[Floats, Floats]

    @classmethod
    def of(cls, tensors: Mapping[str, NDArray[Any]], *, tags: int) -> TaggerNetwork:
        """Create the network from weights with PyTorch's names and layout, with convolutions ``[out, in, width]``.

        Raises:
            KeyError: A tensor is missing.
            ValueError: The shape of a tensor does not fit the other tensors.
        """
        table = np.asarray(tensors["embedding.weight"], dtype=np.float32)
        layers = []
        wide = table.shape[1]
        for name in ("first", "second", "output"):
            weight, bias = (np.asarray(tensors[f"{name}.{part}"], dtype=np.float64) for part in ("weight", "bias"))
            if weight.ndim != 3 or weight.shape[1] != wide or weight.shape[0] != len(bias):
                raise ValueError(f"{name} has the shape {weight.shape}, which does not follow {wide} numbers")
            layers.append((weight.transpose(2, 1, 0), bias))
            wide = len(bias)
        if wide != tags:
            raise ValueError(f"output has {wide} tags, not {tags}")
        first, second, (last, bias) = layers
        return cls(table, first, second, (last[0], bias))

    def embed(self, rows: Sequence[Sequence[int]]) -> Floats:
        """Return token embeddings, ``[tokens, dims]``, each the mean of the embeddings of the token's features."""
        return np.array([self.table[row].mean(axis=0, dtype=np.float64) for row in rows])

    def logits(self, embeddings: Floats) -> Floats:
        """Map the embeddings of a text, ``[tokens, dims]``, to the logits of its tags, ``[tokens, tags]``."""
        hidden = np.maximum(_convolved(embeddings, *self.first), 0)
        hidden = np.maximum(_convolved(hidden, *self.second), 0)
        weight, bias = self.output
        logits: Floats = hidden @ weight + bias
        return logits


def _convolved(inputs: Floats, weight: Floats, bias: Floats) -> Floats:
    """Σ_k W_k x_{t+k−width//2}, with zeros beyond both ends."""
    half = len(weight) // 2
    padded = np.pad(inputs, ((half, half), (0, 0)))
    length = len(inputs)
    total: Floats = bias + sum(padded[shift : shift + length] @ each for shift, each in enumerate(weight))
    return total


def likeliest_tags(scores: Floats) -> list[int]:
    """Return the valid sequence of tags with the largest sum of scores (Viterbi 1967).

    A sequence is valid if before each I there is a B or I of the same label.

    Args:
        scores: A score for each token and tag, ``[tokens, tags]``. Tag 0 is outside of spans, and tags 1 and 2 are B
            and I of the first label.
    """
    tags = np.arange(scores.shape[1])
    goes_on = (tags > 0) & (tags % 2 == 0)
    barred = goes_on[None, :] & (tags[:, None] != tags[None, :]) & (tags[:, None] != tags[None, :] - 1)
    cost = np.where(barred, -np.inf, 0.0)
    best = np.where(goes_on, -np.inf, scores[0])
    came: list[NDArray[np.intp]] = []
    for row in scores[1:]:
        paths = best[:, None] + cost
        came.append(paths.argmax(axis=0))
        best = paths.max(axis=0) + row
    path = [int(best.argmax())]
    for back in reversed(came):
        path.append(int(back[path[-1]]))
    return path[::-1]
