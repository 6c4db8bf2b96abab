"""Shrinking: the fewest edits of a failing text that still make it fail.

Delta debugging finds edits that are all needed (Zeller and Hildebrandt, 2002, "Simplifying and Isolating
Failure-Inducing Input", the algorithm ddmin). Then every smaller subset of the edits is tried, one size after another.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Sequence
from itertools import combinations, pairwise
from math import comb

from robustfim.candidate import Candidate, Edit
from robustfim.propose.search import Answer, Searching

__all__ = ["Shrinking"]

_Edits = tuple[Edit, ...]
_Asking = Generator[list[Candidate], Sequence[Answer | None], bool]


class Shrinking:
    """Shrinks one failing candidate.

    Args:
        failing: The candidate; its edits are independent of each other.
        queries: The most texts to ask about.
        accept: Returns whether the constraints accept a candidate; called once per candidate.

    Attributes:
        edits: The fewest failing edits found so far. No smaller subset of the candidate's edits fails, unless the
            queries ran out.
        asked: Texts asked about so far.
    """

    def __init__(self, failing: Candidate, queries: int, accept: Callable[[Candidate], bool]) -> None:
        self._failing, self._queries, self._accept = failing, queries, accept
        self.edits: _Edits = failing.edits
        self.asked = 0
        self._seen: set[_Edits] = {failing.edits}

    def run(self) -> Searching:
        """Shrink until done, or until the queries run out."""
        parts = 2
        while len(self.edits) > 1:
            pieces = _pieces(self.edits, parts)
            if (yield from self._keep_failing(pieces)):
                parts = 2
            elif parts > 2 and (yield from self._keep_failing(_without(self.edits, each) for each in pieces)):
                parts -= 1
            elif parts == len(self.edits):
                break
            else:
                parts = min(2 * parts, len(self.edits))
        for size in range(1, len(self.edits)):
            if comb(len(self._failing.edits), size) > self._queries - self.asked:
                return
            if (yield from self._keep_failing(combinations(self._failing.edits, size))):
                return

    def _keep_failing(self, choices: Iterable[_Edits]) -> _Asking:
        """Ask about choices of edits, and keep the smallest that fails, of several the clearest; whether one does."""
        asked = []
        for edits in choices:
            if self.asked < self._queries and edits not in self._seen:
                self._seen.add(edits)
                if self._accept(candidate := self._failing.with_edits(edits)):
                    asked.append(candidate)
                    self.asked += 1
        answers = (yield asked) if asked else ()
        failing = [
            (len(each.edits), -answer.value, each.edits)
            for each, answer in zip(asked, answers, strict=True)
            if answer is not None and answer.failed
        ]
        if failing:
            self.edits = min(failing)[2]
        return bool(failing)


def _pieces(edits: _Edits, parts: int) -> list[_Edits]:
    """Cut edits into pieces of about one size."""
    ends = [len(edits) * index // parts for index in range(parts + 1)]
    return [edits[start:end] for start, end in pairwise(ends)]


def _without(edits: _Edits, left: _Edits) -> _Edits:
    return tuple(each for each in edits if each not in left)
