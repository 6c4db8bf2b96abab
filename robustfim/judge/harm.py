"""Reach: on how many of the tested examples the model breaks, over all checks of a run."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import Literal

from robustfim.record import ExampleRecord, Failure, PredictionRecord, ReachRecord, Record
from robustfim.statistics import clustered_rate

__all__ = ["Harm", "harm_of", "reaches"]


Arm = Literal["difficult", "control", "all"]


class Harm(StrEnum):
    """What a failure costs who relies on the answer, the most first."""

    BROKEN = "right before, wrong after"
    SAME = "right before, same answer after"
    UNKNOWN = "no gold label"
    WRONG = "wrong before"


def harm_of(failure: Failure, source: ExampleRecord | None, labels: Sequence[str]) -> Harm:
    """Tell what a failure costs.

    Args:
        failure: The failure.
        source: Its example; None where the record does not hold it.
        labels: The model's labels; none for a model that answers in its own words.
    """
    right = None if source is None else _right(source, failure.before, labels)
    if source is None or right is None:
        return Harm.UNKNOWN
    if not right:
        return Harm.WRONG
    # A right answer in the model's own words may be another one than the first gold answer.
    return Harm.SAME if failure.after.label in (failure.before.label, source.label) else Harm.BROKEN


def _right(source: ExampleRecord, before: PredictionRecord, labels: Sequence[str]) -> bool | None:
    """Tell whether the model was right before; a gold label that it does not know says nothing."""
    if not labels:
        return source.correct
    return None if source.label not in labels else source.label == before.label


def reaches(record: Record) -> list[ReachRecord]:
    """Count the tested and the failing examples of a run, by arm.

    Returns:
        The arms in which a check tested an example, the difficult one first. An example that no check tested
        counts nowhere. None for strata, of which the tested examples are no even part of anything.
    """
    if record.selection.strata:
        return []
    tested = {example for check in record.checks for example in check.examples}
    known = {example.id: example for example in record.examples}
    clusters = {example.id: example.cluster for example in record.examples if example.cluster is not None}
    text: set[str] = set()
    step: set[str] = set()
    nonsense: set[str] = set()
    yardsticks = {check.id for check in record.checks if check.yardstick}
    wrong: set[str] = set()
    for failure in record.failures:
        if harm_of(failure, known.get(failure.example), record.model.labels) is Harm.WRONG:
            wrong.add(failure.example)
        else:
            told = step if failure.step is not None else nonsense if failure.check in yardsticks else text
            told.add(failure.example)
    reached = []
    arms: tuple[Arm, ...] = ("difficult", "control", "all")
    for arm in arms:
        in_arm = {example.id for example in record.examples if example.arm == arm and example.id in tested}
        if in_arm:
            rate, _ = clustered_rate(in_arm & text, in_arm, clusters)
            reached.append(
                ReachRecord(
                    arm=arm,
                    rate=rate,
                    by_step=len(in_arm & step - text - nonsense),
                    by_yardstick=len(in_arm & nonsense - text),
                    wrong=len(in_arm & wrong),
                )
            )
    return reached
