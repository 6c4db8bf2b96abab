"""Selection: choose few rules that together flip many texts, by greedy search."""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Mapping, Sequence

__all__ = ["Cover", "gain", "select"]

Cover = Mapping[int, float]
"""S(x, r(x)) of each text x that a rule r turns into an adversary: the index of the text to a number in (0, 1]."""


def gain(cover: Cover, best: Cover) -> float:
    """Return how much a rule adds to the joint value of the rules chosen before.

    Each text that a rule flips adds its best score to the joint value (Ribeiro et al. 2018).

    Args:
        cover: The score of each text that the rule flips.
        best: The best score of each text under the chosen rules.
    """
    return sum(max(0.0, score - best.get(text, 0.0)) for text, score in cover.items())


def select(
    covers: Sequence[Cover], number: int, *, chosen: Sequence[int] = (), refused: Iterable[int] = ()
) -> list[int]:
    """Choose the rules that together flip most texts with high scores, by lazy greedy search.

    The value is monotone and submodular, so greedy search reaches at least 1 − 1/e of the best value (Nemhauser et al.
    1978). The gain of a rule can only fall while other rules are chosen. So the rule at the top of the heap is taken if
    its gain, computed again, is still the largest (Minoux 1978). Equal gains go to the earlier rule.

    Args:
        covers: For each rule, the score of each text that it flips.
        number: The largest number of rules to choose, including those of ``chosen``.
        chosen: Rules that are already chosen.
        refused: Rules that must not be chosen.

    Returns:
        Indices in the order of choice, ``chosen`` first. Rules with a gain of 0 are not chosen.
    """
    found = [*chosen]
    best = _best(covers[each] for each in found)
    out = {*found, *refused}
    # The gain at the time when `seen` rules were chosen; it is exact while no other has been chosen since.
    heap = [(-gain(cover, best), index, len(found)) for index, cover in enumerate(covers) if index not in out]
    heapq.heapify(heap)
    while heap and len(found) < number:
        bound, index, seen = heapq.heappop(heap)
        if not bound:
            break
        if seen < len(found):
            heapq.heappush(heap, (-gain(covers[index], best), index, len(found)))
            continue
        found.append(index)
        best = _best((best, covers[index]))
    return found


def _best(covers: Iterable[Cover]) -> dict[int, float]:
    best: dict[int, float] = {}
    for cover in covers:
        for text, score in cover.items():
            best[text] = max(score, best.get(text, 0.0))
    return best
