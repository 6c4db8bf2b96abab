"""Moves of the tokens of a source in a perturbed text, which may have another number of tokens.

To first order, every change of a text is a sum of *moves*. A move w · (t − f) takes a token of the source from the
embedding f to t, with weight w. Let e and e′ be the embeddings of source and candidate. The moves are:

- If both texts have the same number of tokens and there is one edit, or if the places of tokens are unknown: one move
  for each token i, t = e′_i, f = e_i, w = 1.
- Otherwise :mod:`robustfim_fisher.alignment` pairs the tokens. Tokens that stay, and groups of equal size, move pair by
  pair. In a group A → B of unequal sizes each token a of A moves to the mean of B: ē′_B − e_a.
- If B is empty (a deletion), each token of A moves to the mean token ē of the source: ē − e_a. If A is empty (an
  insertion), the neighbours N share the move from ē: (e′_b − ē) / |N| each. Both are right to first order in 1/n if a
  model averages its n tokens, for which replacing a token by ē exactly changes nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate

import numpy as np
from array_api_compat import array_namespace, device, is_torch_array, to_device

from robustfim.candidate import Candidate
from robustfim.example import Example
from robustfim.roles import DifferentiableModel, Embedded, Span
from robustfim_fisher.alignment import align
from robustfim_fisher.differences import Array

__all__ = ["LOOKUP", "Moves", "summed"]

LOOKUP = 128
"""Candidates embedded at once. Embedding is a lookup, so this is more than a batch of the model."""


@dataclass(frozen=True)
class Moves:
    """The changes of token embeddings that a batch of perturbed texts makes.

    Attributes:
        sources: The distinct sources, in the order of their rows.
        changes: The vector by which each token's embedding moves, times the move's weight, ``[moves, dims]``, at least
            float32.
        rows: The row of the token that moves, among the tokens of all sources, ``[moves]``.
        owners: The candidate of each move, ``[moves]``.
        candidates: The number of candidates.
    """

    sources: list[Example]
    changes: Array
    rows: Array
    owners: Array
    candidates: int

    @classmethod
    def of(cls, model: DifferentiableModel, candidates: Sequence[Candidate]) -> Moves:
        """Embed candidates and their sources, and list the moves."""
        sources = list({id(candidate.source): candidate.source for candidate in candidates}.values())
        rows = _Rows.of(model.embed([*sources, *(candidate.example for candidate in candidates)]))
        xp = array_namespace(rows.embeddings)
        means = xp.stack([_mean(rows, source) for source in range(len(sources))])
        table = xp.concat([xp.astype(rows.embeddings, means.dtype), means])
        place = {id(source): index for index, source in enumerate(sources)}
        moves: list[Move] = []
        owners: list[int] = []
        for index, candidate in enumerate(candidates):
            source = place[id(candidate.source)]
            neutral = len(rows.embeddings) + source
            moves.extend(_moves(rows, source, len(sources) + index, neutral, candidate))
            owners.extend([index] * (len(moves) - len(owners)))
        place_of = device(means)
        where = xp.reshape(xp.asarray([move[:3] for move in moves], dtype=xp.int64, device=place_of), (-1, 3))
        weight = xp.asarray([move[3] for move in moves], dtype=means.dtype, device=place_of)
        moved = xp.take(table, where[:, 1], axis=0) - xp.take(table, where[:, 2], axis=0)
        owner = xp.asarray(owners, dtype=xp.int64, device=place_of)
        # The sources come first, so a source's row in the table is its row among the tokens of all sources.
        return cls(sources, weight[:, None] * moved, where[:, 0], owner, len(candidates))

    def along(self, directions: Sequence[Array]) -> Array:
        """Return how far each perturbed text moves along its source's direction v.

        Args:
            directions: v for each source, ``[tokens, dims]`` without padding.

        Returns:
            ⟨v, Δ⟩, ``[candidates]``, where Δ is the change of the embedding.
        """
        xp = array_namespace(self.changes)
        each = xp.astype(to_device(xp.concat(list(directions)), device(self.changes)), self.changes.dtype)
        each = xp.take(each, self.rows, axis=0)
        return summed(xp.sum(each * self.changes, axis=1), self.owners, self.candidates)

    def norms(self) -> Array:
        """Return how far each perturbed text moves the embedding: the Euclidean norm of the move, ``[candidates]``."""
        xp = array_namespace(self.changes)
        # One number for each pair of a candidate and a token that moves in it.
        tokens = int(xp.max(self.rows)) + 1 if self.rows.shape[0] else 1
        places, at = xp.unique_inverse(self.owners * tokens + self.rows)
        total = summed(self.changes, at, places.shape[0])
        return xp.sqrt(summed(xp.sum(total**2, axis=1), places // tokens, self.candidates))


def summed(values: Array, places: Array, number: int) -> Array:
    """Sum the rows of an array that have the same index in ``places``.

    Args:
        values: ``[rows, …]``.
        places: The index of the sum to which each row belongs, ``[rows]``.
        number: The number of sums.

    Returns:
        ``[number, …]``.
    """
    xp = array_namespace(values)
    total = xp.zeros((number, *values.shape[1:]), dtype=values.dtype, device=device(values))
    if is_torch_array(total):
        return total.index_add(0, places, values)
    np.add.at(total, places, values)
    return total


@dataclass(frozen=True)
class _Rows:
    """The tokens of a batch, one after the other.

    Attributes:
        embeddings: ``[all tokens, dims]``.
        text: ``[all tokens]``, False at special tokens.
        starts: Where each example begins, and the end, ``[batch + 1]``.
        spans: Places by example, ``[batch][tokens]``, without padding.
    """

    embeddings: Array
    text: Array
    starts: list[int]
    spans: list[list[Span]]

    @classmethod
    def of(cls, embedded: Embedded) -> _Rows:
        """Collect the token embeddings of a batch without padding."""
        mask = embedded.mask
        starts = [0, *accumulate(mask.sum(1).tolist())]
        spans = [
            [span for span, kept in zip(places, keep, strict=False) if kept]
            for places, keep in zip(embedded.spans, mask.tolist(), strict=True)
        ]
        return cls(embedded.embeddings[mask], ~embedded.special[mask], starts, spans)

    def range(self, example: int) -> range:
        """Return the rows of an example."""
        return range(self.starts[example], self.starts[example + 1])


def _mean(rows: _Rows, example: int) -> Array:
    """The mean token of an example's text, ``[dims]``, at least float32; zeros where it has none."""
    part = slice(rows.starts[example], rows.starts[example + 1])
    text = rows.embeddings[part][rows.text[part]]
    xp = array_namespace(text)
    text = xp.astype(text, xp.result_type(text.dtype, xp.float32), copy=False)
    return xp.sum(text, axis=0) / max(text.shape[0], 1)


Move = tuple[int, int, int, float]
"""Row of the source's token, row of t, row of f, weight w."""


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
            fraction = 1 / max(len(neighbours), 1)
            yield from ((before[near], after[new], neutral, fraction) for near in neighbours for new in came)
        else:
            fraction = 1 / len(came)
            yield from ((before[old], after[new], before[old], fraction) for old in went for new in came)
    yield from ((before[old], after[new], before[old], 1.0) for old, new in pairs)
