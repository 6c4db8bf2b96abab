"""The edit-based score: how reliable the rewrites between two texts are, and how much they change."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from heapq import heappop, heappush

from robustfim.contract import ParaphraserContract
from robustfim.words import shared_ends
from robustfim_sears.paraphrase.rewrite import Rewrite, apply
from robustfim_sears.paraphrase.surface import compared

__all__ = ["UNKNOWN", "EditScore"]

UNKNOWN = 0.2
"""The weight of a word or mark that is put in, left out or exchanged by none of the known rewrites."""

_LEAST = 0.009
"""A way that is less sure than this is none: S is 0."""

_Words = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Step:
    """What a rewrite does to the words of a text: ``words[first:last]`` become ``after``."""

    first: int
    last: int
    after: _Words
    weight: float

    @property
    def changed(self) -> int:
        return max(self.last - self.first, len(self.after))


class EditScore:
    """Scores whether two texts mean the same, by the rewrites that a paraphraser knows.

    S(x, x′) = ∏ wᵢ · (1 − d/2). wᵢ are the weights of the rewrites that lead from x to x′; of several ways the one with
    the largest product counts. d is the fraction of words and marks of the longer text that change. A word that no
    known rewrite explains costs :data:`UNKNOWN`. Letter case, white space and "a" or "an" do not count: S is 1 if
    nothing else changes. S is 0 if hardly anything stays.

    Args:
        rewrites: Lists the known rewrites of a text.

    Attributes:
        contract: The name and the threshold of the score. One or two reliable rewrites score above the threshold, an
            unknown rewrite below.
    """

    contract = ParaphraserContract(score="edit", tau=0.6)

    def __init__(self, rewrites: Callable[[str], Sequence[Rewrite]]) -> None:
        self._rewrites = rewrites
        self._steps = lru_cache(maxsize=4096)(self._list_steps)

    def score(self, texts: Sequence[str], candidates: Sequence[str]) -> list[float]:
        """Return the score of each pair of a text and a candidate."""
        return [self._score(text, candidate) for text, candidate in zip(texts, candidates, strict=True)]

    def _score(self, text: str, candidate: str) -> float:
        before, after = compared(text), compared(candidate)
        first, last, words = _difference(before, after)
        if first == last and not words:
            return 1.0
        weight, changed = _surest(before[first:last], words, self._steps(text), first)
        return weight * (1 - changed / max(len(before), len(after)) / 2)

    def _list_steps(self, text: str) -> tuple[_Step, ...]:
        before = compared(text)
        found: dict[tuple[int, int, _Words], float] = {}
        for rewrite in self._rewrites(text):
            step = _difference(before, compared(apply(text, (rewrite,))))
            found[step] = max(found.get(step, 0.0), rewrite.weight)
        return tuple(_Step(*step, weight) for step, weight in found.items() if step[0] < step[1] or step[2])


def _difference(before: _Words, after: _Words) -> tuple[int, int, _Words]:
    """Cut what two texts share at the beginning, then at the end: ``before[first:last]`` became what is left."""
    first, tail = shared_ends(before, after)
    return first, len(before) - tail, after[first : len(after) - tail]


def _surest(before: _Words, after: _Words, steps: Sequence[_Step], offset: int) -> tuple[float, int]:
    """Find the way from one run of words to another with the largest product of weights, then the fewest changes.

    The shortest path of an edit distance whose operations are the known rewrites, and single words at the weight of
    the unknown; the way is given up below the least weight.
    """
    starting: dict[int, list[_Step]] = {}
    for step in steps:
        if step.first >= offset and step.last <= offset + len(before):
            starting.setdefault(step.first - offset, []).append(step)
    queue = [(-1.0, 0, 0, 0)]
    done: set[tuple[int, int]] = set()
    while queue:
        negative, changed, i, j = heappop(queue)
        if -negative < _LEAST:
            break
        if (i, j) in done:
            continue
        if i == len(before) and j == len(after):
            return -negative, changed
        done.add((i, j))
        more_before, more_after = i < len(before), j < len(after)
        ways = [
            (negative * step.weight, changed + step.changed, i + step.last - step.first, j + len(step.after))
            for step in starting.get(i, ())
            if after[j : j + len(step.after)] == step.after
        ]
        if more_before and more_after and before[i] == after[j]:
            ways.append((negative, changed, i + 1, j + 1))
        if -negative * UNKNOWN >= _LEAST:
            unknown = negative * UNKNOWN, changed + 1
            ways += [(*unknown, i + 1, j + 1)] * (more_before and more_after)
            ways += [(*unknown, i + 1, j)] * more_before + [(*unknown, i, j + 1)] * more_after
        for way in ways:
            heappush(queue, way)
    return 0.0, 0
