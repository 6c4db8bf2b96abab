"""The order and level of checks in reports that cannot show everything."""

from __future__ import annotations

from typing import Literal, TypeAlias

from robustfim.judge import fails_alone, gates
from robustfim.outcome import BY_URGENCY, Outcome
from robustfim.record import CheckRecord, Comparison, Record
from robustfim_ci.baseline import compared
from robustfim_drawing import against_labels

__all__ = ["beside_checks", "broke", "fails", "level", "level_of", "stopped_by_run", "worst_first"]

Level: TypeAlias = Literal["error", "warning", "note"]


def fails(check: CheckRecord, record: Record) -> bool:
    """Return whether a check makes its run fail.

    Args:
        check: A check of the run.
        record: The run. Without a baseline (an earlier run to compare with) a check fails the run if it failed, ended
            in an error, or passed unexpectedly. With a baseline ``--fail-on`` decides. Under ``--inconclusive fail`` an
            inconclusive check also fails the run.
    """
    alone, strict = fails_alone(check), record.inconclusive == "fail"
    if strict and check.outcome is Outcome.INCONCLUSIVE:
        return True
    if not record.comparisons or check.outcome is Outcome.ERROR:
        return alone
    # A check that the baseline lacks has its own limit only, which counts where --fail-on says so.
    return any(found.fails or (strict and found.verdict == "inconclusive") for _, found in compared(check, record)) or (
        alone and any(comparison.fail_on == "any" for comparison in record.comparisons)
    )


def level(check: CheckRecord, record: Record) -> Level | Literal[""]:
    """Return how severe a check's outcome is in a CI report.

    Returns:
        ``error`` if the check fails the run, ``warning`` if it did not pass but does not fail the run, ``note`` if it
        failed as expected, else ``""``.
    """
    if fails(check, record):
        return "error"
    if check.outcome in (Outcome.FAILED, Outcome.XPASSED, Outcome.INCONCLUSIVE):
        return "warning"
    return "note" if check.outcome is Outcome.XFAILED else ""


def level_of(comparison: Comparison, record: Record) -> Level:
    """Return how severe the result of a comparison with a baseline is in a CI report.

    Returns:
        ``error`` if the comparison fails the run, ``note`` if the run may replace the baseline, else ``warning``.
    """
    if comparison.failed or (record.inconclusive == "fail" and comparison.inconclusive):
        return "error"
    return "note" if comparison.proven else "warning"


def beside_checks(record: Record) -> list[tuple[Level, str, str]]:
    """Return what else decides a run's exit code, beside its checks and baselines.

    Returns:
        A triple of level, name and sentence for each: the run's message, broken scores, answers that are not shown to
        follow the gold labels, and that nothing is gated. Each is an ``error`` if it fails the run.
    """
    found: list[tuple[Level, str, str]] = []
    if record.message:
        found.append(("error" if broke(record) else "note", "run", record.message))
    found += [("error", f"score {score.name}", score.message) for score in record.scores if score.broken]
    if weak := against_labels(record):
        known = record.model.association
        fatal = known.verdict == "negative" or record.inconclusive == "fail"
        found.append(("error" if fatal else "warning", "labels", f"{weak}: Matthews' coefficient {known}"))
    if record.checks and not gates(record) and not record.interrupted:
        free: Level = "error" if record.inconclusive == "fail" else "note"
        found.append((free, "limits", "nothing is gated: no check has a limit"))
    return found


def broke(record: Record) -> bool:
    """Return whether the run was interrupted, or an error of the whole run ended its checks."""
    return record.interrupted or any(stopped_by_run(check, record) for check in record.checks)


def stopped_by_run(check: CheckRecord, record: Record) -> bool:
    """Return whether a check is an error only because the whole run could not continue."""
    return bool(record.message) and check.outcome is Outcome.ERROR and check.message == record.message


def worst_first(record: Record) -> list[CheckRecord]:
    """Sort checks: checks that fail the run first, then by outcome, then by how far the rate exceeds the limit."""

    def key(check: CheckRecord) -> tuple[bool, int, float]:
        return (not fails(check, record), BY_URGENCY.index(check.outcome), -_excess(check))

    return sorted(record.checks, key=key)


def _excess(check: CheckRecord) -> float:
    return max(((claim.estimate.rate or 0.0) - claim.limit for claim in check.limit_claims), default=0.0)
