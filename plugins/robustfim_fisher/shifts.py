"""Shifts: how far a perturbed text moves the embedding of its source, and how far along the top eigenvector."""

from __future__ import annotations

from collections.abc import Sequence
from math import nan
from typing import Literal, cast

from robustfim.candidate import Candidate
from robustfim.roles import DifferentiableModel, Geometry, Model, Shift
from robustfim_fisher.batches import in_batches
from robustfim_fisher.moves import LOOKUP, Moves

__all__ = ["embedding_shifts"]


def embedding_shifts(
    model: Model, geometry: Geometry, candidates: Sequence[Candidate], *, tokens: Literal["text", "all"]
) -> list[Shift]:
    """Return how far each perturbed text moves the embedding, and the cosine with the top eigenvector.

    Δ is the change of the source's embedding and e the top eigenvector. e is a unit vector along which the predicted
    label loses probability, so ‖Δ‖ · cos(Δ, e) is the distance moved in this direction. :mod:`robustfim_fisher.moves`
    defines Δ for texts with different numbers of tokens.

    Args:
        model: A differentiable model.
        geometry: Computes the eigenvectors at the source texts.
        candidates: Perturbed texts (candidates); their source texts may differ.
        tokens: ``"text"`` for the eigenvector with respect to the text only, ``"all"`` to include special tokens.

    Returns:
        One shift for each candidate: a norm ≥ 0, as Euclidean length in embedding space, and a cosine, NaN if Δ or e is
        0.
    """
    differentiable = cast(DifferentiableModel, model)
    geometry.at([candidate.source for candidate in candidates], tokens=tokens)

    def work(batch: list[Candidate]) -> list[Shift]:
        moves = Moves.of(differentiable, batch)
        vectors = [point.eigenvector for point in geometry.at(moves.sources, tokens=tokens)]
        known = {id(source) for source, vector in zip(moves.sources, vectors, strict=True) if vector.any()}
        norms, along = moves.norms().tolist(), moves.along(vectors).tolist()
        return [
            Shift(norm, max(-1.0, min(1.0, far / norm)) if norm > 0 and id(candidate.source) in known else nan)
            for candidate, norm, far in zip(batch, norms, along, strict=True)
        ]

    return in_batches(candidates, work, size=LOOKUP, length=lambda candidate: len(candidate.source.text))
