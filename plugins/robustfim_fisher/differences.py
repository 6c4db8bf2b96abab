"""Logit differences and their gradients, by PyTorch or by the closed form of a NumPy model.

Later computations, here and in the other modules, use the array API standard and so accept both kinds of arrays.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, TypeAlias

import numpy as np
from array_api_compat import array_namespace, to_device
from numpy.typing import NDArray

from robustfim.errors import ModelError
from robustfim.parts import ModelPart
from robustfim.roles import DifferentiableModel, Embedded

__all__ = ["Array", "Differences", "differentiate", "pair_gradient"]

Array: TypeAlias = Any
"""A ``torch.Tensor`` or a NumPy array, depending on the model's embeddings."""

MAX_BYTES = 128 * 2**20
"""Bound on the memory of the gradients of a batch. A larger batch raises MemoryError and is then halved."""


@dataclass(frozen=True)
class Differences:
    """The predicted class's logit minus each other class's logit, and the gradients of these differences.

    With the classes of each example sorted by logit, z₀ ≥ z₁ ≥ …, the first of equals first:

    Attributes:
        gaps: z₀ − z_c for c ≥ 1, ``[batch, classes − 1]``, float64 on the CPU, ascending, ≥ 0. There are fewer columns
            if only the nearest classes were requested.
        raw: ∇(z₀ − z_c) with respect to all input embeddings, ``[batch, classes − 1, tokens, dims]``.
        part: ``[batch, tokens]`` booleans, True at the tokens of x, the part of the input that may change.
    """

    gaps: Array
    raw: Array
    part: Array

    @cached_property
    def gradients(self) -> Array:
        """Return the gradients of the logit differences, at least float32, zero at tokens that may not change."""
        xp = array_namespace(self.raw)
        return xp.where(self.part[:, None, :, None], self._wide(self.raw), 0.0)

    @cached_property
    def norms(self) -> Array:
        """Return ‖∇(z₀ − z_c)‖, ``[batch, classes − 1]``, float64 on the CPU."""
        # Token by token first: it saves the masked copy of all gradients.
        xp = array_namespace(self.raw)
        tokens = xp.linalg.vector_norm(self._wide(self.raw), axis=3)
        whole = xp.linalg.vector_norm(xp.where(self.part[:, None], tokens, 0.0), axis=2)
        return xp.astype(to_device(whole, "cpu"), xp.float64)

    def _wide(self, array: Array) -> Array:
        """The array in its own type, or in float32 where that is finer."""
        xp = array_namespace(array)
        return xp.astype(array, xp.result_type(array.dtype, xp.float32), copy=False)


def differentiate(
    model: DifferentiableModel,
    embedded: Embedded,
    *,
    tokens: Literal["text", "all"] = "text",
    nearest: int | None = None,
) -> Differences:
    """Differentiate the logit differences of a batch, by C − 1 backward passes or by the model's ``jacobian``.

    Args:
        model: The model.
        embedded: The batch, as ``model.embed`` returned it.
        tokens: ``"text"`` excludes special tokens from the gradient, ``"all"`` includes them. Padding is always
            excluded.
        nearest: The number of other classes to use, by the largest logits; all by default.

    Returns:
        The differences; a row of non-finite logits gives a row of non-finite gaps.

    Raises:
        ModelError: The logits have a wrong shape, fewer than two classes, or do not depend on the embeddings; or the
            embeddings are NumPy arrays and the model has no ``jacobian``.
        MemoryError: The gradients of several examples would exceed ``MAX_BYTES``.
    """
    shape = tuple(embedded.embeddings.shape)
    count = min(len(model.labels) - 1, nearest or len(model.labels))
    size = int(np.prod(shape)) * max(embedded.embeddings.dtype.itemsize, 4) * count
    if shape[0] > 1 and count > 1 and size > MAX_BYTES:
        raise MemoryError(f"gradients of {count} logit differences take {size} bytes")
    ranked: Array
    gradients: Array
    if isinstance(embedded.embeddings, np.ndarray):
        ranked, gradients = _closed_form(model, embedded, nearest)
    else:
        from robustfim_fisher.autograd import backward_differences

        ranked, gradients = backward_differences(model, embedded, nearest)
    part = embedded.mask if tokens == "all" else embedded.mask & ~embedded.special
    return Differences(ranked[:, :1] - ranked[:, 1:], gradients, part)


def pair_gradient(
    model: DifferentiableModel, embedded: Embedded, embeddings: Array, pairs: Sequence[tuple[int, int]]
) -> Array:
    """Differentiate one logit difference of each example at given embeddings, by one forward and one backward pass.

    Args:
        model: The model.
        embedded: The batch, as ``model.embed`` returned it.
        embeddings: Where to differentiate, of the shape of ``embedded.embeddings``.
        pairs: Columns a and b of each example, ``[batch]``.

    Returns:
        ∇(z_a − z_b), ``[batch, tokens, dims]``, padding and special tokens included.

    Raises:
        ModelError: As :func:`differentiate`.
    """
    if isinstance(embeddings, np.ndarray):
        jacobian, rows = _jacobian(model)(embeddings, embedded), np.arange(len(pairs))
        first, second = np.asarray(pairs).T
        return jacobian[rows, first] - jacobian[rows, second]
    from robustfim_fisher.autograd import backward_pair

    return backward_pair(model, embedded, embeddings, pairs)


def _closed_form(
    model: DifferentiableModel, embedded: Embedded, nearest: int | None
) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return the largest logits in their order, and the gradients of the differences of the first to the others."""
    logits = np.asarray(model.logits(embedded.embeddings, embedded), dtype=np.float64)
    order = np.argsort(-logits, axis=1, kind="stable")[:, : (nearest or logits.shape[1]) + 1]
    ranked = np.take_along_axis(logits, order, axis=1)
    ranked[~np.isfinite(logits).all(axis=1)] = np.nan
    each = _jacobian(model)(embedded.embeddings, embedded)
    sorted_classes = np.take_along_axis(each, order[..., None, None], axis=1)
    return ranked, sorted_classes[:, :1] - sorted_classes[:, 1:]


def _jacobian(model: DifferentiableModel) -> Callable[[Array, Embedded], NDArray[Any]]:
    """The model's own derivative.

    Raises:
        ModelError: It has none.
    """
    found: Callable[[Array, Embedded], NDArray[Any]] | None = ModelPart(model).jacobian
    if found is None:
        raise ModelError(
            f"{type(model).__name__} embeds into NumPy arrays, which nothing differentiates: it needs "
            "jacobian(embeddings, embedded), or embeddings that are PyTorch tensors."
        )
    return found
