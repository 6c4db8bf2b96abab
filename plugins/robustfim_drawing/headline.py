"""The outcomes of a run in a few words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from types import MappingProxyType

from robustfim.judge import above_limits, gates
from robustfim.outcome import Outcome
from robustfim.printable import counted
from robustfim.record import Record

__all__ = ["against_labels", "headline", "outcome_counts"]

_ORDER = (
    Outcome.FAILED,
    Outcome.ERROR,
    Outcome.XPASSED,
    Outcome.INCONCLUSIVE,
    Outcome.PASSED,
    Outcome.MEASURED,
    Outcome.SKIPPED,
    Outcome.XFAILED,
)
_WORDS = MappingProxyType(
    {Outcome.ERROR: "broken", Outcome.XPASSED: "unexpectedly passed", Outcome.XFAILED: "failed as expected"}
)


def outcome_counts(record: Record, words: Mapping[Outcome, str] = _WORDS) -> list[str]:
    """Count the checks by outcome, failures first, and broken scores: ``4 failed``, ``3 passed``, ``1 broken score``.

    Args:
        record: The run.
        words: The words for outcomes; an outcome without an entry is written as it is.
    """
    counts = Counter(check.outcome for check in record.checks)
    unseen = sum(check.unseen for check in record.checks if check.outcome is Outcome.PASSED)
    aside = {Outcome.PASSED: f" ({unseen} not seen by the model)" * bool(unseen)}
    excused, above = above_limits(record)
    counts[Outcome.FAILED] -= excused
    parts = [
        f"{counts[outcome]:,} {words.get(outcome, outcome.value)}{aside.get(outcome, '')}"
        for outcome in _ORDER
        if counts[outcome]
    ]
    parts[bool(counts[Outcome.FAILED]) : 0] = [f"{excused} {above}"] * bool(excused)
    broken = sum(score.broken for score in record.scores)
    return parts + [counted(broken, "broken score")] * bool(broken)


def against_labels(record: Record) -> str:
    """Return what keeps a run from ending well if answers do not follow the gold labels; empty if they do."""
    known = record.model.association
    return known.doubt if known.verdict == "negative" or gates(record) else ""


def headline(record: Record, most: int | None = None) -> str:
    """Return the outcomes of the checks in a few words: ``1 of 3 checks failed, 2 passed``.

    Args:
        record: The run.
        most: The most outcomes that are counted.
    """
    first, *others = outcome_counts(record) or [""]
    number, _, word = first.partition(" ")
    if not record.checks:
        return "no check ran"
    total = len(record.checks)
    if not others:
        return f"1 check {word}" if total == 1 else f"all {total:,} checks {word}"
    return ", ".join([f"{number} of {total:,} checks {word}", *others][:most])
