"""Allocation: how data that a score ranks are parted into strata, and how many examples are drawn from each."""

from __future__ import annotations

import math
from itertools import pairwise

__all__ = ["STRATA", "allocation"]

STRATA = 6
"""Each holds twice as many examples as the one before it, which are easier."""
_POWER = 2 / 3
"""Examples are drawn by this power of a stratum's size: close to the best (Neyman 1934) for scores from useless to
excellent, without a pilot, whose rates would decide how much they count and so bend the estimate."""


def allocation(number: int, wanted: int, hunt: int = 0) -> list[tuple[int, int]]:
    """Part ranked examples into strata, and say how many are drawn from each.

    The strata hold 1, 2, 4, 8, 16 and 32 of 63 parts of the data, the hardest first, and examples are drawn from them
    by the power ⅔ of their sizes, at least one from each. What a stratum does not hold is drawn from the others.
    What is hunted is a stratum before these, drawn whole.

    Args:
        number: Examples of the data, ≥ 1.
        wanted: Examples to draw, ≥ :data:`STRATA`, beside those that are hunted.
        hunt: The hardest examples, all of which are taken, ≥ 0.

    Returns:
        Size and draw of each stratum that holds anything, the hardest first; the draws sum to those wished
        for, or to all there are.
    """
    hunted = min(hunt, number)
    number -= hunted
    ends = [round(number * (2**place - 1) / (2**STRATA - 1)) for place in range(STRATA + 1)]
    sizes = [after - before for before, after in pairwise(ends) if after > before]
    drawn = [min(1, size) for size in sizes]
    while (left := min(number, wanted) - sum(drawn)) > 0:
        free = [place for place, size in enumerate(sizes) if drawn[place] < size]
        total = sum(sizes[place] ** _POWER for place in free)
        shares = {place: left * sizes[place] ** _POWER / total for place in free}
        whole = {place: min(sizes[place] - drawn[place], math.floor(share)) for place, share in shares.items()}
        if not any(whole.values()):  # the largest remainders
            for place in sorted(free, key=lambda each: (-shares[each], each))[:left]:
                drawn[place] += 1
            continue
        for place, more in whole.items():
            drawn[place] += more
    return [(hunted, hunted)] * bool(hunted) + list(zip(sizes, drawn, strict=True))
