"""Accuracy: how often a model is right on unperturbed examples."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from types import MappingProxyType

from robustfim.example import Example
from robustfim.prediction import Prediction
from robustfim.statistics.clusters import clustered_rate
from robustfim.statistics.rate import Rate

__all__ = ["accuracy", "is_right", "majority"]


def is_right(prediction: Prediction, example: Example) -> bool | None:
    """Tell whether a prediction is the gold label, or another that is accepted; None where there is none.

    Args:
        prediction: The prediction.
        example: Its example.
    """
    return any(map(prediction.says, example.gold)) if example.gold else None


def accuracy(pairs: Sequence[tuple[Example, Prediction]], clusters: Mapping[str, str] = MappingProxyType({})) -> Rate:
    """Count the right predictions among labelled examples.

    Args:
        pairs: Examples with their predictions; those without a gold label do not count.
        clusters: Example id to cluster; empty where all are independent.
    """
    if not clusters:
        found = [is_right(prediction, example) for example, prediction in pairs if example.label is not None]
        return Rate(sum(map(bool, found)), len(found))
    right = {example.id: is_right(prediction, example) for example, prediction in pairs if example.label is not None}
    return clustered_rate([each for each, is_so in right.items() if is_so], right.keys(), clusters)[0]


def majority(pairs: Sequence[tuple[Example, Prediction]]) -> float | None:
    """Return the share of labelled examples that have the commonest gold label.

    Args:
        pairs: Examples with their predictions.

    Returns:
        In [0, 1]; None without a labelled example, and where the model answers in its own words, since what is right
        for one question says nothing of another.
    """
    gold = [(example.label, prediction) for example, prediction in pairs if example.label is not None]
    if not gold or any(prediction.answer is not None for _, prediction in gold):
        return None
    return max(Counter(label for label, _ in gold).values()) / len(gold)
