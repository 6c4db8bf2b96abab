"""The state of a review: accepted and rejected rules, and the next rule to ask about."""

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
    """Records a person's answers about mined rules, and selects the remaining rules again after each answer.

    The next question is about the rule that adds most to the accepted rules. So a rule that an accepted rule makes
    redundant is not shown, and a rule that a rejected rule had hidden is shown (Ribeiro, Singh and Guestrin 2018).
    """

    def __init__(self, mined: Mined) -> None:
        self._states = [_State(mined)]

    @property
    def _now(self) -> _State:
        return self._states[-1]

    @property
    def mined(self) -> Mined:
        """Return the result of mining, with edited rules added."""
        return self._now.mined

    @property
    def accepted(self) -> tuple[int, ...]:
        """Return the indices of the rules that the reviewer has accepted, in the order of acceptance."""
        return self._now.accepted

    @property
    def refused(self) -> tuple[int, ...]:
        """Return the indices of the rejected rules and of their near-copies."""
        return self._now.refused

    @property
    def proposed(self) -> list[int]:
        """Return the indices of the rules to ask about, the next one first.

        The list is empty if enough rules are accepted, or if no remaining rule would change the label of a further
        text.
        """
        now = self._now
        if len(now.accepted) >= self.mined.number:
            return []
        left = [each for each in self.mined.reselected(now.accepted, now.refused).chosen if each not in now.accepted]
        return left if now.edited is None else [now.edited, *(each for each in left if each != now.edited)]

    @property
    def result(self) -> Mined:
        """Return the result of mining, with the accepted rules selected."""
        return replace(self.mined, chosen=self.accepted)

    def accept(self, index: int) -> None:
        """Accept a proposed rule."""
        now = self._asked(index)
        self._states.append(replace(now, accepted=(*now.accepted, index), edited=None))

    def reject(self, index: int) -> list[int]:
        """Reject a proposed rule and its near-copies.

        A near-copy is a rule at least half of whose changes the rejected rule makes, too.

        Returns:
            The indices of the near-copies.
        """
        now = self._asked(index)
        rule, seen = self.mined.candidates[index], (index, *now.accepted, *now.refused)
        copies = [
            row for row, candidate in enumerate(self.mined.candidates) if row not in seen and rule.copies(candidate)
        ]
        self._states.append(replace(now, refused=(*now.refused, index, *copies), edited=None))
        return copies

    def edit(self, index: int, text: str, measure: Measure) -> int:
        """Replace a proposed rule by another rule, which is asked about next.

        Args:
            index: The index of the rule to replace.
            text: The new rule.
            measure: Measures the new rule.

        Returns:
            The index of the new rule.

        Raises:
            UsageError: The text is not a rule, or is a rule that was accepted or rejected before.
        """
        now, rule = self._asked(index), Rule.parse(text)
        known = {candidate.rule.text: row for row, candidate in enumerate(self.mined.candidates)}
        place = known.get(rule.text, len(known))
        if place == index or place in (*now.accepted, *now.refused):
            sentence = "the same rule" if place == index else "a rule that was answered before"
            raise UsageError(f"{rule.text!r} is {sentence}.")
        mined = self.mined
        if place == len(known):
            mined = replace(mined, candidates=(*mined.candidates, measure(rule)))
        self._states.append(replace(now, mined=mined, refused=(*now.refused, index), edited=place))
        return place

    def take_back(self) -> bool:
        """Undo the last answer, and return whether there was one."""
        return len(self._states) > 1 and bool(self._states.pop())

    def _asked(self, index: int) -> _State:
        if index not in self.proposed:
            raise UsageError("this rule needs no answer: you answered it, or another answer made it unnecessary.")
        return self._now
