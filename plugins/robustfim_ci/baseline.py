"""What the reports say of a run against its baseline."""

from __future__ import annotations

from robustfim.record import CheckComparison, CheckRecord, Record

__all__ = ["against_baseline", "compared", "summary"]


def compared(check: CheckRecord, record: Record) -> CheckComparison | None:
    """Return what became of a check since the baseline; None without one, or where the baseline lacks the check."""
    comparison = record.comparison
    return None if comparison is None else next((each for each in comparison.checks if each.id == check.id), None)


def against_baseline(check: CheckRecord, record: Record) -> str:
    """Say in a sentence how a check does against the baseline; ``""`` where there is nothing to compare it with."""
    found = compared(check, record)
    if found is None:
        return ""
    text = f"Against the baseline {_counts(found)}"
    if found.difference is not None and found.interval is not None:
        low, high = found.interval
        text += f"; rate {100 * found.difference:+.1f} points [{100 * low:+.1f}, {100 * high:+.1f}]"
    return f"{text}; regressed." if found.regressed else f"{text}."


def _counts(found: CheckComparison) -> str:
    return (
        f"{len(found.newly_broken)} newly broken, {len(found.newly_fixed)} newly fixed, "
        f"{len(found.still_broken)} still broken of {found.matched} examples"
    )


def summary(record: Record) -> str:
    """Say in a sentence how the run does against its baseline; ``""`` without one."""
    comparison = record.comparison
    if comparison is None:
        return ""
    broken = sum(len(check.newly_broken) for check in comparison.checks)
    fixed = sum(len(check.newly_fixed) for check in comparison.checks)
    regressed = sum(check.regressed for check in comparison.checks)
    verdict = f"fails with --fail-on {comparison.fail_on}" if comparison.failed else "may replace the baseline"
    return (
        f"Against the baseline ({comparison.baseline}): {broken} newly broken, {fixed} newly fixed, "
        f"{regressed} check{'s' * (regressed != 1)} regressed; {verdict}."
    )
