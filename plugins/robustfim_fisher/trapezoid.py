"""Effects of candidates on the margin by the trapezoid rule, from gradients along a path.

The path in embedding space is the straight line from the source x to x + Σ Δ_k. The sum is over candidates that do not
overlap, taken by decreasing first-order effect while the effect is above 0. The fall of the margin m along the path is
the integral of −⟨∇m, dx⟩. Let g_0 … g_{n−1} be n gradients at equal distances, the first at the source. By the
trapezoid rule, as in integrated gradients (Sundararajan et al. 2017), each candidate contributes −⟨ḡ, Δ⟩, where ḡ =
(g_0/2 + g_1 + … + g_{n−2} + g_{n−1}/2) / (n − 1). The contributions add up to the whole fall, exactly if m is
quadratic. Unlike the gradient at the source, they account for features that saturate, and for features that matter only
once others are gone, as under a maximum over words.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite
from typing import Literal, TypeAlias, cast

from array_api_compat import array_namespace, to_device

from robustfim.candidate import Candidate
from robustfim.example import Example
from robustfim.parts import ModelPart
from robustfim.roles import Context, DifferentiableModel
from robustfim_fisher.batches import DEFAULT_SIZE, in_batches
from robustfim_fisher.differences import Array, pair_gradient
from robustfim_fisher.effects import effects_along, first_order_effects
from robustfim_fisher.moves import LOOKUP, Moves, summed
from robustfim_fisher.surrogate import Surrogate

__all__ = ["trapezoid_effects"]

_Path: TypeAlias = tuple[list[Candidate], tuple[int, int]]
"""The candidates on the path of a source, and the columns of its first and second class."""


def trapezoid_effects(
    context: Context | Surrogate, candidates: Sequence[Candidate], *, gradients: int, tokens: Literal["text", "all"]
) -> list[float]:
    """Estimate, from several gradients, by how much each perturbed text lowers its source's margin.

    Args:
        context: The run, whose model, gradients and predictions are used.
        candidates: Candidates with text edits; their sources may differ.
        gradients: The number of gradients for each source, at least 2.
        tokens: ``"text"`` for gradients with respect to the text only, ``"all"`` to include special tokens.

    Returns:
        One number for each candidate, in logits. The number is the effect by the first gradient alone if no candidate
        of the source has an effect above 0, or if a later gradient is not finite; 0 if the first gradient is not
        finite.
    """
    model = cast(DifferentiableModel, context.model)
    first = first_order_effects(model, context.geometry, candidates, tokens=tokens)
    paths = _paths(context, candidates, first)
    means = in_batches(
        paths,
        lambda batch: _mean_gradients(model, batch, gradients, tokens),
        size=ModelPart(model).contract.batch_size or DEFAULT_SIZE,
        length=lambda path: _length(path[0][0]),
    )
    context.count_steps((gradients - 1) * len(paths))
    at = {id(taken[0].source): mean for (taken, _), mean in zip(paths, means, strict=True)}

    def along(sources: Sequence[Example]) -> list[Array]:
        """Add the term g_0/2 of the mean, which is already known."""
        points = context.geometry.at(sources, tokens=tokens)
        near = [point.margin_gradient / (2 * (gradients - 1)) for point in points]
        return [half + at[id(source)] for source, half in zip(sources, near, strict=True)]

    rows = [row for row, candidate in enumerate(candidates) if id(candidate.source) in at]
    found = list(first)
    for row, effect in zip(rows, effects_along(model, [candidates[row] for row in rows], along), strict=True):
        found[row] = effect if isfinite(effect) else first[row]
    return found


def _paths(context: Context | Surrogate, candidates: Sequence[Candidate], effects: Sequence[float]) -> list[_Path]:
    """Collect for each source what pushes it; a source that nothing pushes has no path."""
    pushes: dict[int, list[Candidate]] = {}
    for row in sorted(range(len(candidates)), key=lambda row: -effects[row]):
        if effects[row] <= 0:
            break
        candidate = candidates[row]
        taken = pushes.setdefault(id(candidate.source), [])
        if not any(edit.overlaps(other) for each in taken for other in each.edits for edit in candidate.edits):
            taken.append(candidate)
    predictions = context.predict([taken[0].source for taken in pushes.values()]) if pushes else ()
    paths = []
    for taken, prediction in zip(pushes.values(), predictions, strict=True):
        if prediction is not None:
            tilted = prediction.tilted
            above, below = sorted(range(len(tilted)), key=lambda column: -tilted[column])[:2]
            paths.append((taken, (above, below)))
    return paths


def _mean_gradients(
    model: DifferentiableModel, paths: Sequence[_Path], gradients: int, tokens: Literal["text", "all"]
) -> list[Array]:
    """Return (g_1 + … + g_{n−2} + g_{n−1}/2) / (n − 1) along paths, ``[tokens, dims]`` each, without padding."""
    embedded = model.embed([taken[0].source for taken, _ in paths])
    start = embedded.embeddings
    xp = array_namespace(start)
    wide = xp.astype(start, xp.result_type(start.dtype, xp.float32), copy=False)
    ends = {id(taken[0].source): wide[row, embedded.mask[row]] for row, (taken, _) in enumerate(paths)}

    def push(batch: list[Candidate]) -> list[Candidate]:
        moves = Moves.of(model, batch)
        total = summed(moves.changes, moves.rows, sum(len(ends[id(source)]) for source in moves.sources))
        first = 0
        for source in moves.sources:
            end = ends[id(source)]
            end += total[first : first + len(end)]
            first += len(end)
        return batch

    in_batches([candidate for taken, _ in paths for candidate in taken], push, size=LOOKUP, length=_length)
    moved = xp.asarray(start, copy=True)
    moved[embedded.mask] = xp.astype(xp.concat(list(ends.values())), moved.dtype)
    pairs = [pair for _, pair in paths]
    parts = gradients - 1
    mean = pair_gradient(model, embedded, moved, pairs) / (2 * parts)
    for part in range(1, parts):
        mean += pair_gradient(model, embedded, start + part / parts * (moved - start), pairs) / parts
    if tokens == "text":
        mean = xp.where(embedded.special[..., None], 0.0, mean)
    return [to_device(row[kept], "cpu") for row, kept in zip(mean, embedded.mask, strict=True)]


def _length(candidate: Candidate) -> int:
    return len(candidate.source.text)
