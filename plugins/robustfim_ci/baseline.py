"""The comparison of a run with its baselines, in sentences for reports."""

from __future__ import annotations

from robustfim.commands import printable
from robustfim.judge import kind_text, told
from robustfim.record import CheckComparison, CheckRecord, Comparison, Record

__all__ = ["against_baseline", "answers", "compared", "has_regressed", "sentences"]


def compared(check: CheckRecord, record: Record) -> list[tuple[Comparison, CheckComparison]]:
    """Return the comparisons of a check with the baselines that have this check."""
    return [
        (comparison, found) for comparison in record.comparisons for found in comparison.checks if found.id == check.id
    ]


def has_regressed(check: CheckRecord, record: Record) -> bool:
    """Return whether a check is worse than in a baseline run, or passed there and does not pass now."""
    return any(found.regressed for _, found in compared(check, record))


def against_baseline(check: CheckRecord, record: Record) -> str:
    """Return sentences that compare a check with each baseline; ``""`` if no baseline has the check."""
    sentences = []
    for comparison, found in compared(check, record):
        name = f" {comparison.name!r}" if comparison.name else ""
        verdict = "regressed" if found.regressed and found.verdict != "worse" else found.verdict
        kept = "robust" if found.label_kept else "not failing"
        sentences.append(f"Against the baseline{name} {told(found, kept)}; {verdict}.")
        sentences += [
            f"{_upper(kind_text(kind))}: {told(error, 'right')}; {error.verdict}."
            for kind, error in found.errors.items()
        ]
    return " ".join(sentences)


def sentences(check: CheckRecord, record: Record) -> str:
    """Return what a report says of a check: its message, and its comparison with each baseline."""
    return printable(" ".join(filter(None, (check.message, against_baseline(check, record)))))


def answers(record: Record) -> list[str]:
    """Return for each baseline a sentence on whether the tested model may replace the baseline's model."""
    return [
        f"{_upper(comparison.answer)}. Compared: {_called(comparison)} (baseline) and {record.model.use}."
        for comparison in record.comparisons
    ]


def _called(comparison: Comparison) -> str:
    return f"{comparison.name}: {comparison.baseline}" if comparison.name else comparison.baseline


def _upper(text: str) -> str:
    return text[:1].upper() + text[1:]
