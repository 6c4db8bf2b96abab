"""First-order effects of candidates on the margin, without a pass through the model.

The effect of a candidate is −⟨g, Δ⟩, where g is the gradient of the source's margin and Δ the change of its embedding.
:mod:`robustfim_fisher.moves` defines Δ, also for texts with different numbers of tokens.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import isfinite
from typing import TYPE_CHECKING, Literal, cast

from robustfim.candidate import Candidate
from robustfim.example import Example
from robustfim.roles import DifferentiableModel, Geometry, Model
from robustfim_fisher.batches import in_batches
from robustfim_fisher.moves import LOOKUP, Moves

if TYPE_CHECKING:
    from robustfim_fisher.differences import Array

__all__ = ["effects_along", "first_order_effects"]


def first_order_effects(
    model: Model, geometry: Geometry, candidates: Sequence[Candidate], *, tokens: Literal["text", "all"]
) -> list[float]:
    """Estimate, from gradients, by how much each perturbed text lowers the margin of its source.

    Args:
        model: A differentiable model.
        geometry: Computes the gradients at the source texts.
        candidates: Perturbed texts (candidates); their source texts may differ.
        tokens: ``"text"`` for the gradient with respect to the text only, ``"all"`` to include special tokens.

    Returns:
        The predicted fall of the margin (top logit minus runner-up), one number for each candidate, in logits; 0 where
        the gradient is not finite.
    """
    geometry.at([candidate.source for candidate in candidates], tokens=tokens)

    def gradients(sources: Sequence[Example]) -> list[Array]:
        return [point.margin_gradient for point in geometry.at(sources, tokens=tokens)]

    effects = effects_along(model, candidates, gradients)
    return [effect if isfinite(effect) else 0.0 for effect in effects]


def effects_along(
    model: Model, candidates: Sequence[Candidate], gradients: Callable[[Sequence[Example]], Sequence[Array]]
) -> list[float]:
    """Return −⟨g, Δ⟩ for each perturbed text: its embedding's change Δ along the negative gradient g.

    Args:
        model: A differentiable model.
        candidates: Perturbed texts (candidates); their source texts may differ.
        gradients: A function that returns the gradient g for each given source text, ``[tokens, dims]`` without
            padding.

    Returns:
        One number for each candidate, in logits; not finite where g is not.
    """

    def work(batch: list[Candidate]) -> list[float]:
        moves = Moves.of(cast(DifferentiableModel, model), batch)
        falls: list[float] = (-moves.along(gradients(moves.sources))).tolist()
        return falls

    return in_batches(candidates, work, size=LOOKUP, length=lambda candidate: len(candidate.source.text))
