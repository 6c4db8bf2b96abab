"""Allocation: the division of data into strata by their score, and the number of examples drawn from each stratum."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

__all__ = ["LOOK", "STRATA", "allocation", "next_block"]

STRATA = 6
"""The number of strata; each holds twice as many examples as the stratum before it, and easier ones."""
LOOK = 32
"""Examples between two looks at the evidence."""
_SPENT = 3 / 4
"""The fraction of a hard stratum that may be used to show a failure; the rest is kept to show that there is none."""
_POWER = 2 / 3
"""Draws are proportional to this power of a stratum's size. It is close to optimal (Neyman 1934) for scores from
useless to excellent. A pilot is not needed, whose rates would influence the weights and so bias the estimate."""


def allocation(number: int, wanted: int) -> list[tuple[int, int]]:
    """Divide examples, ranked by difficulty, into strata, and compute how many to draw from each.

    The six strata hold 1/63, 2/63, 4/63, 8/63, 16/63 and 32/63 of the data, the hardest examples first. The draws are
    proportional to the sizes to the power ⅔, at least one from each stratum. If a stratum is too small, the missing
    examples come from the other strata.

    Args:
        number: Examples of the data, ≥ 1.
        wanted: Examples to draw, ≥ :data:`STRATA`.

    Returns:
        Size and draw of each nonempty stratum, the hardest first. The draws sum to ``wanted``, or to ``number`` if it
        is smaller.
    """
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
        for place, more in whole.items():
            drawn[place] += more
    return list(zip(sizes, drawn, strict=True))


def next_block(drawn: Sequence[int], taken: Sequence[int], most: int, *, hunts: bool = False) -> list[int]:
    """Compute how many examples a check that may stop early draws next from each stratum (part of the data).

    Usually the numbers are proportional to the remaining examples of each stratum, at least one each. With ``hunts``,
    half of the block comes in equal numbers from all strata except the easiest, as long as a quarter of each is left.

    Args:
        drawn: Examples drawn from each stratum of the data, the hardest first.
        taken: Drawn examples that the check has taken.
        most: Examples that the budget still allows, ≥ 1.
        hunts: Whether a failure is to be shown by the hardest strata.

    Returns:
        The number for each stratum; zeros if nothing is left, or ``most`` does not allow one of each.
    """
    left = [number - gone for number, gone in zip(drawn, taken, strict=True)]
    most = min(most, sum(left))
    if hunts and len(left) > 1:
        each, more = divmod(min(most, LOOK // 2), len(left) - 1)
        hard = [each + (place >= len(left) - 1 - more) for place in range(len(left) - 1)]
        spare = (gone + part <= _SPENT * number for gone, part, number in zip(taken, hard, drawn, strict=False))
        if all(spare):
            return [*hard, 0]
    least = min((number for number in left if number), default=1)
    if most < sum(number > 0 for number in left):
        return [0] * len(left)
    wanted = math.ceil(most / max(1, min(most // LOOK, least)))
    ideal = [wanted * number / max(1, sum(left)) for number in left]
    block = [min(number, max(1, math.floor(share))) for number, share in zip(left, ideal, strict=True)]
    while sum(block) < wanted:  # the largest remainders
        block[max(range(len(left)), key=lambda place: ideal[place] - block[place])] += 1
    while sum(block) > most:  # one of each is more than their part
        block[max(range(len(left)), key=lambda place: block[place])] -= 1
    return block
