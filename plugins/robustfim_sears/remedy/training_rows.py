"""The rows of a file of augmented training data."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from robustfim.errors import UsageError
from robustfim.example import Example
from robustfim_sears.remedy.augmentation import Augmented, Variant

__all__ = ["COLUMNS", "training_rows"]

COLUMNS = ("id", "label", "source", "perturbation", "edits")
"""The columns beside the texts and those that the data had: the content hash; the gold label; for a variant the id of
the example that it was made of, the perturbation, and the edits as one JSON text. These are null for an original."""


def training_rows(augmented: Augmented) -> tuple[list[str], list[dict[str, Any]]]:
    """Convert augmented data to a table, first the originals, then the variants.

    Args:
        augmented: The data. Further columns of the data are kept, except columns named in ``COLUMNS``.

    Returns:
        The columns, and the rows, each with a value for every column. If an example has several right answers, its
        label is a list.

    Raises:
        UsageError: A text field has the name of a column.
    """
    fields = dict.fromkeys(name for original in augmented.originals for name in original.fields)
    clash = [name for name in fields if name in COLUMNS]
    if clash:
        raise UsageError(f"the text field {clash[0]!r} is named like a column of the dataset; rename it in the data.")
    others = dict.fromkeys(name for original in augmented.originals for name in original.meta)
    columns = ["id", *fields, "label", *(name for name in others if name not in (*COLUMNS, *fields)), *COLUMNS[2:]]
    empty = dict.fromkeys(columns)
    return columns, [
        *({**empty, **_example(original, empty)} for original in augmented.originals),
        *({**empty, **_example(variant.example, empty), **_origin(variant)} for variant in augmented.variants),
    ]


def _example(example: Example, columns: Mapping[str, None]) -> dict[str, Any]:
    others = {name: _plain(value) for name, value in example.meta.items() if name in columns and name not in COLUMNS}
    label: Any = list(example.gold) if example.accepted else example.label
    return {**others, "id": example.id, **example.fields, "label": label}


def _origin(variant: Variant) -> dict[str, Any]:
    edits = json.dumps([asdict(edit) for edit in variant.candidate.edits], ensure_ascii=False)
    return {"source": variant.candidate.source.id, "perturbation": variant.perturbation, "edits": edits}


def _plain(value: Any) -> Any:
    """Give a value that every kind of file can hold."""
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if value is None or isinstance(value, str | int | float | bool):
        return value
    return json.dumps(value, ensure_ascii=False, default=str)
