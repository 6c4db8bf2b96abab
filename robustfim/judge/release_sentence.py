"""The answer of a comparison in words: whether a run may replace its baseline, and why. Every report says the same."""

from __future__ import annotations

from collections.abc import Sequence

from robustfim.judge.verdicts import above_limits, fails_alone
from robustfim.outcome import Outcome
from robustfim.printable import signed
from robustfim.record import AccuracyComparison, CheckComparison, Comparison, PairedRecord, PairedTest, Record
from robustfim.record.comparison import WITHOUT_LABELS

__all__ = ["accuracy_text", "answered", "points", "told"]

_NO_MARGIN = "no margin is set"
_NAMED = 3
"""Checks that a sentence names; of more it tells the number."""


def answered(comparison: Comparison, after: Record, *, equal: bool) -> Comparison:
    """Put the answer and the reasons into a comparison.

    Args:
        comparison: The comparison, with what failed and what was proved.
        after: The new run.
        equal: Whether every check of the baseline is proved *no worse*.

    Returns:
        The same with ``headline``, ``answer`` and ``reasons``.
    """
    reasons = _reasons(comparison, after) if comparison.failed else []
    if comparison.failed:
        headline, rest = "does not replace the baseline", "; ".join(reasons)
    elif comparison.proven:
        headline, rest = "may replace the baseline", _proof(comparison)
    elif equal and comparison.accuracy.missing == WITHOUT_LABELS:
        headline, rest = "fails no more often than the baseline", _proof(comparison)
    elif comparison.accuracy.margin is None and all(check.margin is None for check in comparison.checks):
        headline, rest = _NO_MARGIN, f"{_failures(comparison.whole)}; {_NO_MARGIN}"
    else:
        headline, rest = "not proved to be no worse than the baseline", _open(comparison, after)
    part = f"{comparison.compared:,} of {comparison.of:,} compared" if comparison.compared < comparison.of else ""
    begin = "" if headline == _NO_MARGIN else f"{headline}: "
    if part:
        begin = f"{part}; " if headline == _NO_MARGIN else f"{headline}, {part}: "
        headline = f"{headline}, {part}"
    open_ = _open_limits(after) if comparison.proven or headline.startswith("fails no more") else ""
    excused = "" if comparison.failed else _excused(comparison, after)
    parts = (accuracy_text(comparison.accuracy), rest, comparison.no_sample, open_, excused)
    answer = begin + "; ".join(filter(None, parts))
    if comparison.accuracy.fails:
        reasons = [accuracy_text(comparison.accuracy), *reasons]
    return comparison.model_copy(update={"headline": headline, "answer": answer, "reasons": reasons})


def accuracy_text(accuracy: AccuracyComparison) -> str:
    """Tell how often the model was right, is right now, and what that proves.

    Returns:
        ``accuracy 76.5 → 23.5 %, −53.0 points [−57.6, −48.1] of 500 (worse)``; or why it is not compared.
    """
    if accuracy.before is None or accuracy.after is None:
        return f"accuracy not compared ({accuracy.missing})"
    text = f"accuracy {100 * accuracy.before:.1f} → {100 * accuracy.after:.1f} %"
    if accuracy.difference is not None and accuracy.interval is not None:
        low, high = accuracy.interval
        text += f", {signed(-accuracy.difference)} points [{signed(-high)}, {signed(-low)}] of {accuracy.matched:,}"
    labelled = [f"{accuracy.unlabelled:,} unlabelled"] * bool(accuracy.unlabelled)
    labelled += ["one gold label alone proves no accuracy"] * accuracy.one_label
    if accuracy.verdict == "measured":
        return text + f" ({', '.join(labelled)})" * bool(labelled)
    proof = (
        f" by {points(accuracy.margin)} or more"
        if accuracy.verdict == "no worse" and accuracy.margin is not None
        else ""
    )
    needed = f", about {accuracy.needed:,} more labelled examples decide in 80 % of cases" if accuracy.needed else ""
    lost = f", {accuracy.lost:,} others that the baseline answers are not here" if accuracy.lost else ""
    return f"{text} ({', '.join([f'{accuracy.verdict}{proof}{needed}{lost}', *labelled])})"


def told(paired: PairedRecord, broken: str = "broken", fixed: str = "fixed") -> str:
    """Tell the counts of a test and its difference in points.

    Args:
        paired: A check's test, that of the whole run, or of a kind of error.
        broken: What its examples are called that fail.
        fixed: What they are called that do not.

    Returns:
        ``8 newly broken, 0 newly fixed, 4 still broken of 224; +3.6 points [+1.8, +6.9]``.
    """
    text = (
        f"{len(paired.newly_broken)} newly {broken}, {len(paired.newly_fixed)} newly {fixed}, "
        f"{len(paired.still_broken)} still {broken} of {paired.matched}"
    )
    if paired.difference is not None and paired.interval is not None:
        low, high = paired.interval
        text += f"; {signed(paired.difference)} points [{signed(low)}, {signed(high)}]"
    return text


def points(difference: float) -> str:
    """Write a difference of rates in percentage points: ``2 points``, ``0.5 points``.

    Args:
        difference: In [−1, 1].
    """
    number = f"{100 * difference:.1f}".removesuffix(".0")
    return f"{number} point{'s' * (number != '1')}"


def _reasons(comparison: Comparison, after: Record) -> list[str]:
    """Say what failed beside the accuracy, the heaviest first."""
    whole, checks, on = comparison.whole, comparison.checks, comparison.fail_on
    reasons = []
    if errors := [check.name for check in after.checks if check.outcome is Outcome.ERROR]:
        reasons.append(f"{_names(errors)} {'is an error' if len(errors) == 1 else 'are errors'}")
    if whole.verdict == "worse":
        reasons.append(f"worse over all checks ({told(whole)})")
    if worse := [_name(each) for each in checks if each.verdict == "worse"]:
        reasons.append(f"worse in {_names(worse)}")
    if erring := _erring(checks, "worse"):
        reasons.append(f"worse in {_names(erring)}")
    if fell := [_name(each) for each in checks if each.before is Outcome.PASSED and each.after is Outcome.FAILED]:
        reasons.append(f"{_names(fell)} passed before and {'fails' if len(fell) == 1 else 'fail'} now")
    if on in ("new", "any") and (broken := _number(whole, checks)):
        reasons.append(f"{broken} newly broken")
    if on == "any" and (alone := [check.name for check in after.checks if fails_alone(check)]):
        reasons.append(f"{_names(alone)} {'fails its' if len(alone) == 1 else 'fail their'} own limit")
    return reasons if reasons or comparison.accuracy.fails else [_stopped(after)]


def _proof(comparison: Comparison) -> str:
    """Say what was proved of the checks."""
    margins = {check.margin for check in comparison.checks if check.margin is not None}
    number = len(comparison.checks)
    where = "in its one check" if number == 1 else f"in each of {number} checks"
    if len(margins) != 1:
        return f"no worse than the margins allow {where}"
    return f"no worse by {points(*margins)} or more {where}"


def _open_limits(after: Record) -> str:
    """Say which checks leave the run inconclusive, whatever the comparison proves."""
    names = [check.name for check in after.checks if check.outcome is Outcome.INCONCLUSIVE]
    if not names:
        return ""
    one = len(names) == 1
    return f"{_names(names)} {'is' if one else 'are'} inconclusive against {'its' if one else 'their'} own limit"


def _excused(comparison: Comparison, after: Record) -> str:
    """Count the checks that are above their limits and fail nothing beside this baseline."""
    number, above = above_limits(after.model_copy(update={"comparisons": [comparison]}))
    return f"{number} check{'s' * (number > 1)} {above}" if number else ""


def _failures(whole: PairedRecord) -> str:
    """Tell the difference over all checks: ``6.0 points fewer failures [2.2, 10.0]``."""
    if whole.difference is None or whole.interval is None:
        return "no example was tested in both"
    word, sign = ("fewer", -1) if whole.difference < 0 else ("more", 1)
    low, high = (signed(end).removeprefix("+") for end in sorted(sign * end for end in whole.interval))
    return f"{100 * abs(whole.difference):.1f} points {word} failures [{low}, {high}]"


def _open(comparison: Comparison, after: Record) -> str:
    """Say what of the checks is not decided, and what would decide it."""
    inconclusive = [check for check in comparison.checks if check.verdict == "inconclusive"]
    measured = [check for check in comparison.checks if check.verdict == "measured"]
    parts = [f"inconclusive {_tests(inconclusive, comparison)}{_more(inconclusive)}"] if inconclusive else []
    if erring := _erring(comparison.checks, "inconclusive"):
        parts.append(f"inconclusive in {_names(erring)}")
    if measured:
        parts.append(f"{_NO_MARGIN} {_tests(measured, comparison)}")
    if comparison.accuracy.margin is None:
        parts.append(f"{_NO_MARGIN} for the accuracy")
    if any(each.lost for each in (comparison.accuracy, comparison.whole)):
        parts.append(
            "what only the baseline holds or tested counts as lost: run its model on these data and accept that"
        )
    if comparison.only_before:
        parts.append(f"not tested: {_names(comparison.only_before)}")
    if (again := after.model.asked_again) is not None and again.unasked:
        parts.append(again.sentence)
    if not parts and comparison.accuracy.verdict != "no worse" and not after.message and not after.interrupted:
        return _proof(comparison)
    return "; ".join(parts) or _stopped(after)


def _stopped(after: Record) -> str:
    """Say why a run proves nothing although its checks do: a model that answers otherwise than the store, say."""
    return after.message.removesuffix(".") or "the run is not complete"


def _erring(checks: Sequence[CheckComparison], verdict: str) -> list[str]:
    """Name the kinds of error that have a verdict: ``false alarm of typos``."""
    return [
        f"'{kind.replace('_', ' ')}' of {_name(check)}"
        for check in checks
        for kind, error in check.errors.items()
        if error.verdict == verdict
    ]


def _tests(checks: Sequence[CheckComparison], comparison: Comparison) -> str:
    """Name checks: some of them, or each."""
    names = [_name(check) for check in checks]
    return f"in each of {len(names)} checks" if len(names) == len(comparison.checks) > 1 else f"in {_names(names)}"


def _more(found: Sequence[PairedTest]) -> str:
    """The matched examples that the most inconclusive of some tests lacks."""
    needed = [each.needed for each in found if each.needed is not None]
    return f": about {max(needed):,} more matched examples decide in 80 % of cases" if needed else ""


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
