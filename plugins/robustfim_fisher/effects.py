"""First-order effects of candidates on the margin, without a pass through the model.

Every effect is a sum −Σ w · g_i · (t − f) over *moves*: the source's token i goes from the embedding f to t.

- As many tokens as the source and one edit, or no places known: token by token, t = e′_i, f = e_i, w = 1.
- Otherwise by :mod:`robustfim_fisher.alignment`. Tokens that stay, and groups of equal size: likewise, pair
  by pair. A group A → B of other sizes: each token of A goes to the mean of B, −Σ_{a∈A} g_a · (ē′_B − e_a).
- A deletion, B empty: to the mean token ē of the source, −Σ_{a∈A} g_a · (ē − e_a). An insertion, A empty:
  from ē, under the mean gradient of its neighbours N, −Σ_{b∈B} ḡ_N · (e′_b − ē). Both are right to first
  order in 1/n where a model averages its n tokens, and there an exact replacement by ē is no change.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from math import isfinite
from typing import Literal, cast

import torch
from torch import Tensor

from robustfim.candidate import Candidate
from robustfim.example import Example
from robustfim.roles import DifferentiableModel, Embedded, Geometry, Model, Span
from robustfim_fisher.alignment import align
from robustfim_fisher.batches import in_batches

__all__ = ["first_order_effects"]

LOOKUP = 128
"""Candidates embedded at once: a lookup, so more than a batch of the model."""


def first_order_effects(
    model: Model, geometry: Geometry, candidates: Sequence[Candidate], *, tokens: Literal["text", "all"]
) -> list[float]:
    """Estimate by how much each candidate lowers the margin of its source.

    Args:
        model: A differentiable model.
        geometry: Where the sources' gradients come from.
        candidates: Candidates with text edits, in any mixture of sources.
        tokens: Which gradient: with respect to the text alone, or to special tokens too.

    Returns:
        One number a candidate, in logits; 0 where the gradient is not finite.
    """
    differentiable = cast(DifferentiableModel, model)
    geometry.at([candidate.source for candidate in candidates], tokens=tokens)

    def work(batch: list[Candidate]) -> list[float]:
        sources = list({id(candidate.source): candidate.source for candidate in batch}.values())
        rows = _Rows.of(differentiable.embed([*sources, *(candidate.example for candidate in batch)]))
        points = geometry.at(sources, tokens=tokens)
        gradients = torch.cat([point.margin_gradient for point in points])
        return _effects(rows, gradients, sources, batch)

    return in_batches(candidates, work, size=LOOKUP, length=lambda candidate: len(candidate.source.text))


@dataclass(frozen=True)
class _Rows:
    """The tokens of a batch, one after the other.

    Attributes:
        embeddings: ``[all tokens, dims]``.
        text: ``[all tokens]``, False at special tokens.
        starts: Where each example begins, and the end, ``[batch + 1]``.
        spans: Places by example, ``[batch][tokens]``, without padding.
    """

    embeddings: Tensor
    text: Tensor
    starts: list[int]
    spans: list[list[Span]]

    @classmethod
    def of(cls, embedded: Embedded) -> _Rows:
        """Leave the padding out."""
        mask = embedded.mask
        starts = [0, *accumulate(mask.sum(1).tolist())]
        spans = [
            [span for span, kept in zip(places, keep, strict=False) if kept]
            for places, keep in zip(embedded.spans, mask.tolist(), strict=True)
        ]
        return cls(embedded.embeddings.detach()[mask], ~embedded.special[mask], starts, spans)

    def range(self, example: int) -> range:
        """The rows of an example."""
        return range(self.starts[example], self.starts[example + 1])


def _effects(rows: _Rows, gradients: Tensor, sources: list[Example], candidates: list[Candidate]) -> list[float]:
    """Sum the moves of each candidate; the sources are the first examples of ``rows``."""
    means = torch.stack([_mean(rows, source) for source in range(len(sources))])
    table = torch.cat([rows.embeddings.to(means), means])
    place = {id(source): index for index, source in enumerate(sources)}
    moves: list[Move] = []
    owners: list[int] = []
    for index, candidate in enumerate(candidates):
        source = place[id(candidate.source)]
        neutral = len(rows.embeddings) + source
        moves.extend(_moves(rows, source, len(sources) + index, neutral, candidate))
        owners.extend([index] * (len(moves) - len(owners)))
    device = means.device
    where = torch.tensor([move[:3] for move in moves], dtype=torch.long, device=device).reshape(-1, 3)
    weight = torch.tensor([move[3] for move in moves], dtype=means.dtype, device=device)
    # The sources come first, so a source's row in the table is its gradient's row too.
    gradient = gradients.to(means).index_select(0, where[:, 0])
    moved = table.index_select(0, where[:, 1]) - table.index_select(0, where[:, 2])
    falls = -(gradient * moved).sum(1) * weight
    owner = torch.tensor(owners, dtype=torch.long, device=device)
    total = means.new_zeros(len(candidates)).index_add(0, owner, falls)
    return [effect if isfinite(effect) else 0.0 for effect in total.tolist()]


def _mean(rows: _Rows, example: int) -> Tensor:
    """The mean token of an example's text, ``[dims]``, at least float32; zeros where it has none."""
    part = slice(rows.starts[example], rows.starts[example + 1])
    text = rows.embeddings[part][rows.text[part]]
    text = text.to(torch.promote_types(text.dtype, torch.float32))
    return text.sum(0) / max(len(text), 1)


Move = tuple[int, int, int, float]
"""Row of the source's token, row it goes to, row it comes from, weight."""


def _moves(rows: _Rows, source: int, changed: int, neutral: int, candidate: Candidate) -> Iterator[Move]:
    """List the moves that turn a source into a candidate."""
    before, after = rows.range(source), rows.range(changed)
    placed = any(rows.spans[source]) and any(rows.spans[changed])
    if len(before) == len(after) and (len(candidate.edits) == 1 or not placed):
        yield from ((old, new, old, 1.0) for old, new in zip(before, after, strict=True))
        return
    alignment = align(rows.spans[source], rows.spans[changed], candidate)
    pairs = list(alignment.pairs)
    for went, came, neighbours in alignment.groups:
        if len(went) == len(came):
            pairs.extend(zip(went, came, strict=True))
        elif not came:
            yield from ((before[old], neutral, before[old], 1.0) for old in went)
        elif not went:
            share = 1 / max(len(neighbours), 1)
            yield from ((before[near], after[new], neutral, share) for near in neighbours for new in came)
        else:
            share = 1 / len(came)
            yield from ((before[old], after[new], before[old], share) for old in went for new in came)
    yield from ((before[old], after[new], before[old], 1.0) for old, new in pairs)
