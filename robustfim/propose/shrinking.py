"""Shrinking: the fewest edits of a failing text that still make it fail.

Delta debugging finds edits that are all needed (Zeller and Hildebrandt, 2002, "Simplifying and Isolating
Failure-Inducing Input", the algorithm ddmin). Then every smaller subset of the edits is tried, one size after another.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Sequence
from itertools import chain, combinations, pairwise
from math import comb

from robustfim.candidate import Candidate, Edit
from robustfim.roles import Answer, Searching

__all__ = ["Shrinking"]

_Edits = tuple[Edit, ...]
_Groups = tuple[_Edits, ...]
"""Edits in groups that stay together."""
_Asking = Generator[list[Candidate], Sequence[Answer | None], bool]


class Shrinking:
    """A search for the fewest edits with which a perturbed text still fails.

    Args:
        failing: The failing text (candidate), whose edits can be dropped separately.
        queries: The most texts to send to the model.
        accept: Returns whether the constraints accept a text; called once per text.
        mentions: Whether edits that make the same replacement, ignoring upper and lower case, are kept or dropped
            together.

    Attributes:
        asked: The number of texts sent to the model so far.
    """

    def __init__(
        self, failing: Candidate, queries: int, accept: Callable[[Candidate], bool], *, mentions: bool = False
    ) -> None:
        self._failing, self._queries, self._accept = failing, queries, accept
        groups: dict[object, _Edits] = {}
        for edit in failing.edits:
            group = (edit.before.casefold(), edit.after.casefold()) if mentions else edit
            groups[group] = (*groups.get(group, ()), edit)
        self._groups = self._fewest = (*groups.values(),)
        self.asked = 0
        self._seen: set[_Groups] = {self._groups}

    @property
    def edits(self) -> _Edits:
        """The smallest set of edits found so far that still fails."""
        return tuple(chain.from_iterable(self._fewest))

    def run(self) -> Searching:
        """Drop edits until no smaller subset of them still fails, or the number of allowed texts is used up."""
        parts = 2
        while len(self._fewest) > 1:
            pieces = _pieces(self._fewest, parts)
            if (yield from self._keep_failing(pieces)):
                parts = 2
            elif parts > 2 and (yield from self._keep_failing(_without(self._fewest, piece) for piece in pieces)):
                parts -= 1
            elif parts == len(self._fewest):
                break
            else:
                parts = min(2 * parts, len(self._fewest))
        for size in range(1, len(self._fewest)):
            if comb(len(self._groups), size) > self._queries - self.asked:
                return
            if (yield from self._keep_failing(combinations(self._groups, size))):
                return

    def _keep_failing(self, choices: Iterable[_Groups]) -> _Asking:
        """Ask about choices of edits, and keep the smallest that fails, of several the clearest; whether one does."""
        asked = {}
        for groups in choices:
            if self.asked < self._queries and groups not in self._seen:
                self._seen.add(groups)
                if self._accept(candidate := self._failing.with_edits(chain.from_iterable(groups))):
                    asked[groups] = candidate
                    self.asked += 1
        answers = (yield [*asked.values()]) if asked else ()
        failing = [
            (len(groups), -answer.value, groups)
            for groups, answer in zip(asked, answers, strict=True)
            if answer is not None and answer.failed
        ]
        if failing:
            self._fewest = min(failing)[2]
        return bool(failing)


def _pieces(groups: _Groups, parts: int) -> list[_Groups]:
    """Cut groups into pieces of about one size."""
    ends = [len(groups) * index // parts for index in range(parts + 1)]
    return [groups[start:end] for start, end in pairwise(ends)]


def _without(groups: _Groups, left: _Groups) -> _Groups:
    return tuple(group for group in groups if group not in left)
