"""A NumPy version of :class:`robustfim_reference.networks.FastTextNetwork`, for machines without PyTorch."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["MeanNetwork"]


@dataclass(frozen=True, eq=False)
class MeanNetwork:
    """A network that averages embeddings and applies a linear layer (Joulin et al. 2016).

    Attributes:
        table: The embeddings, ``[rows, dims]``, float32.
        weight: The weights of the linear layer, ``[classes, dims]``, float32.
        bias: The bias of the linear layer, ``[classes]``, float32.
    """

    table: NDArray[np.float32]
    weight: NDArray[np.float32]
    bias: NDArray[np.float32]

    @classmethod
    def of(cls, tensors: Mapping[str, NDArray[Any]], *, rows: int, classes: int, dims: int) -> MeanNetwork:
        """Create the network from weights written by ``robustfim train fasttext``.

        Raises:
            KeyError: A tensor is missing.
            ValueError: A tensor does not have the required shape.
        """
        shapes = {"embedding.weight": (rows, dims), "output.weight": (classes, dims), "output.bias": (classes,)}
        for name, shape in shapes.items():
            if tensors[name].shape != shape:
                raise ValueError(f"{name} has the shape {tensors[name].shape}, not {shape}")
        return cls(*(np.ascontiguousarray(tensors[name], dtype=np.float32) for name in shapes))

    def logits(self, embeddings: NDArray[np.float32], mask: NDArray[np.bool_]) -> NDArray[np.float32]:
        """Map the token embeddings of texts to logits.

        Args:
            embeddings: Input embeddings, ``[batch, tokens, dims]``.
            mask: True at a token, ``[batch, tokens]``; every text needs at least one token.

        Returns:
            Logits ``[batch, classes]``.
        """
        mean = np.where(mask[..., None], embeddings, 0).sum(axis=1) / mask.sum(axis=1, dtype=np.float32)[:, None]
        logits: NDArray[np.float32] = mean @ self.weight.T + self.bias
        return logits

    def jacobian(self, mask: NDArray[np.bool_]) -> NDArray[np.float32]:
        """Return the derivative of the logits with respect to the embeddings, which is the same everywhere.

        Args:
            mask: True at each of the n tokens of a text, ``[batch, tokens]``.

        Returns:
            The derivative of logit z_c by the embedding e_t of token t is w_c / n, with w_c the weights of class c:
            ``[batch, classes, tokens, dims]``, zero at padding.
        """
        fractions = mask / mask.sum(axis=1, keepdims=True, dtype=np.float32)
        jacobian: NDArray[np.float32] = fractions[:, None, :, None] * self.weight[None, :, None, :]
        return jacobian
