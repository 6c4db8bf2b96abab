"""Unchanged texts that two models answer differently: one model wrongly, the other correctly."""

from __future__ import annotations

from dataclasses import dataclass

from robustfim.errors import UsageError
from robustfim.record import Record

__all__ = ["SHOWN", "Untouched", "untouched"]

SHOWN = 200
"""Texts that a page lists of those that became wrong, and of those that became right."""


@dataclass(frozen=True)
class Untouched:
    """Unchanged texts whose answer became wrong, or became right, since the baseline.

    Attributes:
        wrong: Whether the answers are wrong now.
        texts: For each listed text: the text, the gold label, the baseline's answer and this run's answer. Without the
            baseline's record, its answer is "right" or "wrong".
        number: The number of all such texts, listed or not.
    """

    wrong: bool
    texts: tuple[tuple[str, str, str, str], ...]
    number: int


def untouched(record: Record, baseline: Record | None) -> list[Untouched]:
    """List the unperturbed texts whose answers became wrong since the baseline, then those that became right.

    Args:
        record: The run.
        baseline: The record of the baseline. Without it, broken examples are left out.
    """
    if not record.comparisons:
        return []
    compared = record.comparisons[0]
    answers: dict[str, str] = {}
    changed = {True: compared.whole.newly_wrong, False: compared.whole.newly_right}
    try:
        if baseline is not None:
            answers, changed = _changed(record, baseline)
        here = record.look_up([id for ids in changed.values() for id in ids[:SHOWN]])
    except UsageError:  # the file of all examples is not beside its record
        here = record.example_by_id
    accuracy = compared.accuracy
    return [
        Untouched(
            wrong,
            tuple(
                (
                    " | ".join(here[id].fields.values()),
                    here[id].label or "",
                    answers.get(id, "right" if wrong else "wrong"),
                    here[id].prediction or "",
                )
                for id in changed[wrong][:SHOWN]
                if id in here
            ),
            accuracy.newly_wrong if wrong else accuracy.newly_right,
        )
        for wrong in (True, False)
    ]


def _changed(record: Record, baseline: Record) -> tuple[dict[str, str], dict[bool, list[str]]]:
    """The baseline's answers to what became wrong and right, and the ids of both."""
    columns = ["id", "label", "correct", "prediction"]
    there = {id: rest for id, *rest in baseline.table.rows(columns)}
    answers: dict[str, str] = {}
    changed: dict[bool, list[str]] = {True: [], False: []}
    for id, label, now, _ in record.table.rows(columns):
        gold, was, answer = there.get(id, (None, None, None))
        if label is not None and gold == label and was is not None and now is not None and was != now:
            answers[id] = answer or ""
            changed[bool(was)].append(id)
    return answers, changed
