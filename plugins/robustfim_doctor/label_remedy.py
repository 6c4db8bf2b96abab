"""A label remedy: the option, or the line of a suite, that applies a label mapping to a model or its data."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from pydantic import ValidationError

from robustfim.collect import Named
from robustfim.errors import RobustfimError
from robustfim.example import Example
from robustfim.labels import labels_option, match_name, relabelled
from robustfim.plugin.options import options_model
from robustfim.predict import model_labels, without_rule
from robustfim.prediction import Prediction
from robustfim_doctor.label_mapping import LabelMapping

__all__ = ["data_remedy", "label_remedies", "likely_wrong", "model_remedy"]

_GENERIC = re.compile(r"(LABEL_)?\d+", re.IGNORECASE)
_PROBED = 8
"""Texts predicted again to see that a model takes its new names as they are meant."""

Sample = Callable[[Any], Sequence[Example]]
Predict = Callable[[Any, Sequence[Example]], Sequence[tuple[Example, Prediction]]]


def label_remedies(
    model: Named, data: Named, mapping: LabelMapping, pairs: Sequence[tuple[Example, Prediction]],
    sample: Sample, predict: Predict,
) -> tuple[str, ...]:  # fmt: skip
    """Return suite options that apply the best assignment of data labels to model labels. All were tried and work.

    If the labels of the data are numbers, the option renames the data's labels; if the labels of the model are numbers,
    it renames the model's. If both have the same names in another order, ignoring case, either side may be wrong. Then
    both options are returned, the likely one first (see :func:`likely_wrong`).

    Returns:
        Lines to copy: for each remedy an option of the command line, and the equivalent lines of a suite.
    """
    names = pairs[0][1].labels
    swapped = mapping.swapped
    generic_model = all(map(_GENERIC.fullmatch, names)) and not all(map(_GENERIC.fullmatch, mapping.best))
    ways = []
    if swapped or generic_model:
        ways.append(model_remedy(model, mapping, pairs, predict))
    if swapped or not any(ways):
        ways.append(data_remedy(data, mapping, names, pairs, sample))
    if not any(ways):
        ways.append(model_remedy(model, mapping, pairs, predict))
    if likely_wrong(data, mapping) == data.key:
        ways.reverse()
    lines: list[str] = []
    for part, labels in filter(None, ways):
        option, line = labels_option(part.key, labels)
        lines += [option, f"{line}   # in a suite, under '{part.key}'"]
    return tuple(lines)


def likely_wrong(data: Named, mapping: LabelMapping) -> str:
    """Return whether the data or the model probably has the wrong order of label names.

    If the rows of the data name their labels in words, a person probably read each text, and the model's list of class
    names is probably wrong. If the words come from a list in the data's option ``labels``, this list may be wrong.

    Returns:
        ``"model"`` or ``"data"``; "" if unknown.
    """
    if not mapping.swapped or any(map(_GENERIC.fullmatch, mapping.best)):
        return ""
    return "data" if data.use.options.get("labels") else "model"


def data_remedy(
    data: Named,
    mapping: LabelMapping,
    names: Sequence[str],
    pairs: Sequence[tuple[Example, Prediction]],
    sample: Sample,
) -> tuple[Named, Any] | None:
    """Find a value of the data source's option ``labels`` that renames the data's labels as the mapping says.

    Returns:
        The data and the value; None if the data source has no option ``labels``, or no value expresses the mapping.
    """
    wanted = {example.id: mapping.best[str(example.label)] for example, _ in pairs if example.label in mapping.best}
    for labels in _forms(data, mapping):
        try:
            rows = sample(data.make({**data.use.options, "labels": labels}))
        except RobustfimError:
            continue
        found = {row.id: match_name(row.label, names) for row in rows if row.label is not None}
        if all(found.get(each) == label for each, label in wanted.items()):
            return data, labels
    return None


def model_remedy(
    model: Named, mapping: LabelMapping, pairs: Sequence[tuple[Example, Prediction]], predict: Predict
) -> tuple[Named, list[str]] | None:
    """Find a value of the model's option ``labels`` that renames the model's labels as the mapping says.

    Returns:
        The model and the names of its classes in order; None if the model has no option ``labels``, or ignores it.
    """
    names = pairs[0][1].labels
    inverse = {label: own for own, label in mapping.best.items()}
    labels = [inverse.get(label, label) for label in names]
    if "labels" not in options_model(model.cls, model.use.use).model_fields or len(set(labels)) < len(labels):
        return None
    probed = pairs[:_PROBED]
    try:
        made = without_rule(model.make({**model.use.options, "labels": labels}))  # names are its own labels
        answers = predict(made, [example for example, _ in probed]) if model_labels(made) == tuple(labels) else []
    except RobustfimError:
        return None
    expected = [(example.id, inverse.get(before.label, before.label)) for example, before in probed]
    return (model, labels) if [(example.id, after.label) for example, after in answers] == expected else None


def _forms(data: Named, mapping: LabelMapping) -> Iterator[Mapping[str, str] | list[str]]:
    """The values that could stand under ``labels``: a mapping laid over what is there, or a list by position."""
    options = options_model(data.cls, data.use.use)
    if "labels" not in options.model_fields:
        return
    written, best = data.use.options.get("labels"), dict(mapping.best)
    renamed = {label: name for label, name in best.items() if mapping.named.get(label) != name}
    numbered = {str(place): name for place, name in enumerate(written)} if isinstance(written, list) else written
    in_order = [best[label] for label in sorted(best)]
    for labels in (relabelled(numbered, renamed), relabelled(written, best), in_order, in_order[::-1]):
        try:
            options.__pydantic_validator__.validate_assignment(options.model_construct(), "labels", labels)
        except ValidationError:
            continue
        if labels:
            yield labels
