"""Near duplicates: pairs of texts that share most of their word trigrams, all of them and no other."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from robustfim_cues.choices.tokens import words

__all__ = ["Duplicate", "clusters", "jaccard", "near_duplicates", "shingles"]


@dataclass(frozen=True)
class Duplicate:
    """Two texts that are nearly the same.

    Attributes:
        first: The place of one text.
        second: The place of the other, > ``first``.
        jaccard: What both hold of what either holds, in (0, 1].
    """

    first: int
    second: int
    jaccard: float


def shingles(text: str) -> frozenset[str]:
    """List the word trigrams of a text; of fewer than three words, all of them in one.

    Args:
        text: Any text; case and punctuation do not count.
    """
    found = words(text)
    return frozenset(" ".join(found[start : start + 3]) for start in range(max(1, len(found) - 2)) if found)


def jaccard(first: frozenset[str], second: frozenset[str]) -> float:
    """|A ∩ B| / |A ∪ B|, in [0, 1]; 0 of two empty sets."""
    both = len(first & second)
    return both / (len(first) + len(second) - both) if both else 0.0


def near_duplicates(texts: Sequence[str], alike: float = 0.7) -> list[Duplicate]:
    """Find all pairs of texts that are at least so much alike.

    Two sets with J ≥ t share ⌈t |A|⌉ members of the larger one or more. With members in one order, the rarest first,
    they therefore share one of the first |A| − ⌈t |A|⌉ + 1 of each, and the smaller has at least t times the size of
    the larger (Bayardo, Ma and Srikant 2007). What shares one is counted exactly, so that none is missed, as a hash
    such as MinHash would miss some, and none is wrong.

    Args:
        texts: The texts.
        alike: t, the least Jaccard similarity of word trigrams, in (0, 1].
    """
    sets = [shingles(text) for text in texts]
    often = Counter(each for one in sets for each in one)
    standing: dict[str, list[int]] = {}
    found = []
    for place in sorted(range(len(sets)), key=lambda each: len(sets[each])):
        own = sets[place]
        rarest = sorted(own, key=lambda each: (often[each], each))
        near: set[int] = set()
        for each in rarest[: len(own) - math.ceil(alike * len(own) - 1e-9) + 1]:
            near.update(other for other in standing.get(each, ()) if len(sets[other]) >= alike * len(own) - 1e-9)
            standing.setdefault(each, []).append(place)
        for other in near:
            if (share := jaccard(own, sets[other])) >= alike:
                found.append(Duplicate(min(place, other), max(place, other), share))
    return sorted(found, key=lambda each: (each.first, each.second))


def clusters(number: int, pairs: Sequence[Duplicate]) -> list[int]:
    """Number the texts by what they are linked to, directly or through others.

    Returns:
        For each text the number of its cluster, ``[texts]``; a text without near duplicates has its own.
    """
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    ends = [each.first for each in pairs], [each.second for each in pairs]
    _, found = connected_components(coo_array(([1] * len(pairs), ends), shape=(number, number)), directed=False)
    return [int(each) for each in found]
