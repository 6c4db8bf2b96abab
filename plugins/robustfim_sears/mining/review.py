"""The review on a terminal: a person accepts, rejects or edits rules one by one."""

from __future__ import annotations

from collections.abc import Callable

from rich.console import Console

from robustfim.commands import print_line
from robustfim.errors import RobustfimError
from robustfim_sears.mining.listing import print_rule_table
from robustfim_sears.mining.mined import Mined
from robustfim_sears.mining.reviewing import Measure, Reviewing

__all__ = ["review"]

_NAMED = 3
"""Near-copies of a rejected rule that are named."""

_ANSWERS = {
    "y": "y", "yes": "y", "n": "n", "no": "n", "e": "e", "edit": "e", "b": "b", "back": "b", "q": "q", "quit": "q",
}  # fmt: skip
_HELP = "y accepts the rule, n rejects it, e edits it, b takes the last answer back, q ends the review"


def review(mined: Mined, console: Console, ask: Callable[[str], str], measure: Measure) -> Mined:
    """Show one rule at a time, and keep the rules that the reviewer accepts.

    Args:
        mined: The result of mining.
        console: Where rules are shown.
        ask: Asks a question and returns the answer; EOFError and KeyboardInterrupt end the review, as ``q`` does.
        measure: Measures an edited rule.

    Returns:
        The result with the accepted rules selected, in the order in which they were accepted.
    """
    going = Reviewing(mined)
    while len(going.accepted) < mined.number:
        if not (left := going.proposed):
            print_line(console, "no rule is left that would add anything.")
            break
        console.print()
        print_rule_table(console, going.mined.candidates[left[0]], going.mined)
        if not _answered(going, left[0], console, ask, measure):
            break
    print_line(console, f"{len(going.accepted)} accepted, {len(going.refused)} rejected")
    return going.result


def _answered(going: Reviewing, shown: int, console: Console, ask: Callable[[str], str], measure: Measure) -> bool:
    """Take one answer, and tell whether the review goes on."""
    try:
        answer = _answer(console, ask)
        if answer == "e":
            going.edit(shown, ask("rule: "), measure)
    except (EOFError, KeyboardInterrupt):
        console.print()
        return False
    except RobustfimError as error:
        print_line(console, str(error))
    if answer == "y":
        going.accept(shown)
    if answer == "b" and not going.take_back():
        print_line(console, "there is no answer to take back.")
    if answer == "n" and (copies := going.reject(shown)):
        first = ", ".join(f"'{mined.rule.text}'" for mined in map(going.mined.candidates.__getitem__, copies[:_NAMED]))
        more = f" and {len(copies) - _NAMED} more" if len(copies) > _NAMED else ""
        print_line(console, f"rejected with it, since they change mostly the same: {first}{more}")
    return answer != "q"


def _answer(console: Console, ask: Callable[[str], str]) -> str:
    """Ask until the answer is one."""
    while True:
        given = ask("accept? [y/n/e/b/q] ").strip().lower()
        if given in _ANSWERS:
            return _ANSWERS[given]
        print_line(console, f"{given!r} is not an answer: {_HELP}.")
