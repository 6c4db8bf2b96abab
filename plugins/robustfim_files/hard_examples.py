"""The hardest examples of a run and their failing perturbations, as rows of a dataset."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from heapq import nsmallest
from typing import Any

from robustfim.errors import UsageError, shown, suggestions
from robustfim.example import content_id
from robustfim.record import CheckRecord, ExampleRecord, Failure, Record
from robustfim.spans import is_spans

__all__ = ["COLUMNS", "hard_examples"]

COLUMNS = ("id", "label", "source", "check", "edits", "suite", "model", "score", "difficulty")
"""The columns of a row beside the text fields: the gold label; the source example, check and edits of a perturbed text
(null for an original example); the run's suite and model; and the score that selected the example."""


def hard_examples(record: Record, number: int, by: str | None = None) -> tuple[dict[str, dict[str, Any]], Counter[str]]:
    """Return the hardest examples of a run, with their failing perturbations.

    If a check expects the label to stay, a perturbed text has the gold label of its source. If a check requires a
    certain label, a perturbed text has this label. Other perturbed texts are left out, because their right label is
    unknown.

    Args:
        record: The run.
        number: The largest number of examples.
        by: The score of difficulty. None means the score that selected the difficult examples, or else the run's first
            score.

    Returns:
        Two values: rows by id, the hardest example first, each followed by its failing perturbations; and the number of
        texts left out, by reason.

    Raises:
        UsageError: The run has no score of this name, or no score at all; or a text field has the same name as a column
            of the dataset.
    """
    score, hardest = _score(record, by)
    clash = {name.removeprefix("fields.") for name in record.table.columns if name.startswith("fields.")} & {*COLUMNS}
    if clash:
        raise UsageError(
            f"the text field {shown(min(clash))} is named like a column of the dataset; rename it in the data."
        )
    rows: dict[str, dict[str, Any]] = {}
    left_out: Counter[str] = Counter()

    def ranked() -> Iterator[tuple[float, str, ExampleRecord]]:
        for example in record.every_example():
            value = example.scores.get(score)
            if value is None:
                left_out[f"{score} is undefined"] += 1
            elif example.label is None:
                left_out["no gold label"] += 1
            else:
                yield (-value if hardest == "highest" else value, example.id, example)

    failures: dict[str, list[Failure]] = {}
    for failure in record.failures:
        failures.setdefault(failure.example, []).append(failure)
    checks = {check.id: check for check in record.checks}
    for _, _, example in nsmallest(number, ranked(), key=lambda item: item[:2]):
        about = {
            "cluster": example.id,
            "suite": record.suite,
            "model": record.model.use,
            "score": score,
            "difficulty": example.scores[score],
        }
        rows[example.id] = _row(example.fields, example.label, about)
        for failure in failures.get(example.id, ()):
            gold = _gold(checks[failure.check], failure, example)
            if failure.step is not None:
                left_out["a step in embedding space has no text"] += 1
            elif gold is None:
                left_out["the perturbation may change the gold label"] += 1
            else:
                row = _row(failure.fields, gold, about)
                row |= {"source": example.id, "check": failure.check, "edits": _edits(failure)}
                rows.setdefault(row["id"], row)
    return rows, left_out


def _score(record: Record, by: str | None) -> tuple[str, str]:
    """Find the score and its hard end."""
    usable = {score.name: score.hardest for score in record.scores if not score.message}
    if not usable:
        raise UsageError(
            "the run computed no score, so robustfim does not know the hard examples. Add a score to the suite: "
            "'scores: [fisher]'."
        )
    name = by or record.selection.by or next(iter(usable))
    if name not in usable:
        raise UsageError(f"the run has no score {shown(name)}.{suggestions(name, usable)}")
    return name, usable[name]


def _row(fields: Mapping[str, str], label: str | None, about: Mapping[str, Any]) -> dict[str, Any]:
    row = {"id": content_id(fields), **fields, "label": label, "source": None, "check": None, "edits": None}
    return {**row, **about}


def _gold(check: CheckRecord, failure: Failure, example: ExampleRecord) -> str | None:
    """Return the gold label of what a check made of an example; None where it is not known."""
    if is_spans(example.label):
        return failure.label  # where the edits have put them, if all are still there
    use = check.expectation.get("use")
    if use == "invariant":
        return example.label
    label = check.expectation.get("label")
    return label if use == "equals" and isinstance(label, str) else None


def _edits(failure: Failure) -> str:
    """Write the edits as one JSON text, which every format can hold."""
    return json.dumps([edit.model_dump() for edit in failure.edits], ensure_ascii=False)
