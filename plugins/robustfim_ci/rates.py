"""The outcome of a run in one line."""

from __future__ import annotations

from robustfim.judge import above_limits
from robustfim.outcome import Outcome
from robustfim.record import Record
from robustfim_ci.baseline import has_regressed

__all__ = ["headline", "more_examples"]

_WORDS = {
    Outcome.FAILED: "failed",
    Outcome.ERROR: "broken",
    Outcome.XPASSED: "unexpectedly passed",
    Outcome.INCONCLUSIVE: "inconclusive",
    Outcome.XFAILED: "failed as expected",
    Outcome.MEASURED: "measured",
    Outcome.SKIPPED: "skipped",
    Outcome.PASSED: "passed",
}


def headline(record: Record) -> str:
    """Return the outcomes of the checks in a few words: ``1 of 3 checks failed, 2 passed``.

    With a baseline the answer on the baseline comes first: ``not proved to be no worse than the baseline; all 3 checks
    passed``.
    """
    verdict = _verdict(record)
    return "; ".join(filter(None, (verdict, _counted(record))))


def _verdict(record: Record) -> str:
    """The answer to what a comparison asks, that of the strictest baseline."""
    strictest = min(record.comparisons, key=lambda comparison: (not comparison.failed, comparison.proven), default=None)
    return "" if strictest is None else strictest.headline


def _counted(record: Record) -> str:
    counts = {outcome: sum(check.outcome is outcome for check in record.checks) for outcome in _WORDS}
    unseen = sum(check.unseen for check in record.checks if check.outcome is Outcome.PASSED)
    told = {Outcome.PASSED: f" ({unseen} not seen by the model)"} if unseen else {}
    excused, above = above_limits(record)
    counts[Outcome.FAILED] -= excused
    parts = [f"{number} {_WORDS[outcome]}{told.get(outcome, '')}" for outcome, number in counts.items() if number]
    parts[bool(counts[Outcome.FAILED]) : 0] = [f"{excused} {above}"] * bool(excused)
    if not parts:
        return "no check ran"
    if regressed := sum(has_regressed(check, record) for check in record.checks):
        parts.append(f"{regressed} regressed")
    total = len(record.checks)
    if len(parts) == 1:
        word = parts[0].partition(" ")[2]
        return f"1 check {word}" if total == 1 else f"all {total} checks {word}"
    number, _, word = parts[0].partition(" ")
    return ", ".join([f"{number} of {total} checks {word}", *parts[1:]])


def more_examples(number: int) -> str:
    """Return the number of examples that are not shown, as text: ``1 more failing example``."""
    return f"{number:,} more failing example{'s' * (number != 1)}"
