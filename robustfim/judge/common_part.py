"""Which part of a baseline's examples a comparison is over, and whether that part is by design a sample of the data."""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass

from robustfim.judge.accuracy import PairedAccuracy
from robustfim.record import Record, SelectionRecord

__all__ = ["CommonPart"]


@dataclass(frozen=True)
class CommonPart:
    """What two runs drew of the same data.

    Attributes:
        drawn: Ids of the examples that the new run drew, whichever of them its checks could test.
        no_sample: Why the examples that both drew are no sample of the data; "" where they are one.
    """

    drawn: Set[str]
    no_sample: str

    @classmethod
    def of(cls, before: Record, after: Record, accuracy: PairedAccuracy) -> CommonPart:
        """Find it.

        Args:
            before: The baseline.
            after: The new run.
            accuracy: Which examples of the baseline the data of the new run lack: those that they should hold count as
                lost by themselves.
        """
        was, now = _drawn(before), _drawn(after)
        first = accuracy.first_rows
        return cls(now, _first(first) if first else _no_sample(before, after, was - accuracy.gone, now))


def _first(rows: int) -> str:
    return (
        f"the suite reads the first {rows:,} rows and the baseline read more, of which these are no sample: remove "
        "'limit', or accept a run of the baseline's model with it"
    )


def _no_sample(before: Record, after: Record, was: Set[str], now: Set[str]) -> str:
    old, new = before.selection, after.selection
    if old.by is None and new.by is None:  # what two random draws share is one, too
        return ""
    if old.testable is not None and new.testable is not None:  # only what a score chose is drawn beforehand
        was, now = _difficult(before) & was, _difficult(after)
    if was <= now and (old.by is not None or was == now):
        return "" if _covers(old) else _hardest(old, "the baseline's")
    if now <= was:
        return "" if _covers(new) else _hardest(new, "this run's")
    return (
        "each run chose examples by its own scores, and what they share is no sample of the data: 'robustfim run "
        "--baseline' tests the baseline's examples"
    )


def _covers(selection: SelectionRecord) -> bool:
    """Whether every example of the data had a chance to be drawn."""
    return selection.by is None or bool(selection.strata or selection.control or selection.testable)


def _hardest(selection: SelectionRecord, whose: str) -> str:
    return (
        f"only {whose} hardest examples by {selection.by} were compared, which are no sample of the data: add a "
        "control arm, 'select: {control: 200}', and accept a run with it"
    )


def _drawn(record: Record) -> set[str]:
    tested = {id for check in record.checks for id in check.examples}
    return tested | {each.id for each in record.examples if each.arm is not None}


def _difficult(record: Record) -> set[str]:
    return {each.id for each in record.examples if each.arm == "difficult"}
