"""The labels of a classifier: the names in its configuration, or the names that the suite gives."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from robustfim.errors import ModelError
from robustfim.labels import class_names

__all__ = ["is_regression", "label_names"]


def label_names(
    config: Mapping[str, Any], names: Mapping[str, str] | Sequence[str] | None, model: str
) -> tuple[str, ...]:
    """Return the names of a model's classes.

    Args:
        config: The contents of ``config.json``: ``id2label``, or ``num_labels``, or neither for two classes.
        names: A list names all classes in order; a mapping renames some, each by its name or its number.
        model: The model's name, for messages.

    Returns:
        The labels, ``[classes]``, without duplicates.

    Raises:
        ModelError: The model is a regression, which has no labels.
        UsageError: ``names`` does not fit the model, or two classes get the same name.
    """
    own = _own_names(config)
    if is_regression(config) or config.get("problem_type") == "regression":
        raise ModelError(
            f"model {model} has a regression head ({len(own)} output): it gives a number, not the probabilities "
            "of labels. Say 'model: {use: huggingface/regression, path: …, decide: {within: 0.25}}', where a number "
            "counts as the same within 0.25."
        )
    return class_names(own, names, f"model {model}")


def is_regression(config: Mapping[str, Any]) -> bool:
    """Return whether a model has a single output, which is a number and not the probability of a label."""
    return len(_own_names(config)) < 2


def _own_names(config: Mapping[str, Any]) -> tuple[str, ...]:
    """Read the names as transformers does: ``num_labels`` wins over a map of another length."""
    table = {int(number): str(label) for number, label in (config.get("id2label") or {}).items()}
    count = int(config.get("num_labels") or len(table) or 2)
    if count != len(table):
        table = {}
    return tuple(table.get(number, f"LABEL_{number}") for number in range(count))
