"""Training on steps in embedding space: the column and the file format of steps.

``robustfim export --steps`` writes the file. :mod:`robustfim_steps.moved` moves the embeddings of a batch during
training, and :mod:`robustfim_steps.fitting` is the training loop; these two import torch.
:mod:`robustfim_steps.vectors` reads files of word vectors.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import isfinite, nan
from pathlib import Path
from typing import Any

from robustfim.errors import DataError, shown
from robustfim.example import Example
from robustfim.reading import json_rows

__all__ = ["STEP", "read_steps", "step_of", "stepped"]

STEP = "eigenvector_step"
"""The column of a step: its signed length along the top eigenvector, in units of the model's embedding."""


def read_steps(path: Path, fields: Sequence[str]) -> list[Example]:
    """Read from a file labelled examples with a step: how far training moves the example's embedding.

    Args:
        path: A file of JSON Lines.
        fields: The text fields of the training data.

    Raises:
        DataError: The file is missing, no row has the fields, a label and a step, or a step is not a finite number.
    """
    wanted = {*fields, "label", STEP}
    try:
        with path.open(encoding="utf-8", newline="\n") as file:
            rows = [row for _, row in json_rows(file, path) if wanted <= row.keys()]
    except FileNotFoundError:
        raise DataError(f"no file {path}; paths are relative to the current folder.") from None
    except (OSError, UnicodeDecodeError) as error:
        raise DataError(f"{path} cannot be read: {error}.") from error
    if not rows:
        named = ", ".join(map(repr, [*fields, "label"]))
        raise DataError(f"{path} has no row with {named} and {STEP!r}; 'robustfim export --steps' writes them.")
    return [Example({name: str(row[name]) for name in fields}, str(row["label"]), {STEP: step_of(row)}) for row in rows]


def stepped(examples: Iterable[Example], norm: float) -> list[Example]:
    """Return copies of examples whose embeddings training moves by a step of a given norm.

    In training, each batch computes the direction of the step from the current weights. This is adversarial training
    (Miyato et al. 2017) along the top eigenvector.
    """
    return [Example(example.fields, example.label, {STEP: norm}) for example in examples]


def step_of(row: Mapping[str, Any]) -> float:
    """Return how far training moves a row's embedding along the top eigenvector; 0 for a row without a step.

    Raises:
        DataError: The step is not a finite number.
    """
    step = row.get(STEP, 0.0)
    try:
        norm = float(step)
    except (TypeError, ValueError):
        norm = nan
    if not isfinite(norm):
        raise DataError(f"{STEP}: {shown(step)} is not the length of a step, such as 0.25.")
    return norm
