"""Search: combining the edits of one example step by step, guided by the model's answers so far.

This is a beam search over sets of edits; with a beam of one it is greedy. The gain of an edit is how much nearer it
brings the text to a failure. The gain of a tried edit is measured. Other gains are estimated from the order's number,
scaled to the measured gains, and from the gains of other edits at the same place. In each round the model is asked
about the most promising extensions of every set in the beam, and about one leap: the best set with all of the best
edits at once. The search ends with a text that fails. If this text was a leap, subsets of its edits are tried by
bisection.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import inf
from typing import Annotated

from pydantic import Field

from robustfim.candidate import Candidate, Edit
from robustfim.roles import Opening, Searching

__all__ = ["Beam", "Greedy"]

ROUND = 8
"""The most texts of an example that are asked about together."""

_Place = tuple[str, int, int]
_Edits = tuple[Edit, ...]
_Queries = Annotated[int, Field(ge=1, le=100_000)]


class Beam:
    """A beam search for edits that make a model fail: keeps several texts of each number of edits.

    Args:
        queries: The largest number of texts sent to the model for each example.
        beam: The number of texts that are kept for each number of edits.
    """

    def __init__(self, queries: _Queries = 200, beam: Annotated[int, Field(ge=2, le=100)] = 4) -> None:
        self.queries, self._beam = queries, beam

    def search(self, opening: Opening, start: float, accept: Callable[[Candidate], bool], needed: int) -> Searching:
        """Search one example until enough texts fail, the queries are used up, or nothing is left to try."""
        return _Search(opening, start, accept, needed, self.queries, self._beam).run()


class Greedy(Beam):
    """A greedy search for edits that make a model fail: keeps the best text of each number of edits.

    Args:
        queries: The largest number of texts sent to the model for each example.
    """

    def __init__(self, queries: _Queries = 200) -> None:
        super().__init__(queries, 1)


@dataclass
class _Estimates:
    """The estimated gain of each edit, from the measurements so far."""

    edits: Sequence[Edit]
    effects: Sequence[float] | None
    measured: dict[Edit, float] = field(default_factory=dict)
    flat: bool = True
    """Whether no measured text changed the model's output, as for a model that returns labels only."""
    _ratio: tuple[float, float] = (0.0, 0.0)
    _places: dict[_Place, tuple[float, int]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._expected = dict(zip(self.edits, self.effects or [0.0] * len(self.edits), strict=True))

    def note(self, edit: Edit, gain: float) -> None:
        """Record the gain of adding an edit to a state."""
        if edit not in self.measured:
            expected, (over, under) = self._expected[edit], self._ratio
            self._ratio = over + expected * gain, under + expected * expected
            total, number = self._places.get(edit.place, (0.0, 0))
            self._places[edit.place] = total + gain, number + 1
        self.measured[edit] = gain
        self.flat = self.flat and not gain

    def of(self, edit: Edit) -> float:
        """Estimate the gain of an edit."""
        if self.flat:
            return self._expected[edit]
        if (found := self.measured.get(edit)) is not None:
            return found
        if self.effects is not None:
            over, under = self._ratio
            return self._expected[edit] * (max(0.0, over / under) if under else 1.0)
        total, number = self._places.get(edit.place, (0.0, 0))
        return total / (number + 1)

    @property
    def distinguish(self) -> bool:
        """Whether the estimates distinguish edits at all."""
        return self.effects is not None or not self.flat


class _Search:
    """A beam search for failing combinations of edits of one example; see :meth:`robustfim.roles.Search.search`."""

    def __init__(
        self,
        opening: Opening,
        start: float,
        accept: Callable[[Candidate], bool],
        needed: int,
        queries: int,
        beam: int,
    ) -> None:
        self._example, self._edits, self._words = opening.example, list(opening.edits), opening.words
        self._estimates = _Estimates(self._edits, opening.effects)
        self._rank = {edit: index for index, edit in enumerate(self._edits)}
        self._left, self._beam, self._accept = queries, beam, accept
        self._start, self._needed = start, needed
        self._seen: set[_Edits] = {()}

    def run(self) -> Searching:
        """Search until enough texts fail, the queries are used up, or nothing is left to try."""
        states: dict[_Edits, float] = {(): self._start}
        for depth in range(self._words):
            share = max(1, self._left // (self._words - depth))
            reached: dict[_Edits, float] = {}
            last = self._left - share
            while self._left and not self._settled(states, reached, last):
                asked = self._next(states)
                if not asked:
                    break
                answers = yield [Candidate(self._example, edits) for _, edits in asked]
                self._left -= len(asked)
                failing = []
                for (origin, edits), answer in zip(asked, answers, strict=True):
                    if answer is None:
                        continue
                    if answer.failed:
                        failing.append((origin, edits))
                        self._needed -= 1
                        if self._needed <= 0:
                            continue
                    if len(edits) == depth + 1:
                        reached[edits] = answer.value
                        (new,) = set(edits) - set(origin)
                        self._estimates.note(new, answer.value - states[origin])
                if self._needed <= 0:
                    yield from self._shrink(*min(failing, key=lambda pair: len(pair[1])))
                    return
            best = sorted(reached.items(), key=lambda pair: -pair[1])[: self._beam]
            if not best:
                return
            states = dict(best)

    def _settled(self, states: dict[_Edits, float], reached: dict[_Edits, float], last: int) -> bool:
        """Whether the next states are known: the share is used up, and something came nearer."""
        if self._left > last:
            return False
        return self._estimates.flat or max(reached.values(), default=-inf) > max(states.values())

    def _next(self, states: dict[_Edits, float]) -> list[tuple[_Edits, _Edits]]:
        """The texts of a round: a leap, and the extensions of the highest estimates, each with its state."""
        most = min(ROUND, self._left)
        pairs = []
        best = next(iter(states))
        if self._estimates.distinguish and (leap := self._leap(best)) is not None:
            pairs.append((best, leap))
        ranked = sorted(
            (-value - self._estimates.of(edit), self._rank[edit], index, edit)
            for index, (state, value) in enumerate(states.items())
            for edit in self._edits
            if not any(edit.overlaps(other) for other in state)
        )
        keys = list(states)
        for _, _, index, edit in ranked:
            if len(pairs) >= most:
                break
            extended = tuple(sorted((*keys[index], edit)))
            if self._open(extended):
                pairs.append((keys[index], extended))
        return pairs

    def _leap(self, state: _Edits) -> _Edits | None:
        """The state with the best edits at other places, those that should bring it nearer."""
        chosen = list(state)
        for edit in sorted(self._edits, key=lambda each: (-self._estimates.of(each), self._rank[each])):
            if len(chosen) == self._words or self._estimates.of(edit) <= 0:
                break
            if not any(edit.overlaps(other) for other in chosen):
                chosen.append(edit)
        found = tuple(sorted(chosen))
        return found if len(found) > len(state) + 1 and self._open(found) else None

    def _open(self, edits: _Edits) -> bool:
        """Whether a set of edits was not looked at before, and is accepted."""
        if edits in self._seen:
            return False
        self._seen.add(edits)
        return self._accept(Candidate(self._example, edits))

    def _shrink(self, state: _Edits, failing: _Edits) -> Searching:
        """Look for fewer edits of a leap that fail, too."""
        more = sorted(set(failing) - set(state), key=lambda edit: (-self._estimates.of(edit), self._rank[edit]))
        low, high = 0, len(more)
        while high - low > 1 and self._left:
            middle = (low + high) // 2
            edits = tuple(sorted((*state, *more[:middle])))
            if not self._open(edits):
                low = middle
                continue
            (answer,) = yield [Candidate(self._example, edits)]
            self._left -= 1
            low, high = (low, middle) if answer is not None and answer.failed else (middle, high)
