"""The estimated effects of candidates, by which an order sorts them; they are kept in the store."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import islice
from typing import Any

from robustfim.candidate import Candidate
from robustfim.collect.check import Check
from robustfim.predict.context import RunContext
from robustfim.predict.store import key_of

__all__ = ["effects_of"]


def effects_of(check: Check, pools: Sequence[Sequence[Candidate]], context: RunContext) -> list[list[float]]:
    """Return the estimated effects by which a check ranks the perturbed texts (candidates) of its examples.

    Args:
        check: A check with an order.
        pools: The candidates of each example, ``[examples][candidates]``.
        context: The run's context.

    Returns:
        One number per candidate, larger for candidates to try first, ``[examples][candidates]``.

    Raises:
        PluginError: The order (the plugin's object that ranks) raised an error, or returned something that cannot be
            sorted.
        ModelError: The order needs gradients, and the model has none.
    """
    assert check.order is not None  # noqa: S101  # callers ask only then
    keys = [
        key_of(
            "effects",
            context.queue.decider,
            [check.order.identity, check.order.resources()],
            context.queue.content(pool[0].source) if pool else None,
            [[(e.field, e.start, e.end, e.after) for e in candidate.edits] for candidate in pool],
        )
        for pool in pools
    ]
    known = context.store.get(keys, _ordering)
    missing = [
        index
        for index, (key, pool) in enumerate(zip(keys, pools, strict=True))
        if pool and len(known.get(key, ())) != len(pool)
    ]
    flat = [candidate for index in missing for candidate in pools[index]]
    if flat:
        rest = iter(check.order.effects(flat, context))
        fresh = {keys[index]: list(islice(rest, len(pools[index]))) for index in missing}
        context.store.put(fresh)
        known.update(fresh)
    return [known[key] if pool else [] for key, pool in zip(keys, pools, strict=True)]


def _ordering(kept: Any) -> list[float]:
    """Read the effects of a pool of the store."""
    numbers = [float(number) for number in kept]
    if any(map(math.isnan, numbers)):
        raise ValueError("NaN orders nothing")
    return numbers
