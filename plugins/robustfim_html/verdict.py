"""What the run found, in one sentence."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from robustfim.outcome import Outcome
from robustfim.record import Record
from robustfim.statistics import Rate
from robustfim_html.number import count, share

__all__ = ["ORDER", "Reach", "outcomes", "overall", "reaches", "sentence"]

ORDER = (
    Outcome.FAILED,
    Outcome.ERROR,
    Outcome.XPASSED,
    Outcome.INCONCLUSIVE,
    Outcome.XFAILED,
    Outcome.SKIPPED,
    Outcome.PASSED,
)
"""Outcomes, those to look at first."""

_BAD = {
    Outcome.FAILED: "failed",
    Outcome.ERROR: "ended in an error",
    Outcome.XPASSED: "passed though expected to fail",
}


@dataclass(frozen=True)
class Reach:
    """How many examples of an arm at least one check breaks.

    Attributes:
        arm: ``difficult``, ``control`` or ``all``.
        rate: Its examples with a failing pair in any check, among all that it has.
    """

    arm: str
    rate: Rate


def outcomes(record: Record) -> dict[Outcome, int]:
    """Count the checks by outcome, those to look at first; outcomes that no check has are left out."""
    counted = Counter(check.outcome for check in record.checks)
    return {outcome: counted[outcome] for outcome in ORDER if counted[outcome]}


def overall(record: Record) -> Outcome | None:
    """Return the outcome that sums up the run: the worst, but for skipped and expected ones beside passed ones."""
    counted = outcomes(record)
    for outcome in (Outcome.FAILED, Outcome.ERROR, Outcome.XPASSED, Outcome.INCONCLUSIVE, Outcome.PASSED):
        if outcome in counted:
            return outcome
    return next(iter(counted), None)


def reaches(record: Record) -> list[Reach]:
    """Count tested and failing examples by arm, over all checks; empty where no check tested anything."""
    if not any(check.tested for check in record.checks):
        return []
    members: dict[str, set[str]] = {}
    for example in record.examples:
        if example.arm is not None:
            members.setdefault(example.arm, set()).add(example.id)
    failing = {failure.example for failure in record.failures}
    return [
        Reach(arm, Rate(len(members[arm] & failing), len(members[arm])))
        for arm in ("difficult", "control", "all")
        if arm in members
    ]


def sentence(record: Record) -> str:
    """Say what the run found.

    Args:
        record: The run.

    Returns:
        One sentence: how many checks ended how, and on what share of the examples the model breaks.
    """
    counted = outcomes(record)
    head, failed = _head(counted, len(record.checks))
    broken = [reach for reach in reaches(record) if reach.rate.count]
    if not broken:
        return f"{head}."
    flips = all(failure.before.label != failure.after.label for failure in record.failures)
    verb = "the model changes its mind on" if flips else "the model misses an expectation on"
    shares = " and ".join(f"{share(reach.rate.rate or 0)} of {_noun(reach.arm)}" for reach in broken)
    return f"{head}{':' if failed else ';'} {verb} {shares}."


def _head(counted: dict[Outcome, int], checks: int) -> tuple[str, bool]:
    """Say how the checks ended, and whether any failed or broke."""
    if not checks:
        return "No check ran", False
    all_of = f"{count(checks)} checks" if checks > 1 else "1 check"
    bad = [(counted[outcome], words) for outcome, words in _BAD.items() if outcome in counted]
    open_ = counted.get(Outcome.INCONCLUSIVE, 0)
    if bad:
        (most, words), *rest = bad
        parts = [f"{count(most)} of {all_of} {words}", *(f"{count(number)} {how}" for number, how in rest)]
        return _listed(parts + ([f"{count(open_)} {_be(open_)} inconclusive"] if open_ else [])), True
    if open_:
        return f"No check failed, and {count(open_)} of {all_of} {_be(open_)} inconclusive", False
    passed = counted.get(Outcome.PASSED, 0)
    if passed == checks:
        return ("All " if checks > 1 else "The ") + (all_of if checks > 1 else "check") + " passed", False
    others = [f"{count(n)} {outcome}" for outcome, n in counted.items() if outcome is not Outcome.PASSED]
    return _listed([f"{count(passed)} of {all_of} passed", *others]), False


def _be(number: int) -> str:
    return "is" if number == 1 else "are"


def _noun(arm: str) -> str:
    return "the examples" if arm == "all" else f"{arm} examples"


def _listed(parts: list[str]) -> str:
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"
