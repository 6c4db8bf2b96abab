"""Set the threshold of a decision rule by separate data without the label."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from robustfim.collect.collection import Collection
from robustfim.collect.lookup import usable_examples
from robustfim.errors import DataError, shown
from robustfim.example import Example
from robustfim.labels import labels_option, match_name
from robustfim.predict.decided import Decided, without_rule
from robustfim.predict.labels import known_labels
from robustfim.prediction import Prediction
from robustfim.printable import counted
from robustfim.record import ThresholdRecord
from robustfim.statistics import Rate
from robustfim.statistics.threshold import threshold_of

__all__ = ["settle_threshold"]


def settle_threshold(
    collection: Collection, predict: Callable[[Sequence[Example]], Sequence[Prediction | None]]
) -> ThresholdRecord | None:
    """Set the probability threshold of the model's decision rule from the texts that the suite names for it.

    Returns:
        The record of the threshold; None if the suite gives the threshold as a number, or if the model has no rule.

    Raises:
        DataError: The texts cannot be read, are too few, have unknown labels, or are among the tested ones.
        PluginError: The data source raised an error.
        ModelError: The model cannot be asked.
    """
    model: Any = collection.model
    target = model.rule.target if isinstance(model, Decided) else None
    if target is None or model.benign is None:
        return None
    rule, where = model.rule, "'decide.at.on'"
    labels = known_labels(without_rule(model))
    benign = []
    for example in usable_examples(model.benign, where):
        names = [match_name(label, labels) for label in example.gold]
        if None in names:
            unknown = example.gold[names.index(None)]
            raise DataError(
                f"{where} has the label {shown(unknown)}, which is not a label of the model "
                f"({', '.join(labels)}). Map the label in the options of that data: "
                f"{labels_option('data', {unknown: labels[0]})[1]}."
            )
        if rule.label not in names:
            benign.append(example)
    shared = [example.id for example in collection.everything.among({each.id for each in benign})]
    if shared:
        raise DataError(
            f"{where} shares {counted(len(shared), 'text')} with the data tested, such as {shared[0]}: "
            "a threshold needs its own data. Remove the shared texts from one of the two."
        )
    found = [prediction.probability(str(rule.label)) for prediction in predict(benign) if prediction is not None]
    try:
        threshold = threshold_of(found, target.fpr)
    except ValueError as error:
        raise DataError(f"{where}: {error}.") from None
    model.settle(threshold.at)
    return ThresholdRecord(
        label=str(rule.label), at=threshold.at, fpr=target.fpr,
        alarms=Rate(threshold.alarms, threshold.texts, threshold.interval),
    )  # fmt: skip
