"""A test set in embedding space: the steps along the top eigenvector that make a right label wrong."""

from __future__ import annotations

from collections import Counter
from typing import Any

from robustfim.example import content_id
from robustfim.record import Failure, Record
from robustfim_steps import STEP

__all__ = ["changing_steps"]


def changing_steps(record: Record) -> tuple[dict[str, dict[str, Any]], Counter[str]]:
    """Find for each example the shortest move of its embedding that makes a right label wrong.

    Args:
        record: A run with checks such as ``smallest_step``, which move the embedding along the top eigenvector of the
            Fisher information.

    Returns:
        Two values: rows by id, each with the text's fields, the gold label, the step, the label after the step, and the
        example, check, suite and model that they come from; and the number of failures left out, by reason.
    """
    examples = {example_record.id: example_record for example_record in record.every_example()}
    shortest: dict[str, tuple[float, Failure]] = {}
    left_out: Counter[str] = Counter()
    for failure in record.failures:
        example = examples[failure.example]
        if failure.step is None:
            left_out["a perturbed text is not a step"] += 1
        elif failure.step.direction != "eigenvector":
            left_out[f"a step along the {failure.step.direction}"] += 1
        elif example.label is None:
            left_out["no gold label"] += 1
        elif failure.before.label != example.label:
            left_out["the model is wrong without a step"] += 1
        else:
            left_out["a longer step of the same example"] += example.id in shortest
            norm, other = failure.step.norm, shortest.get(example.id)
            if other is None or abs(norm) < abs(other[0]):
                shortest[example.id] = norm, failure
    about = {"suite": record.suite, "model": record.model.use}
    rows = {}
    for id, (norm, failure) in shortest.items():
        example = examples[id]
        key = content_id({**example.fields, STEP: repr(norm)})
        own = {STEP: norm, "after": failure.after.label, "source": id, "check": failure.check}
        rows[key] = {"id": key, **example.fields, "label": example.label, **own, **about}
    return rows, +left_out
