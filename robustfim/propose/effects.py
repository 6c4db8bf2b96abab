"""What an order says of candidates, asked for once: its numbers are kept in the store."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import islice
from typing import Any

from robustfim.candidate import Candidate
from robustfim.collect.check import Check
from robustfim.predict.context import RunContext
from robustfim.predict.store import Store, key_of

__all__ = ["effects_of"]

_UNBOUNDED = 10**9


def effects_of(
    check: Check, pools: Sequence[Sequence[Candidate]], context: RunContext, store: Store, most: int | None = None
) -> tuple[list[list[float]], list[int]]:
    """Rank candidates through the order of a check.

    The numbers of an order that asks the model are not kept, since the answers are.

    Args:
        check: A check with an order.
        pools: Candidates of one example each, ``[examples][candidates]``.
        context: The run's context.
        store: Where the numbers are kept.
        most: The most texts of an example that the order may ask about; None for as many as it takes.

    Returns:
        One number a candidate, larger for those to try first, ``[examples][candidates]``; and of how many texts of each
        example the order asked the model.

    Raises:
        PluginError: The order raised, or gave what orders nothing.
        ModelError: It needs gradients that the model has not.
    """
    assert check.order is not None  # noqa: S101  # callers ask only then
    flat = [candidate for pool in pools for candidate in pool]
    if check.order.asks:
        numbers, asked = check.order.within(flat, context, _UNBOUNDED if most is None else most)
        spent = [asked.get(pool[0].source.id, 0) if pool else 0 for pool in pools]
        rest = iter(numbers)
        return [list(islice(rest, len(pool))) for pool in pools], spent
    keys = [
        key_of(
            "effects",
            context.queue.decider,
            [check.order_identity, check.order.resources()],
            context.queue.content(pool[0].source) if pool else None,
            [[(e.field, e.start, e.end, e.after) for e in candidate.edits] for candidate in pool],
        )
        for pool in pools
    ]
    known = store.get(keys, _ordering)
    missing = [
        index
        for index, (key, pool) in enumerate(zip(keys, pools, strict=True))
        if pool and len(known.get(key, ())) != len(pool)
    ]
    flat = [candidate for index in missing for candidate in pools[index]]
    if flat:
        rest = iter(check.order.effects(flat, context))
        fresh = {keys[index]: list(islice(rest, len(pools[index]))) for index in missing}
        store.put(fresh)
        known.update(fresh)
    return [known[key] if pool else [] for key, pool in zip(keys, pools, strict=True)], [0] * len(pools)


def _ordering(kept: Any) -> list[float]:
    """Read the effects of a pool of the store."""
    numbers = [float(number) for number in kept]
    if any(map(math.isnan, numbers)):
        raise ValueError("NaN orders nothing")
    return numbers
