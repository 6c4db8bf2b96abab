"""A review under way: which rules were accepted and rejected, and which one is asked about next."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from robustfim.errors import UsageError
from robustfim_sears.mining.mined import Mined, MinedRule
from robustfim_sears.rule.rule import Rule

__all__ = ["Measure", "Reviewing"]

Measure = Callable[[Rule], MinedRule]
"""Says of a rule that a person has written what mining says of those that it has found."""


@dataclass(frozen=True)
class _State:
    mined: Mined
    accepted: tuple[int, ...] = ()
    refused: tuple[int, ...] = ()
    edited: int | None = None


class Reviewing:
    """Takes a person's answers about mined rules; the rest is selected again after each.

    The rule that is asked about adds most to those that were accepted before it, so that a rule which an accepted one
    makes needless is not shown, and one that a rejected rule has hidden is (Ribeiro, Singh and Guestrin 2018).
    """

    def __init__(self, mined: Mined) -> None:
        self._states = [_State(mined)]

    @property
    def _now(self) -> _State:
        return self._states[-1]

    @property
    def mined(self) -> Mined:
        """What was found, with the rules that were edited."""
        return self._now.mined

    @property
    def accepted(self) -> tuple[int, ...]:
        """Indices of the accepted rules among the candidates, in the order in which they were accepted."""
        return self._now.accepted

    @property
    def refused(self) -> tuple[int, ...]:
        """Indices of the rejected rules, with their near-copies."""
        return self._now.refused

    @property
    def proposed(self) -> list[int]:
        """Indices of the rules to ask about, the next one first; empty where none would add anything or be wanted."""
        now = self._now
        if len(now.accepted) >= self.mined.number:
            return []
        left = [each for each in self.mined.reselected(now.accepted, now.refused).chosen if each not in now.accepted]
        return left if now.edited is None else [now.edited, *(each for each in left if each != now.edited)]

    @property
    def result(self) -> Mined:
        """What was found, with the accepted rules selected."""
        return replace(self.mined, chosen=self.accepted)

    def accept(self, index: int) -> None:
        """Accept a rule that is proposed."""
        now = self._asked(index)
        self._states.append(replace(now, accepted=(*now.accepted, index), edited=None))

    def reject(self, index: int) -> list[int]:
        """Reject a rule that is proposed, and with it its near-copies: half of whose changes it makes, too.

        Returns:
            Indices of the copies.
        """
        now = self._asked(index)
        rule, seen = self.mined.candidates[index], (index, *now.accepted, *now.refused)
        copies = [row for row, each in enumerate(self.mined.candidates) if row not in seen and rule.copies(each)]
        self._states.append(replace(now, refused=(*now.refused, index, *copies), edited=None))
        return copies

    def edit(self, index: int, text: str, measure: Measure) -> int:
        """Put another rule in the place of one that is proposed; it is asked about next.

        Args:
            index: The rule that goes.
            text: The rule in its place.
            measure: Says what it does.

        Returns:
            The index of the new one.

        Raises:
            UsageError: The text is no rule, or one that was accepted or rejected before.
        """
        now, rule = self._asked(index), Rule.parse(text)
        known = {each.rule.text: row for row, each in enumerate(self.mined.candidates)}
        place = known.get(rule.text, len(known))
        if place == index or place in (*now.accepted, *now.refused):
            told = "the same rule" if place == index else "a rule that was answered before"
            raise UsageError(f"{rule.text!r} is {told}.")
        mined = self.mined
        if place == len(known):
            mined = replace(mined, candidates=(*mined.candidates, measure(rule)))
        self._states.append(replace(now, mined=mined, refused=(*now.refused, index), edited=place))
        return place

    def take_back(self) -> bool:
        """Take the last answer back, and tell whether there was one."""
        return len(self._states) > 1 and bool(self._states.pop())

    def _asked(self, index: int) -> _State:
        if index not in self.proposed:
            raise UsageError("this rule needs no answer: you answered it, or another answer made it unnecessary.")
        return self._now
