"""Predictions after a step in embedding space."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Literal, TypeAlias, cast

import numpy as np
from array_api_compat import array_namespace, device, is_torch_array, to_device
from numpy.typing import NDArray
from scipy.special import softmax

from robustfim.candidate import Candidate
from robustfim.example import Example
from robustfim.parts import ModelPart
from robustfim.roles import DifferentiableModel, Geometry, Model, Point
from robustfim.seeds import random_for
from robustfim_fisher.batches import DEFAULT_SIZE, in_batches
from robustfim_fisher.differences import Array

__all__ = ["Direction", "mean_token_norm", "predict_steps"]

Direction: TypeAlias = Literal["eigenvector", "boundary normal", "random"]
"""Directions of a step: the top eigenvector e of the Fisher information, −∇margin / ‖∇margin‖, or a random direction
for each example, uniform on the sphere over the tokens moved by e."""


def predict_steps(
    model: Model, geometry: Geometry, candidates: Sequence[Candidate], tokens: Literal["text", "all"]
) -> NDArray[np.float64]:
    """Predict the labels after each candidate's step: its source's embedding moved by a norm along a direction.

    Args:
        model: A differentiable model.
        geometry: Computes the directions at the source texts.
        candidates: Candidates with a step in a :data:`Direction`; their source texts may differ.
        tokens: ``"text"`` for directions over the text only, ``"all"`` to include special tokens.

    Returns:
        Probabilities ``[candidates, classes]``; the source's probabilities for a step of norm 0, or if the direction is
        0.
    """
    differentiable = cast(DifferentiableModel, model)

    def predict(batch: list[Candidate]) -> list[NDArray[np.float64]]:
        sources = [candidate.source for candidate in batch]
        embedded = differentiable.embed(sources)
        points = geometry.at(sources, tokens=tokens)
        # Rows of the mask are read in order, so the tokens of all sources in one column fill its True places.
        xp = array_namespace(embedded.embeddings)
        moves = xp.concat([_move(candidate, point) for candidate, point in zip(batch, points, strict=True)])
        embeddings = xp.asarray(embedded.embeddings, copy=True)
        embeddings[embedded.mask] += xp.astype(to_device(moves, device(embeddings)), embeddings.dtype)
        with _without_gradients(embeddings):
            logits = differentiable.logits(embeddings, embedded)
        return list(softmax(np.asarray(xp.astype(to_device(logits, "cpu"), xp.float64)), axis=1))

    rows = in_batches(
        candidates,
        predict,
        size=ModelPart(model).contract.batch_size or DEFAULT_SIZE,
        length=lambda candidate: len(candidate.source.text),
    )
    return np.stack(rows) if rows else np.zeros((0, len(model.labels)))


def _move(candidate: Candidate, point: Point) -> Array:
    """Return how far each token moves, ``[tokens, dims]``."""
    step = candidate.step
    xp = array_namespace(point.eigenvector)
    if step is None:
        return xp.zeros_like(point.eigenvector)
    if step.direction == "random":
        return step.norm * _random_direction(candidate.source, point.eigenvector)
    if step.direction == "boundary normal":
        gradient = point.margin_gradient
        # A gradient of 0 has no direction; NaN stays NaN.
        direction = -gradient / xp.clip(xp.linalg.vector_norm(gradient), min=float(xp.finfo(gradient.dtype).tiny))
    else:
        direction = point.eigenvector
    return step.norm * direction


def _random_direction(source: Example, eigenvector: Array) -> Array:
    """Draw a unit vector over the tokens moved by the eigenvector, by the example's content alone."""
    xp = array_namespace(eigenvector)
    seed = random_for(0, "random direction", source.id).getrandbits(64)
    drawn = xp.asarray(np.random.default_rng(seed).standard_normal(tuple(eigenvector.shape)), dtype=eigenvector.dtype)
    moved = xp.any(eigenvector != 0, axis=1)[:, None]
    drawn = xp.where(moved, drawn, xp.zeros_like(drawn))
    return drawn / xp.clip(xp.linalg.vector_norm(drawn), min=float(xp.finfo(drawn.dtype).tiny))


def _without_gradients(array: Array) -> AbstractContextManager[object]:
    """Keep PyTorch, where it computes, from remembering how."""
    if not is_torch_array(array):
        return nullcontext()
    import torch

    return torch.no_grad()


def mean_token_norm(model: Model, example: Example, tokens: Literal["text", "all"]) -> float:
    """Return the mean Euclidean norm of an example's token embeddings, 0 if it has no tokens.

    Args:
        model: A differentiable model.
        example: The example.
        tokens: ``"text"`` leaves special tokens out, ``"all"`` takes them in.
    """
    embedded = cast(DifferentiableModel, model).embed([example])
    part = embedded.mask if tokens == "all" else embedded.mask & ~embedded.special
    xp = array_namespace(embedded.embeddings)
    norms = xp.linalg.vector_norm(xp.astype(embedded.embeddings[part], xp.float32), axis=1)
    return float(xp.mean(norms)) if norms.shape[0] else 0.0
