"""What the run found, in one sentence."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from robustfim.judge import reaches
from robustfim.outcome import Outcome
from robustfim.record import ReachRecord, Record
from robustfim_html.number import count, share

__all__ = ["CORRECTIONS", "ORDER", "Answer", "answers", "outcomes", "overall", "sentence", "unseen"]

ORDER = (
    Outcome.FAILED,
    Outcome.ERROR,
    Outcome.XPASSED,
    Outcome.INCONCLUSIVE,
    Outcome.XFAILED,
    Outcome.MEASURED,
    Outcome.SKIPPED,
    Outcome.PASSED,
)
"""Outcomes, those to look at first."""

CORRECTIONS = {"holm": "Holm’s", "fdr": "Benjamini and Hochberg’s", "fdr_by": "Benjamini and Yekutieli’s"}
"""Whose correction for many checks a record's ``correct`` names."""

_BAD = {
    Outcome.FAILED: "failed",
    Outcome.ERROR: "ended in an error",
    Outcome.XPASSED: "passed though expected to fail",
}


def outcomes(record: Record) -> dict[Outcome, int]:
    """Count the checks by outcome, those to look at first; outcomes that no check has are left out."""
    counted = Counter(check.outcome for check in record.checks)
    return {outcome: counted[outcome] for outcome in ORDER if counted[outcome]}


def unseen(record: Record) -> int:
    """Count the checks that passed on a change that the model does not see."""
    return sum(check.unseen for check in record.checks if check.outcome is Outcome.PASSED)


def overall(record: Record) -> Outcome | None:
    """Return the outcome that sums up the run: the worst, but for skipped and expected ones beside passed ones.

    Args:
        record: The run.

    Returns:
        None without checks, and for a scan, whose checks passed no limit that anybody set.
    """
    if _scanned(record):
        return None
    counted = outcomes(record)
    for outcome in (Outcome.FAILED, Outcome.ERROR, Outcome.XPASSED, Outcome.INCONCLUSIVE, Outcome.PASSED):
        if outcome in counted:
            return outcome
    return next(iter(counted), None)


@dataclass(frozen=True)
class Answer:
    """What a comparison with a baseline says, which is the question that was asked."""

    icon: str
    sentence: str


def answers(record: Record) -> list[Answer]:
    """Say for each baseline whether the run may replace it.

    Args:
        record: The run.

    Returns:
        The sentences; passed is what was proved, inconclusive what was not.
    """
    found = []
    for each in record.comparisons:
        named = f"{each.name}: " if len(record.comparisons) > 1 else ""
        answer = f"{named}{each.answer[:1].upper()}{each.answer[1:]}."
        found.append(Answer("failed" if each.failed else "passed" if each.proven else "inconclusive", answer))
    return found


def sentence(record: Record) -> str:
    """Say what the run found.

    Args:
        record: The run.

    Returns:
        One sentence: how many checks ended how, and on what share of the examples the model breaks; the latter alone
        for a scan, whose checks have no limits of anybody's.
    """
    counted = outcomes(record)
    head, failed = _head(counted, len(record.checks))
    found = record.reach or reaches(record)
    parts = [_by_text(record, found), *_apart(found), _unseen(unseen(record))]
    told = "; ".join(part for part in parts if part)
    if told and _scanned(record):
        return f"{told[:1].upper()}{told[1:]}."
    return f"{head}{':' if failed else ';'} {told}." if told else f"{head}."


def _scanned(record: Record) -> bool:
    """Whether it is a look at a model, told by the section that opens its page."""
    return any(each.name == "digest" for each in record.sections)


def _by_text(record: Record, found: Sequence[ReachRecord]) -> str:
    """Say on what share of the tested examples a changed text breaks the model."""
    broken = [reach for reach in found if reach.rate.count]
    if not broken:
        return ""
    yardsticks = {check.id for check in record.checks if check.yardstick}
    texts = [failure for failure in record.failures if failure.step is None and failure.check not in yardsticks]
    flips = all(failure.before.label != failure.after.label for failure in texts)
    verb = "the model changes its mind on" if flips else "the model misses an expectation on"
    shares = " and ".join(f"{share(reach.rate.rate or 0)} of {_noun(reach.arm)}" for reach in broken)
    return f"{verb} {shares}"


def _apart(found: Sequence[ReachRecord]) -> list[str]:
    """Say what nobody can act on: steps in embedding space, and examples that were wrong before."""
    steps, wrong = sum(reach.by_step for reach in found), sum(reach.wrong for reach in found)
    parts = [
        (sum(reach.by_yardstick for reach in found), "a text not meant to keep the meaning alone breaks {}"),
        (steps, "a step in embedding space alone breaks {}"),
        (wrong, "of those that it got wrong before, {} fail"),
    ]
    return [words.format(count(number)) for number, words in parts if number]


def _unseen(number: int) -> str:
    """Say that a check proved less than its outcome sounds like."""
    if not number:
        return ""
    return f"{count(number)} passed on a change that the model does not see"


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
    passed, free = counted.get(Outcome.PASSED, 0), counted.get(Outcome.MEASURED, 0)
    if free and free + counted.get(Outcome.SKIPPED, 0) == checks:
        return f"Nothing is gated: {count(free)} of {all_of} {_be(free)} measured, against no limit", False
    if passed == checks:
        return ("All " if checks > 1 else "The ") + (all_of if checks > 1 else "check") + " passed", False
    others = [f"{count(n)} {outcome}" for outcome, n in counted.items() if outcome is not Outcome.PASSED]
    return _listed([f"{count(passed)} of {all_of} passed", *others]), False


def _be(number: int) -> str:
    return "is" if number == 1 else "are"


def _noun(arm: str) -> str:
    return "the tested examples" if arm == "all" else f"the {arm} examples"


def _listed(parts: list[str]) -> str:
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"
