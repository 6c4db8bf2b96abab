"""The smallest step in embedding space that changes a label: a scan outwards, then bisection."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf, nan
from typing import Literal, TypeAlias

import numpy as np

from robustfim.candidate import Candidate, Step
from robustfim.example import Example
from robustfim.roles import Context
from robustfim_fisher.steps import Direction, predict_steps

__all__ = ["PROBES", "smallest_steps"]

PROBES = 15
"""The number of norms tried before the bisection: bound / √2^k for k = 14, …, 0. The first is bound / 128."""

NEAREST = 1e-8
"""If the label changes within this fraction of the bound, the norm is not refined further."""

SIGNS: dict[Direction, tuple[int, ...]] = {"eigenvector": (1, -1), "boundary normal": (1,)}
"""The signs tried for each direction. Along the boundary normal, the margin falls in one direction only."""

Move: TypeAlias = tuple[int, float]
"""Row of the example, and signed norm of the step."""


@dataclass
class _Ray:
    """One way out of an example, the label kept at ``low`` and changed at ``high``."""

    row: int
    sign: int
    low: float
    high: float

    @property
    def middle(self) -> Move:
        return self.row, self.sign * (self.low + self.high) / 2


def smallest_steps(
    context: Context,
    examples: Sequence[Example],
    *,
    direction: Direction,
    bound: float,
    tolerance: float,
    tokens: Literal["text", "all"] = "text",
) -> list[float]:
    """Find for each example the smallest norm η of a step x ± η·v that changes the predicted label.

    x is the example's embedding, and v a unit direction. Every round predicts one step for each unfinished example, in
    batches. The scan tries ``PROBES`` norms, each √2 times the last, on both sides of x, until the label changes. The
    bisection then halves the interval between this norm and the previous norm. If a label changes and changes back
    between two neighbouring norms of the scan, the change is missed. On a linear model with two classes η = |Δz| / |∇Δz
    · v|.

    Args:
        context: The run, whose model and gradients are used; the run's count of predicted steps increases.
        examples: Any number of examples.
        direction: ``"eigenvector"``, ± the top eigenvector of the Fisher information; or ``"boundary normal"``, the
            direction in which the margin falls fastest.
        bound: The largest norm tried, > 0, Euclidean over all tokens, in units of the embedding.
        tolerance: The label changes at |η| and not at |η| · (1 − tolerance); in (0, 1).
        tokens: ``"text"`` leaves special tokens where they are, ``"all"`` moves them too.

    Returns:
        Signed norms, ``[examples]``, at which the label differs from the predicted label at x; inf if the label does
        not change within the bound, or if v is 0; NaN if a logit or a gradient is not finite.

    Raises:
        ModelError: The model has no gradients.
    """
    geometry = context.geometry
    geometry.at(examples, tokens=tokens)

    def labels(moves: Sequence[Move]) -> list[int | None]:
        steps = [Candidate(examples[row], step=Step(direction, norm)) for row, norm in moves]
        rows = predict_steps(context.model, geometry, steps, tokens)
        context.count_steps(len(steps))
        return [int(row.argmax()) if np.isfinite(row).all() else None for row in rows]

    found = [inf] * len(examples)
    before = labels([(row, 0.0) for row in range(len(examples))])
    waiting = [row for row, label in enumerate(before) if label is not None]
    for row, label in enumerate(before):
        found[row] = nan if label is None else inf
    rays: list[_Ray] = []
    low = 0.0
    for power in reversed(range(PROBES)):
        high = bound / 2 ** (power / 2)
        moves = [(row, sign * high) for row in waiting for sign in SIGNS[direction]]
        for (row, norm), label in zip(moves, labels(moves), strict=True):
            if label is None:
                found[row] = nan
            elif label != before[row]:
                rays.append(_Ray(row, 1 if norm > 0 else -1, low, high))
        ended = {ray.row for ray in rays}
        waiting = [row for row in waiting if row not in ended and found[row] == inf]
        low = high
    while open_rays := [ray for ray in rays if ray.high - ray.low > max(tolerance * ray.high, NEAREST * bound)]:
        for ray, label in zip(open_rays, labels([ray.middle for ray in open_rays]), strict=True):
            middle = abs(ray.middle[1])
            if label is None or label == before[ray.row]:
                ray.low = middle
            else:
                ray.high = middle
    for ray in rays:
        if ray.high < abs(found[ray.row]):
            found[ray.row] = ray.sign * ray.high
    return found
