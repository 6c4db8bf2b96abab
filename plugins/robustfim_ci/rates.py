"""Rates as text: a check's rate with its interval, count and limit, and the run in one line."""

from __future__ import annotations

from robustfim.judge.verdicts import percent, rate_of
from robustfim.outcome import Outcome
from robustfim.record import ArmRecord, CheckRecord, Record

__all__ = ["headline", "interval_text", "limit_text", "more_examples", "rate_text"]

_WORDS = {
    Outcome.FAILED: "failed",
    Outcome.ERROR: "broken",
    Outcome.XPASSED: "unexpectedly passed",
    Outcome.INCONCLUSIVE: "inconclusive",
    Outcome.XFAILED: "failed as expected",
    Outcome.SKIPPED: "skipped",
    Outcome.PASSED: "passed",
}


def headline(record: Record) -> str:
    """Say in a few words how the checks ended: ``1 of 3 checks failed, 2 passed``."""
    counts = {outcome: sum(check.outcome is outcome for check in record.checks) for outcome in _WORDS}
    parts = [f"{number} {_WORDS[outcome]}" for outcome, number in counts.items() if number]
    if not parts:
        return "no check ran"
    comparison = record.comparison
    if comparison is not None and (regressed := sum(check.regressed for check in comparison.checks)):
        parts.append(f"{regressed} regressed")
    total = len(record.checks)
    if len(parts) == 1:
        word = parts[0].partition(" ")[2]
        return f"1 check {word}" if total == 1 else f"all {total} checks {word}"
    number, _, word = parts[0].partition(" ")
    return ", ".join([f"{number} of {total} checks {word}", *parts[1:]])


def rate_text(counted: CheckRecord | ArmRecord) -> str:
    """Write a rate with its interval in percent and its count: ``40 % [11.8, 76.9] of 5``; ``""`` without one."""
    if counted.rate is None or counted.interval is None:
        return ""
    rate = rate_of(counted, counted.rate) if isinstance(counted, CheckRecord) else percent(counted.rate)
    return f"{rate} [{interval_text(counted)}] of {counted.tested}"


def interval_text(counted: CheckRecord | ArmRecord) -> str:
    """Write the ends of the 95 % interval in percent: ``11.8, 76.9``; ``""`` without one."""
    return "" if counted.interval is None else f"{100 * counted.interval[0]:.1f}, {100 * counted.interval[1]:.1f}"


def limit_text(check: CheckRecord) -> str:
    """Write the limit: ``10 %``, or ``difficult 30 %, control 5 %``; ``""`` without one."""
    if check.limit is None:
        return ""
    if isinstance(check.limit, dict):
        return ", ".join(f"{arm} {percent(limit)}" for arm, limit in check.limit.items())
    return rate_of(check, check.limit)


def more_examples(number: int) -> str:
    """Count the examples that are not shown: ``1 more failing example``."""
    return f"{number:,} more failing example{'s' * (number != 1)}"
