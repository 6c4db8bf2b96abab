"""What constraints do for many candidates at once, before they are asked about each."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import islice

from robustfim.candidate import Candidate
from robustfim.parts import ConstraintPart

__all__ = ["prefetched"]


def prefetched(
    pools: list[Iterator[Candidate]],
    constraints: Sequence[ConstraintPart],
    reject: Callable[[Candidate, Sequence[ConstraintPart]], str | None],
    wanted: int,
    tries: int,
) -> list[Iterator[Candidate]]:
    """Show constraints the first candidates of a block's examples, of which those before them reject none.

    Args:
        pools: The candidates of each example, ``[examples]``.
        constraints: Those that judge whole candidates, in their order.
        reject: Asks some constraints about a candidate.
        wanted: Candidates of an example that are shown: those that are tested where nothing is rejected.
        tries: Candidates that are looked at for each one wanted, at most.

    Raises:
        PluginError: A constraint raised.
    """
    for place, constraint in enumerate(constraints):
        if not constraint.foresees or constraint.contract.per_edit:
            continue
        held = [list(islice(pool, wanted * tries)) for pool in pools]
        asked = [one for pool in held for one in pool[:wanted] if one.example.text.strip() and not one.unchanged]
        asked = [one for one in asked if reject(one, constraints[:place]) is None]
        constraint.foresee(asked)
        pools = [iter(pool) for pool in held]
    return pools
