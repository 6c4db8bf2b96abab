"""Search: combining the edits of one example step by step, guided by the model's answers so far.

This is a beam search over sets of edits; with a beam of one it is greedy. The gain of an edit is how much nearer it
brings the text to a failure. The gain of a tried edit is measured. Other gains are estimated from the order's number,
scaled to the measured gains, and from the gains of other edits at the same place. In each round the model is asked
about the most promising extensions of every set in the beam, and about one leap: the best set with all of the best
edits at once. The search ends with a text that fails. If this text was a leap, subsets of its edits are tried by
bisection.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from math import atanh, inf

from robustfim.candidate import Candidate, Edit
from robustfim.example import Example
from robustfim.judgement import Judgement

__all__ = ["Answer", "Opening", "Search", "Searching", "in_step", "nearness"]

ROUND = 8
"""The most texts of an example that are asked about together."""

_SURE = 1 - 1e-12
"""The largest margin; with a larger one, the nearness would not be finite."""

_Place = tuple[str, int, int]
_Edits = tuple[Edit, ...]


def nearness(judgement: Judgement) -> float:
    """Return how near a judged text is to a failure, on a scale on which the effects of edits about add up.

    Returns:
        A number, larger nearer to a failure: artanh of the judgement's margin. For two classes this is half the
        log-odds of the other label.
    """
    return atanh(max(-_SURE, min(_SURE, judgement.margin)))


@dataclass(frozen=True)
class Opening:
    """The start of the search of one example.

    Attributes:
        example: The source.
        edits: The possible single edits, in the order in which to try them.
        words: The largest number of edits of a candidate.
        effects: The estimated effect of each edit, larger for edits to try first; None for a random order.
    """

    example: Example
    edits: Sequence[Edit]
    words: int
    effects: Sequence[float] | None = None

    def by_effect(self) -> Opening:
        """Return the opening with the edits in the order of their effects."""
        effects = self.effects or ()
        ranked = sorted(range(len(self.edits)), key=lambda index: (-effects[index], index))
        return replace(self, edits=[self.edits[i] for i in ranked], effects=[effects[i] for i in ranked])


@dataclass(frozen=True, slots=True)
class Answer:
    """The result of testing a text: how near the text is to a failure, and whether it fails."""

    value: float
    failed: bool


Searching = Generator[list[Candidate], Sequence[Answer | None], None]
"""Yields the texts to ask about next, and is sent their answers; None for a text without an answer."""


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
    def told(self) -> bool:
        """Whether the estimates distinguish edits at all."""
        return self.effects is not None or not self.flat


class Search:
    """A search for failing combinations of edits of one example.

    Args:
        opening: The start of the search.
        start: The nearness of the example itself.
        queries: The most texts to ask about.
        beam: The number of states kept for each number of edits.
        accept: Returns whether the constraints accept a candidate; called once per candidate.
        needed: The number of texts that must fail, ≥ 1, before the example fails.
    """

    def __init__(
        self,
        opening: Opening,
        start: float,
        *,
        queries: int,
        beam: int,
        accept: Callable[[Candidate], bool],
        needed: int = 1,
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
                    yield from self._shrink(*min(failing, key=lambda each: len(each[1])))
                    return
            best = sorted(reached.items(), key=lambda each: -each[1])[: self._beam]
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
        if self._estimates.told and (leap := self._leap(best)) is not None:
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
        more = sorted(set(failing) - set(state), key=lambda each: (-self._estimates.of(each), self._rank[each]))
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


def in_step(
    searches: Sequence[Searching], ask: Callable[[list[tuple[int, Candidate]]], Sequence[Answer | None]]
) -> None:
    """Run several searches round by round, so that the model gets the texts of all searches in one batch.

    Args:
        searches: The searches.
        ask: Tests candidates, given as pairs of the search's index and the candidate; returns the results in the same
            order.
    """
    waiting = {index: batch for index, each in enumerate(searches) if (batch := next(each, None))}
    while waiting:
        answers = iter(ask([(index, candidate) for index, batch in waiting.items() for candidate in batch]))
        following = {}
        for index, batch in waiting.items():
            with suppress(StopIteration):
                following[index] = searches[index].send([next(answers) for _ in batch])
        waiting = following
