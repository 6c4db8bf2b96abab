"""The bag of n-grams in NumPy: what :class:`robustfim_reference.networks.FastTextNetwork` computes, without PyTorch."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["MeanNetwork"]


@dataclass(frozen=True, eq=False)
class MeanNetwork:
    """The mean of embeddings, then a linear layer (Joulin et al. 2016).

    Attributes:
        table: An embedding a row, ``[rows, dims]``, float32.
        weight: ``[classes, dims]``, float32.
        bias: ``[classes]``, float32.
    """

    table: NDArray[np.float32]
    weight: NDArray[np.float32]
    bias: NDArray[np.float32]

    @classmethod
    def of(cls, tensors: Mapping[str, NDArray[Any]], *, rows: int, classes: int, dims: int) -> MeanNetwork:
        """Take the weights that ``robustfim train fasttext`` wrote.

        Raises:
            KeyError: A tensor is missing.
            ValueError: A tensor has another shape.
        """
        shapes = {"embedding.weight": (rows, dims), "output.weight": (classes, dims), "output.bias": (classes,)}
        for name, shape in shapes.items():
            if tensors[name].shape != shape:
                raise ValueError(f"{name} has the shape {tensors[name].shape}, not {shape}")
        return cls(*(np.ascontiguousarray(tensors[name], dtype=np.float32) for name in shapes))

    def logits(self, embeddings: NDArray[np.float32], mask: NDArray[np.bool_]) -> NDArray[np.float32]:
        """Map embeddings to logits.

        Args:
            embeddings: ``[batch, tokens, dims]``.
            mask: ``[batch, tokens]``, True at a token; at least one a text.

        Returns:
            ``[batch, classes]``.
        """
        mean = np.where(mask[..., None], embeddings, 0).sum(axis=1) / mask.sum(axis=1, dtype=np.float32)[:, None]
        logits: NDArray[np.float32] = mean @ self.weight.T + self.bias
        return logits

    def jacobian(self, mask: NDArray[np.bool_]) -> NDArray[np.float32]:
        """Return the derivative of the logits, which is the same at all embeddings: ∂z_c/∂e_t = w_c / n.

        Args:
            mask: ``[batch, tokens]``, True at each of the n tokens of a text.

        Returns:
            ``[batch, classes, tokens, dims]``, zeros at padding.
        """
        shares = mask / mask.sum(axis=1, keepdims=True, dtype=np.float32)
        jacobian: NDArray[np.float32] = shares[:, None, :, None] * self.weight[None, :, None, :]
        return jacobian
