"""The answer of a comparison in words: whether a run may replace its baseline, and why. Every report says the same."""

from __future__ import annotations

from collections.abc import Sequence

from robustfim.judge.verdicts import fails_alone
from robustfim.outcome import Outcome
from robustfim.record import CheckComparison, Comparison, PairedRecord, Record

__all__ = ["answered", "points", "told"]

_NAMED = 3
"""Checks that a sentence names; of more it tells the number."""


def answered(comparison: Comparison, after: Record, *, strict: bool) -> Comparison:
    """Put the answer and the reasons into a comparison.

    Args:
        comparison: The comparison, with what failed and what was proved.
        after: The new run.
        strict: Whether what is undecided or inconclusive fails.

    Returns:
        The same with ``answer`` and ``reasons``.
    """
    reasons = _reasons(comparison, after, strict) if comparison.failed else []
    if comparison.failed:
        answer = f"does not replace the baseline: {'; '.join(reasons)}"
    elif comparison.proven:
        answer = f"may replace the baseline: {_proof(comparison)}"
    else:
        answer = f"not proved to be no worse than the baseline: {_open(comparison)}"
    return comparison.model_copy(update={"answer": answer, "reasons": reasons})


def told(found: PairedRecord) -> str:
    """Tell the counts of a test and its difference in points.

    Args:
        found: A check's test, or that of the whole run.

    Returns:
        ``8 newly broken, 0 newly fixed, 4 still broken of 224; +3.6 points [+1.8, +6.9]``.
    """
    text = (
        f"{len(found.newly_broken)} newly broken, {len(found.newly_fixed)} newly fixed, "
        f"{len(found.still_broken)} still broken of {found.matched}"
    )
    if found.difference is not None and found.interval is not None:
        low, high = found.interval
        text += f"; {_signed(found.difference)} points [{_signed(low)}, {_signed(high)}]"
    return text


def points(difference: float) -> str:
    """Write a difference of rates in percentage points: ``2 points``, ``0.5 points``.

    Args:
        difference: In [−1, 1].
    """
    number = f"{100 * difference:.1f}".removesuffix(".0")
    return f"{number} point{'s' * (number != '1')}"


def _signed(difference: float) -> str:
    text = f"{100 * difference:+.1f}"
    return "0.0" if text in ("+0.0", "-0.0") else text.replace("-", "−")


def _reasons(comparison: Comparison, after: Record, strict: bool) -> list[str]:
    """Say what failed, the heaviest first."""
    whole, checks, on = comparison.whole, comparison.checks, comparison.fail_on
    undecided = [each for each in (whole, *checks) if each.verdict == "undecided" and each.margin is not None]
    lost = [each for each in undecided if _lost(each)]
    rest = [each for each in undecided if not _lost(each)]
    reasons = []
    if errors := [check.name for check in after.checks if check.outcome is Outcome.ERROR]:
        reasons.append(f"{_names(errors)} {'is an error' if len(errors) == 1 else 'are errors'}")
    if whole.verdict == "worse":
        reasons.append(f"worse over all checks ({told(whole)})")
    if worse := [_name(each) for each in checks if each.verdict == "worse"]:
        reasons.append(f"worse in {_names(worse)}")
    if fell := [_name(each) for each in checks if each.before is Outcome.PASSED and each.after is Outcome.FAILED]:
        reasons.append(f"{_names(fell)} passed before and {'fails' if len(fell) == 1 else 'fail'} now")
    if lost:
        reasons.append(f"a loss above the margin, though undecided, {_tests(lost, comparison)}{_more(lost)}")
    if on in ("new", "any") and (broken := _number(whole, checks)):
        reasons.append(f"{broken} newly broken")
    if on == "any" and (alone := [check.name for check in after.checks if fails_alone(check)]):
        reasons.append(f"{_names(alone)} {'fails its' if len(alone) == 1 else 'fail their'} own limit")
    if strict and (unclear := [check.name for check in after.checks if check.outcome is Outcome.INCONCLUSIVE]):
        reasons.append(f"{_names(unclear)} inconclusive against {'its' if len(unclear) == 1 else 'their'} own limit")
    if rest and (strict or on == "unproven"):
        reasons.append(f"undecided {_tests(rest, comparison)}{_more(rest)}")
    if on == "unproven" and comparison.only_before:
        reasons.append(f"not tested: {_names(comparison.only_before)}")
    return reasons or ["the run is not complete"]


def _proof(comparison: Comparison) -> str:
    margins = {each.margin for each in (comparison.whole, *comparison.checks)}
    margin = comparison.whole.margin
    number = len(comparison.checks)
    each = "and in its one check" if number == 1 else f"and in each of {number}"
    if len(margins) > 1:
        return f"no worse than the margins allow, over all checks {each}"
    return f"no worse{'' if margin is None else f' by {points(margin)} or more'}, over all checks {each}"


def _open(comparison: Comparison) -> str:
    """Say what is not decided, and what would decide it."""
    whole, checks = comparison.whole, comparison.checks
    if whole.margin is None:
        text = "no margin says what loss is tolerated"
        if whole.detectable is not None:
            text += f"; over all checks a loss of {points(whole.detectable)} would have been shown 8 times in 10"
        if whole.interval is not None:
            text += f", and one of up to {points(max(0.0, whole.interval[1]))} is not excluded"
        return text
    undecided = [each for each in (whole, *checks) if each.verdict == "undecided"]
    parts = [f"undecided {_tests(undecided, comparison)}{_more(undecided)}"] if undecided else []
    if comparison.only_before:
        parts.append(f"not tested: {_names(comparison.only_before)}")
    return "; ".join(parts) or "the run is not complete"


def _tests(found: Sequence[PairedRecord], comparison: Comparison) -> str:
    """Name tests: over all checks, in some of them, or both."""
    names = [_name(each) for each in found if isinstance(each, CheckComparison)]
    parts = [] if len(names) == len(found) else ["over all checks"]
    if names and len(names) == len(comparison.checks) > 1:
        names = [f"each of {len(names)}"]
    return " and ".join([*parts, *([f"in {_names(names)}"] if names else [])])


def _more(found: Sequence[PairedRecord]) -> str:
    """The matched examples that the most undecided of some tests lacks."""
    needed = [each.needed for each in found if each.needed is not None]
    return f": about {max(needed):,} more matched examples" if needed else ""


def _lost(found: PairedRecord) -> bool:
    return found.margin is not None and found.difference is not None and found.difference > found.margin


def _number(whole: PairedRecord, checks: Sequence[CheckComparison]) -> int:
    """Examples that any check newly breaks, those among them that another check broke before included."""
    return len({*whole.newly_broken, *(each for check in checks for each in check.newly_broken)})


def _name(check: CheckComparison) -> str:
    return check.id.rpartition("::")[2]


def _names(names: Sequence[str]) -> str:
    if len(names) > _NAMED:
        return f"{len(names)} checks"
    names = [name.rpartition("::")[2] for name in names]
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
