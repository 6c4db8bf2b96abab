"""The review: a person accepts or rejects rules one by one, and the rest is selected again after each answer."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from rich.console import Console

from robustfim.commands import print_line
from robustfim_sears.mining.listing import print_rule_table
from robustfim_sears.mining.mined import Mined

__all__ = ["review"]

_NAMED = 3
"""Near-copies of a rejected rule that are named."""

_YES, _NO, _QUIT = ("y", "yes"), ("n", "no"), ("q", "quit")


def review(mined: Mined, console: Console, ask: Callable[[], str]) -> Mined:
    """Show one rule at a time, and keep the accepted ones.

    The rule that is shown adds most to those that were accepted before it, so that a rule which an accepted one makes
    needless is not shown, and one that a rejected rule has hidden is (Ribeiro, Singh and Guestrin 2018). A rejected
    rule takes its near-copies with it: those of whose changes at least half are changes that it makes, too.

    Args:
        mined: What was found.
        console: Where rules are shown.
        ask: Asks and returns the answer; EOFError and KeyboardInterrupt end the review, as ``q`` does.

    Returns:
        The same with the accepted rules selected, in the order in which they were accepted.
    """
    accepted: list[int] = []
    refused: list[int] = []
    while len(accepted) < mined.number:
        left = [index for index in mined.reselected(accepted, refused).chosen if index not in accepted]
        if not left:
            print_line(console, "no rule is left that would add anything.")
            break
        console.print()
        shown = left[0]
        print_rule_table(console, mined.candidates[shown])
        answer = _answer(console, ask)
        if answer in _QUIT:
            break
        if answer in _YES:
            accepted.append(shown)
            continue
        copies = [
            index
            for index, each in enumerate(mined.candidates)
            if index not in (shown, *accepted, *refused) and mined.candidates[shown].copies(each)
        ]
        refused += [shown, *copies]
        if copies:
            first = ", ".join(f"'{mined.candidates[each].rule.text}'" for each in copies[:_NAMED])
            more = f" and {len(copies) - _NAMED} more" if len(copies) > _NAMED else ""
            print_line(console, f"rejected with it, since they change mostly the same: {first}{more}")
    print_line(console, f"{len(accepted)} accepted, {len(refused)} rejected")
    return replace(mined, chosen=tuple(accepted))


def _answer(console: Console, ask: Callable[[], str]) -> str:
    """Ask until the answer is one."""
    while True:
        try:
            answer = ask().strip().lower()
        except (EOFError, KeyboardInterrupt):
            console.print()
            return _QUIT[0]
        if answer in (*_YES, *_NO, *_QUIT):
            return answer
        print_line(console, f"{answer!r} is no answer: y accepts the rule, n rejects it, q ends the review.")
