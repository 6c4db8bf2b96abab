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
"""Norms that are looked at before the bisection: bound / √2^k for k = 14, …, 0; the first is bound / 128."""

NEAREST = 1e-8
"""A label that changes within this share of the bound changes at once: its norm is not refined further."""

SIGNS: dict[Direction, tuple[int, ...]] = {"eigenvector": (1, -1), "boundary normal": (1,)}
"""Which ways to go; along the normal the margin falls only forwards."""

Move: TypeAlias = tuple[int, float]
"""Row of the example, signed norm of the step."""


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
    """Find the least norm η of a step x ± η·v that changes the predicted label, for all examples together.

    Every round predicts one step for each example that is still open, in batches. The scan looks at ``PROBES``
    norms, each √2 times the last, on both sides of x, until the label is another; the bisection then halves the
    interval between that norm and the one before. A label that changes and changes back between two
    neighbouring norms of the scan goes unseen. On a linear model with two classes η = |Δz| / |∇Δz · v|.

    Args:
        context: The run, for its model and geometry; it is told how many steps were predicted.
        examples: Any number of examples.
        direction: ``"eigenvector"``, ± the top eigenvector of the Fisher information; or ``"boundary normal"``, in
            which the margin falls fastest, forwards only.
        bound: The largest norm looked at, > 0, Euclidean over all tokens, in units of the embedding.
        tolerance: The label changes at |η| and not at |η| · (1 − tolerance); in (0, 1).
        tokens: ``"text"`` leaves special tokens where they are, ``"all"`` moves them too.

    Returns:
        Signed norms, ``[examples]``, each one at which the label was seen to change; inf where it does not
        change within the bound (or v is 0); NaN where a logit or a gradient is not finite.

    Raises:
        ModelError: The model has no gradients.
    """
    geometry = context.geometry
    geometry.at(examples, tokens=tokens)

    def labels(moves: Sequence[Move]) -> list[int | None]:
        steps = [Candidate(examples[row], step=Step(direction, norm)) for row, norm in moves]
        rows = predict_steps(context.model, geometry, steps, tokens)
        context.count_steps(len(steps))
        return [int(each.argmax()) if np.isfinite(each).all() else None for each in rows]

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
