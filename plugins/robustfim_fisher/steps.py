"""Predictions after a step in embedding space."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, cast

import numpy as np
import torch
from numpy.typing import NDArray

from robustfim.candidate import Candidate
from robustfim.example import Example
from robustfim.roles import DifferentiableModel, Geometry, Model
from robustfim_fisher.batches import DEFAULT_SIZE, in_batches

__all__ = ["mean_token_norm", "predict_steps"]


def predict_steps(
    model: Model, geometry: Geometry, candidates: Sequence[Candidate], tokens: Literal["text", "all"]
) -> NDArray[np.float64]:
    """Predict each candidate's source, its embedding moved by step.norm · e.

    Args:
        model: A differentiable model.
        geometry: Where the eigenvectors come from.
        candidates: Candidates with a step, in any mixture of sources.
        tokens: Which eigenvector: of the text alone, or with special tokens.

    Returns:
        Probabilities ``[candidates, classes]``; a step of norm 0, or from where λmax is 0, gives the
        source's.
    """
    differentiable = cast(DifferentiableModel, model)

    def predict(batch: list[Candidate]) -> list[NDArray[np.float64]]:
        sources = [candidate.source for candidate in batch]
        embedded = differentiable.embed(sources)
        points = geometry.at(sources, tokens=tokens)
        norms = [candidate.step.norm if candidate.step else 0.0 for candidate in batch]
        # Rows of the mask are read in order, so the tokens of all sources in one column fill its True places.
        moves = torch.cat([norm * point.eigenvector for norm, point in zip(norms, points, strict=True)])
        embeddings = embedded.embeddings.detach().clone()
        embeddings[embedded.mask] += moves.to(embeddings)
        with torch.no_grad():
            logits = differentiable.logits(embeddings, embedded)
        return list(logits.cpu().double().softmax(dim=1).numpy())

    rows = in_batches(
        candidates,
        predict,
        size=getattr(model, "batch_size", None) or DEFAULT_SIZE,
        length=lambda candidate: len(candidate.source.text),
    )
    return np.stack(rows) if rows else np.zeros((0, len(model.labels)))


def mean_token_norm(model: Model, example: Example, tokens: Literal["text", "all"]) -> float:
    """Return the mean Euclidean norm of an example's token embeddings, 0 where it has none.

    Args:
        model: A differentiable model.
        example: The example.
        tokens: ``"text"`` leaves special tokens out, ``"all"`` takes them in.
    """
    embedded = cast(DifferentiableModel, model).embed([example])
    part = embedded.mask if tokens == "all" else embedded.mask & ~embedded.special
    norms = embedded.embeddings.detach()[part].float().norm(dim=1)
    return float(norms.mean()) if norms.numel() else 0.0
