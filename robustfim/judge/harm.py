"""Harm: the kinds of damage that a failure does to somebody who relies on the model's answer."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

from robustfim.record import ExampleRecord, Failure

__all__ = ["Harm", "harm_of", "was_right"]


class Harm(StrEnum):
    """The kinds of harm that a wrong answer does to somebody who relies on it, the worst first."""

    BROKEN = "right before, wrong after"
    SAME = "right before, same answer after"
    UNKNOWN = "no gold label"
    WRONG = "wrong before"


def harm_of(failure: Failure, source: ExampleRecord | None, labels: Sequence[str]) -> Harm:
    """Classify how harmful a failure is for somebody who relies on the model's answer.

    Args:
        failure: The failure.
        source: The example that the failure comes from; None if the record lacks it.
        labels: The model's labels; empty for a model that answers in its own words.
    """
    right = None if source is None else was_right(source, failure.before.label, labels)
    if source is None or right is None:
        return Harm.UNKNOWN
    if not right:
        return Harm.WRONG
    # A right answer in the model's own words may be another one than the first gold answer.
    return Harm.SAME if failure.after.label in (failure.before.label, source.label) else Harm.BROKEN


def was_right(source: ExampleRecord, before: str | None, labels: Sequence[str]) -> bool | None:
    """Return whether the model was right about the unchanged text; None if the gold label is not among its labels.

    Args:
        source: The example.
        before: The label that the model gave it.
        labels: The model's labels; empty for a model that answers in its own words.
    """
    if not labels:
        return source.correct
    return None if source.label not in labels else source.label == before
