"""The review on a terminal: a person accepts, rejects or edits rules one by one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from rich.console import Console

from robustfim.commands import print_line
from robustfim.errors import RobustfimError, UsageError
from robustfim_sears.mining.listing import print_rule_table
from robustfim_sears.mining.mined import Mined, MinedRule
from robustfim_sears.rule.rule import Rule

__all__ = ["Measure", "review"]

Measure = Callable[[Rule], MinedRule]
"""Measures a rule that a person has written, as mining measures the rules that it finds."""

_NAMED = 3
"""Near-copies of a rejected rule that are named."""

_ANSWERS = ("yes", "no", "edit", "back", "quit")
_HELP = "y accepts the rule, n rejects it, e edits it, b takes the last answer back, q ends the review"


@dataclass(frozen=True)
class _Answered:
    """The answers so far: indices of candidates, and the edited rule, which is asked about next."""

    mined: Mined
    accepted: tuple[int, ...] = ()
    refused: tuple[int, ...] = ()
    edited: int | None = None

    def next(self) -> int | None:
        """Return the rule that adds most to the accepted rules; None if no rule would flip a further text."""
        if self.edited is not None:
            return self.edited
        chosen = self.mined.reselected(self.accepted, self.refused).chosen
        return next((index for index in chosen if index not in self.accepted), None)

    def rejecting(self, index: int) -> tuple[_Answered, list[str]]:
        """Reject a rule and its near-copies, and return their texts: the rejected rule makes half of their changes."""
        candidates = self.mined.candidates
        seen = (index, *self.accepted, *self.refused)
        copies = [row for row, other in enumerate(candidates) if row not in seen and candidates[index].copies(other)]
        after = replace(self, refused=(*self.refused, index, *copies), edited=None)
        return after, [candidates[row].rule.text for row in copies]

    def editing(self, index: int, text: str, measure: Measure) -> _Answered:
        """Replace a rule by another one, which is asked about next."""
        rule = Rule.parse(text)
        known = [candidate.rule.text for candidate in self.mined.candidates]
        place = known.index(rule.text) if rule.text in known else len(known)
        if place in (index, *self.accepted, *self.refused):
            sentence = "the same rule" if place == index else "a rule that was answered before"
            raise UsageError(f"{rule.text!r} is {sentence}.")
        mined = self.mined
        if place == len(known):
            mined = replace(mined, candidates=(*mined.candidates, measure(rule)))
        return replace(self, mined=mined, refused=(*self.refused, index), edited=place)


def review(mined: Mined, console: Console, ask: Callable[[str], str], measure: Measure) -> Mined:
    """Show one rule at a time, and keep the rules that the reviewer accepts.

    The remaining rules are selected again after each answer. So a rule that an accepted rule makes redundant is not
    shown, and a rule that a rejected rule had hidden is shown (Ribeiro, Singh and Guestrin 2018).

    Args:
        mined: The result of mining.
        console: Where rules are shown.
        ask: Asks a question and returns the answer; EOFError and KeyboardInterrupt end the review, as ``q`` does.
        measure: Measures an edited rule.

    Returns:
        The result with the accepted rules selected, in the order in which they were accepted.
    """
    answers = [_Answered(mined)]
    while len(answers[-1].accepted) < mined.number:
        now = answers[-1]
        shown = now.next()
        if shown is None:
            print_line(console, "no rule is left that would add anything.")
            break
        console.print()
        print_rule_table(console, now.mined.candidates[shown], now.mined)
        try:
            answer = _answer(console, ask)
            if answer == "edit":
                answers.append(now.editing(shown, ask("rule: "), measure))
        except (EOFError, KeyboardInterrupt):
            console.print()
            break
        except RobustfimError as error:
            print_line(console, str(error))
            continue
        if answer == "quit":
            break
        if answer == "yes":
            answers.append(replace(now, accepted=(*now.accepted, shown), edited=None))
        if answer == "no":
            after, copies = now.rejecting(shown)
            answers.append(after)
            if copies:
                first = ", ".join(f"'{copy}'" for copy in copies[:_NAMED])
                more = f" and {len(copies) - _NAMED} more" if len(copies) > _NAMED else ""
                print_line(console, f"rejected with it, since they change mostly the same: {first}{more}")
        if answer == "back" and len(answers) == 1:
            print_line(console, "there is no answer to take back.")
        elif answer == "back":
            answers.pop()
    end = answers[-1]
    print_line(console, f"{len(end.accepted)} accepted, {len(end.refused)} rejected")
    return replace(end.mined, chosen=end.accepted)


def _answer(console: Console, ask: Callable[[str], str]) -> str:
    """Ask until the answer is one."""
    while True:
        given = ask("accept? [y/n/e/b/q] ").strip().lower()
        for answer in _ANSWERS:
            if given in (answer, answer[0]):
                return answer
        print_line(console, f"{given!r} is not an answer: {_HELP}.")
