"""Make the record of failures: the candidates that do not meet their expectation."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Sequence
from typing import Any

from robustfim.candidate import Candidate
from robustfim.collect.check import Check
from robustfim.errors import ModelError
from robustfim.judgement import Judgement
from robustfim.parts import GeometryPart
from robustfim.predict.context import RunContext
from robustfim.predict.store import key_of
from robustfim.prediction import Prediction
from robustfim.record import EditRecord, Failure, PredictionRecord, ShiftRecord, StepRecord
from robustfim.roles import Shift
from robustfim.select.draw import TestedExample
from robustfim.select.selection import arm_of
from robustfim.spans import is_spans

__all__ = ["add_shifts", "describe_failure"]


def describe_failure(
    check: Check, source: TestedExample, candidate: Candidate, after: Prediction, judgement: Judgement, reproduce: str
) -> Failure:
    """Make the record of a failing candidate."""
    step, candidate = candidate.step, check.carrying(candidate, after)
    content = [check.id, source.example.id, candidate.example.id, repr(step)]
    return Failure(
        id=hashlib.blake2b("\x1f".join(content).encode(), digest_size=6).hexdigest(),
        check=check.id,
        example=source.example.id,
        arm=arm_of(source.arm),
        fields=dict(candidate.example.fields),
        edits=[EditRecord.model_validate(edit, from_attributes=True) for edit in candidate.edits],
        step=None if step is None else StepRecord(direction=step.direction, norm=step.norm),
        before=PredictionRecord.of(source.prediction),
        label=_gold(candidate),
        after=PredictionRecord.of(after),
        right_before=source.prediction.right(source.example.gold),
        right_after=after.right([candidate.label] if candidate.label else candidate.example.gold),
        margin=judgement.margin if math.isfinite(judgement.margin) else 0.0,
        reason=judgement.reason,
        reproduce=reproduce,
    )


def _gold(candidate: Candidate) -> str | None:
    """The gold label of the changed text, where it is known and is not the source's; gold spans where they are now."""
    gold = candidate.source.label
    if not is_spans(gold) or candidate.label is not None:
        return candidate.label
    return None if candidate.projected(gold).left else candidate.example.label


def add_shifts(failures: list[Failure], candidates: Sequence[Candidate], context: RunContext) -> None:
    """Add to each failing text how far the edits moved its input embedding, if a score needs gradients.

    Shifts are computed for failures only. The run's store keeps the shifts, so each text is measured once.

    Args:
        failures: The failures of a check so far. The last ones, one per candidate, are replaced in place.
        candidates: The perturbed texts of these last failures, in the same order.
        context: The run's context.

    Raises:
        PluginError: The code that computes gradients raised an error, or returned another number of shifts.
    """
    if not context.shifts:
        return
    first = len(failures) - len(candidates)
    content = context.queue.content
    keys = {
        first + row: key_of("shift", context.queue.decider, content(candidate.source), content(candidate.example))
        for row, candidate in enumerate(candidates)
        if candidate.step is None and not candidate.unchanged
    }
    known = context.store.get(list(keys.values()), _shift)
    missing = {key: candidates[index - first] for index, key in keys.items() if key not in known}
    if missing:
        fresh = dict(zip(missing, _measured(list(missing.values()), context), strict=True))
        context.store.put({key: None if shift is None else shift.model_dump() for key, shift in fresh.items()})
        known |= fresh
    for index, key in keys.items():
        failures[index] = failures[index].model_copy(update={"shift": known[key]})


def _shift(kept: Any) -> ShiftRecord | None:
    """Read a shift of the store."""
    return None if kept is None else ShiftRecord.model_validate(kept)


def _measured(candidates: list[Candidate], context: RunContext) -> Sequence[ShiftRecord | None]:
    """Ask the geometry; None where the model gives no numbers."""
    try:
        shifts = GeometryPart(context.geometry).shifts(candidates)
    except ModelError:  # the model has no gradients, and the score that wants them says so
        shifts = None
    return [None] * len(candidates) if shifts is None else list(map(_recorded, shifts))


def _recorded(shift: Shift) -> ShiftRecord | None:
    """Make the record of a shift; None if its norm is not finite."""
    cosine = shift.cosine if math.isfinite(shift.cosine) else None
    lambda_max = shift.lambda_max if all(map(math.isfinite, shift.lambda_max)) else None
    return ShiftRecord(norm=shift.norm, cosine=cosine, lambda_max=lambda_max) if math.isfinite(shift.norm) else None
