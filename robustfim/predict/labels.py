"""The labels of a model; models that answer in their own words have none."""

from __future__ import annotations

from collections.abc import Set
from itertools import islice
from typing import TypeGuard, cast

from robustfim.blame import blame
from robustfim.decision import NO_LABEL
from robustfim.errors import ModelError, shown
from robustfim.parts import ModelPart
from robustfim.predict.decided import decision_rule, without_rule
from robustfim.prediction import NO_ANSWER
from robustfim.roles import AnsweringModel, Model

__all__ = ["gold_names", "is_answering", "known_labels", "model_labels"]


def is_answering(model: object) -> TypeGuard[AnsweringModel]:
    """Return whether a model answers in its own words."""
    return ModelPart(model).answers


_MOST_LABELS = 1_000_000
"""More labels than any vocabulary has, since a generator may be endless."""


def known_labels(model: Model | AnsweringModel) -> tuple[str, ...]:
    """Return the labels among which a model chooses; empty if it answers in free text."""
    return () if is_answering(model) else tuple(islice(cast(Model, model).labels, _MOST_LABELS))


def model_labels(model: Model | AnsweringModel, who: str = "the model") -> tuple[str, ...]:
    """Return a model's labels, and check them and the model's fingerprint; this may load the model.

    Args:
        model: The model.
        who: The model's name in errors.

    Returns:
        The labels; empty if the model answers in its own words.

    Raises:
        ModelError: The model cannot be loaded, or its labels or fingerprint cannot be used.
    """
    with blame(who, ModelError, did="cannot be loaded:"):
        labels, fingerprint = known_labels(model), model.fingerprint
    if not isinstance(fingerprint, str):
        raise ModelError(f"the model's fingerprint must be a text, not {shown(fingerprint)}.")
    if is_answering(model):
        return labels
    own, rule = without_rule(model), decision_rule(model)
    if ModelPart(own).contract.several and (rule is None or not rule.targets):
        first = known_labels(own)[0]
        raise ModelError(
            "the model gives each label a probability of its own, so there is no most likely label. Name the labels "
            "to decide for: "
            f"'decide: {{each: {{{first}: 0.5, …}}}}' or 'decide: {{label: {first}, at: 0.5}}'."
        )
    raw: object = cast(Model, model).labels
    if isinstance(raw, Set):
        raise ModelError(f"the model's labels must stand in the order of its probabilities; {shown(raw)} has none.")
    if isinstance(raw, str) or len(labels) < 2 or not all(isinstance(label, str) for label in labels):
        raise ModelError(f"the model's labels must be at least two texts, not {shown(raw)}.")
    if len(set(labels)) < len(labels):
        raise ModelError(f"the model's labels must differ from one another, unlike {list(labels)}.")
    return labels


def gold_names(model: Model | AnsweringModel) -> tuple[str, ...]:
    """Return the possible gold labels: the model's labels and, with a decision rule, its decisions.

    Args:
        model: A model with labels, with or without a rule.

    Returns:
        The names. If the rule decides for several labels, they include the decision for none of these labels.
    """
    rule = decision_rule(model)
    none = (NO_LABEL, NO_ANSWER) if rule is not None and rule.targets else ()
    return tuple(dict.fromkeys((*known_labels(without_rule(model)), *known_labels(model), *none)))
