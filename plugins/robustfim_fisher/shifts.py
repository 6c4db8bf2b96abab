"""How far a perturbed text moves the embedding of its source, and how much of that lies along the top eigenvector."""

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
    """Return ‖Δ‖ and cos(Δ, e) of each candidate, Δ the change of its source's embedding, e the top eigenvector.

    e is a unit vector that points to where the predicted label loses, so ‖Δ‖ · cos(Δ, e) is how far the text goes
    along it. How tokens are paired where source and candidate have different numbers: :mod:`robustfim_fisher.moves`.

    Args:
        model: A differentiable model.
        geometry: Where the eigenvectors come from.
        candidates: Candidates with text edits, in any mixture of sources.
        tokens: Which eigenvector: with respect to the text alone, or to special tokens too.

    Returns:
        One shift a candidate: a norm ≥ 0 in units of the embedding, and a cosine, NaN where Δ or e is 0.
    """
    differentiable = cast(DifferentiableModel, model)
    geometry.at([candidate.source for candidate in candidates], tokens=tokens)

    def work(batch: list[Candidate]) -> list[Shift]:
        moves = Moves.of(differentiable, batch)
        vectors = [point.eigenvector for point in geometry.at(moves.sources, tokens=tokens)]
        known = {id(source) for source, vector in zip(moves.sources, vectors, strict=True) if vector.any()}
        norms, along = moves.norms().tolist(), moves.along(vectors).tolist()
        return [
            Shift(norm, max(-1.0, min(1.0, far / norm)) if norm > 0 and id(each.source) in known else nan)
            for each, norm, far in zip(batch, norms, along, strict=True)
        ]

    return in_batches(candidates, work, size=LOOKUP, length=lambda candidate: len(candidate.source.text))
