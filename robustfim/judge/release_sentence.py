"""The sentences in which every report says whether a run may replace its baseline, and why."""

from __future__ import annotations

from collections.abc import Sequence

from robustfim.judge.errors import kind_text
from robustfim.judge.verdicts import above_limits, fails_alone
from robustfim.outcome import Outcome
from robustfim.printable import counted, listed, signed
from robustfim.record import AccuracyComparison, CheckComparison, Comparison, PairedRecord, PairedTest, Record
from robustfim.record.comparison import EXCLUDED, WITHOUT_LABELS

__all__ = ["accuracy_text", "answered", "counts", "points", "robust_text", "told"]

_NO_MARGIN = "no margin is set"
_FAR = 10
"""More than this many times the compared examples is not suggested as a sample size."""
_NAMED = 3
"""The most checks that a sentence names; beyond that it gives their number."""
ROBUST = "robust accuracy"
"""The name of the quantity over all label-preserving checks."""
UNBROKEN = "share that does not fail"
"""The name of the same quantity without gold labels, or if no check keeps the label."""


def answered(comparison: Comparison, after: Record, *, equal: bool) -> Comparison:
    """Add to a comparison of two runs the answer whether the new model may replace the old one, with reasons.

    Args:
        comparison: The comparison, with its tests.
        after: The new run.
        equal: Whether the new run is proved no worse in everything except accuracy.

    Returns:
        The comparison with ``headline``, ``answer`` and ``reasons``.
    """
    reasons = _reasons(comparison, after) if comparison.failed else []
    free = comparison.margin is None
    if comparison.failed:
        headline = "does not replace the baseline"
    elif comparison.proven:
        headline = "may replace the baseline"
    elif equal and comparison.accuracy.missing == WITHOUT_LABELS:
        headline = "fails no more often than the baseline"
    else:
        headline = _NO_MARGIN if free else "not proved to be no worse than the baseline"
    part = f"{comparison.compared:,} of {comparison.of:,} compared" if comparison.compared < comparison.of else ""
    begin = ", ".join(filter(None, ["" if headline == _NO_MARGIN else headline, part]))
    headline = ", ".join(filter(None, [headline, part]))
    sentences = [accuracy_text(comparison.accuracy), robust_text(comparison)]
    if comparison.failed:
        sentences += reasons
    else:
        done = comparison.proven or headline.startswith("fails no more")
        sentences += [_NO_MARGIN] if free else [] if done else _left_open(comparison, after)
        sentences += [comparison.no_sample, _too_few(comparison), _open_limits(after) if done else ""]
        sentences.append(_excused(comparison, after))
    answer = ": ".join(filter(None, [begin, "; ".join(filter(None, sentences))]))
    alone = [
        text
        for test, text in zip((comparison.accuracy, comparison.whole), sentences, strict=False)
        if test.verdict == "worse"
    ]
    return comparison.model_copy(update={"headline": headline, "answer": answer, "reasons": [*alone, *reasons]})


def accuracy_text(accuracy: AccuracyComparison) -> str:
    """Return a sentence with the accuracy before and now, and the result of the test of the difference.

    Returns:
        ``accuracy 76.5 → 23.5 %, −53.0 points [−57.6, −48.1] of 500 (worse)``; or why it is not compared.
    """
    if accuracy.old is None:
        return f"accuracy not compared ({accuracy.missing})"
    labelled = [f"{accuracy.unlabelled:,} unlabelled"] * bool(accuracy.unlabelled)
    labelled += ["one gold label alone proves no accuracy"] * accuracy.one_label
    lost = [f"{accuracy.lost:,} others that the baseline answers have no answer or label here"] * bool(accuracy.lost)
    return _changed("accuracy", accuracy) + _aside([*_proof(accuracy, "labelled"), *lost, *labelled])


def robust_text(comparison: Comparison) -> str:
    """Write the robust accuracy before and now, and the result of its test."""
    whole = comparison.whole
    kept = any(check.label_kept for check in comparison.checks) or not comparison.checks
    name = ROBUST if kept and comparison.accuracy.missing != WITHOUT_LABELS else UNBROKEN
    if whole.old is None:
        return f"{name} not compared"
    lost = [f"{whole.lost:,} others that the baseline tested are not"] * bool(whole.lost)
    return _changed(name, whole) + _aside([*_proof(whole, "drawn"), *lost])


def _changed(name: str, test: PairedTest) -> str:
    """Both shares and their difference: ``accuracy 76.5 → 77.5 %, +1.0 points [−1.0, +3.0] of 500``."""
    if test.old is None or test.new is None:
        return f"{name} not compared"
    text = f"{name} {100 * test.old:.1f} → {100 * test.new:.1f} %"
    if test.estimate.rate is not None:
        low, high = test.estimate.ends
        text += f", {signed(-test.estimate.rate)} points [{signed(-high)}, {signed(-low)}] of {test.estimate.tested:,}"
    return text


def _proof(test: PairedTest, kind: str) -> list[str]:
    """The verdict, with the margin or with what would decide; nothing where neither is asked for nor found."""
    if test.verdict in ("no loss found", "not gated"):
        return []
    if test.verdict == "no worse":
        return [f"no worse by {points(test.limit)} or more"]
    if not test.needed:
        return [test.verdict]
    if test.needed > _FAR * test.estimate.tested:
        return [test.verdict, f"these data cannot decide a margin of {points(test.limit)}: choose another"]
    return [test.verdict, f"about {test.needed:,} more {kind} examples decide in 80 % of cases"]


def _aside(sentences: Sequence[str]) -> str:
    return f" ({', '.join(sentences)})" if sentences else ""


def told(paired: PairedRecord, name: str = "robust") -> str:
    """Return a sentence about two failure rates, their difference in points, and the changed examples.

    Args:
        paired: The comparison of two runs for a check, for all checks, or for a kind of error.
        name: The name of the fraction of passing examples.

    Returns:
        ``robust 84.2 → 77.5 %, −6.7 points [−11.2, −3.1] of 224: 12 regressions, 1 fix; untouched 4 regressions, 0
        fixes``.
    """
    text = f"{_changed(name, paired)}: {counts(len(paired.newly_broken), len(paired.newly_fixed))}"
    if paired.newly_wrong or paired.newly_right:
        text += f"; untouched {counts(len(paired.newly_wrong), len(paired.newly_right))}"
    return text


def counts(regressions: int, fixes: int) -> str:
    """Write the numbers of regressions and fixes: ``12 regressions, 1 fix``."""
    return f"{counted(regressions, 'regression')}, {fixes:,} fix{'es' * (fixes != 1)}"


def points(difference: float) -> str:
    """Return a difference of rates in percentage points, as text: ``2 points``, ``0.5 points``.

    Args:
        difference: The difference, in [−1, 1].
    """
    number = f"{100 * difference:.1f}".removesuffix(".0")
    return f"{number} point{'s' * (number != '1')}"


def _reasons(comparison: Comparison, after: Record) -> list[str]:
    """Say what failed beside accuracy and robust accuracy, the heaviest first."""
    checks, on = comparison.checks, comparison.fail_on
    reasons = []
    if errors := [check.name for check in after.checks if check.outcome is Outcome.ERROR]:
        reasons.append(f"{_names(errors)} {'is an error' if len(errors) == 1 else 'are errors'}")
    if worse := [check for check in checks if check.verdict == "worse"]:
        reasons.append(f"worse in {_names([check.id for check in worse])}" + f": {told(worse[0])}" * (len(worse) == 1))
    if erring := [
        f"'{kind_text(kind)}' of {_name(check)}"
        for check in checks
        for kind, error in check.errors.items()
        if error.verdict == "worse"
    ]:
        reasons.append(f"worse in {_names(erring)}")
    if fell := [check.id for check in checks if check.before is Outcome.PASSED and check.after is Outcome.FAILED]:
        reasons.append(f"{_names(fell)} passed before and {'fails' if len(fell) == 1 else 'fail'} now")
    if on in ("new", "any") and (broken := _number(comparison.whole, checks)):
        reasons.append(f"{broken} newly wrong or broken")
    if on == "any" and (alone := [check.name for check in after.checks if fails_alone(check)]):
        reasons.append(f"{_names(alone)} {'fails its' if len(alone) == 1 else 'fail their'} own limit")
    return reasons if reasons or comparison.accuracy.fails or comparison.whole.fails else [_stopped(after)]


def _too_few(comparison: Comparison) -> str:
    """Name the checks that reach too few texts for a loss over them to be excluded."""
    small = [
        f"{_name(check)} ({check.estimate.tested:,}{f', {check.lost:,} lost' * bool(check.lost)})"
        for check in comparison.checks
        if check.small
    ]
    return f"too few texts to exclude a loss of {points(EXCLUDED)} in {listed(small)}" if small else ""


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
    return f"{counted(number, 'check')} {above}" if number else ""


def _left_open(comparison: Comparison, after: Record) -> list[str]:
    """Say what is open beside accuracy and robust accuracy."""
    parts = []
    if other := [check.id for check in comparison.checks if check.other_tests]:
        parts.append(f"{_names(other)} {'tests' if len(other) == 1 else 'test'} otherwise than in the baseline")
    if any(each.lost for each in (comparison.accuracy, comparison.whole)):
        parts.append(
            "what only the baseline holds or tested counts as lost: run its model on these data and accept that"
        )
    if comparison.only_before:
        parts.append(f"not tested: {_names(comparison.only_before)}")
    if (again := after.model.asked_again) is not None and again.unasked:
        parts.append(again.sentence)
    parts += [after.model.association.doubt] * bool(after.model.association.doubt)
    proved = all(each.verdict == "no worse" for each in (comparison.accuracy, comparison.whole))
    if not parts and (proved or after.message or after.interrupted):
        parts.append(_stopped(after))
    return parts


def _stopped(after: Record) -> str:
    """Say why a run proves nothing although its checks do: a model that answers otherwise than the store, say."""
    return after.message.removesuffix(".") or "the run is not complete"


def _number(whole: PairedRecord, checks: Sequence[CheckComparison]) -> int:
    """Examples that are newly wrong, or that any check newly breaks."""
    tests = (whole, *checks)
    return len({id for test in tests for id in (*test.newly_broken, *test.newly_wrong)})


def _name(check: CheckComparison) -> str:
    return check.id.rpartition("::")[2]


def _names(names: Sequence[str]) -> str:
    if len(names) > _NAMED:
        return f"{len(names)} checks"
    return listed([name.rpartition("::")[2] for name in names])
