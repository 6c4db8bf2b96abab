"""The unchanged texts that a baseline's model and a new one answer differently, one wrong and one right."""

from __future__ import annotations

from dataclasses import dataclass

from robustfim.record import Record

__all__ = ["SHOWN", "Untouched", "untouched"]

SHOWN = 200
"""Texts that a page lists."""


@dataclass(frozen=True)
class Untouched:
    """A text that became wrong or right without any change.

    Attributes:
        text: Its fields.
        label: The gold label.
        old: The answer of the baseline's model; where the page has no record of it, whether it was right.
        new: The answer of this run's model.
        wrong: Whether it is wrong now.
    """

    text: str
    label: str
    old: str
    new: str
    wrong: bool


def untouched(record: Record, baseline: Record | None) -> list[Untouched]:
    """List the texts of a run's first comparison, those that are wrong now first, at most :data:`SHOWN`.

    Args:
        record: The run.
        baseline: The record that it is compared with, where there is one.
    """
    if not record.comparisons:
        return []
    whole = record.comparisons[0].whole
    ids = [*whole.newly_wrong, *whole.newly_right][:SHOWN]
    here = {each.id: each for each in record.examples}
    there = {} if baseline is None else {each.id: each for each in baseline.examples}
    wrong, found = set(whole.newly_wrong), []
    for id in ids:
        if (example := here.get(id)) is None:
            continue
        before = there[id].prediction if id in there else None
        found.append(
            Untouched(
                " | ".join(example.fields.values()),
                example.label or "",
                before or ("right" if id in wrong else "wrong"),
                example.prediction or "",
                id in wrong,
            )
        )
    return found
