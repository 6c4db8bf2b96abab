"""Accuracy: how often a model is right on unperturbed examples."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from robustfim.example import Example
from robustfim.prediction import Prediction
from robustfim.statistics.rates import wilson

__all__ = ["Accuracy", "is_right"]


def is_right(prediction: Prediction, example: Example) -> bool | None:
    """Tell whether a prediction is the gold label, or another that is accepted; None where there is none.

    Args:
        prediction: The prediction.
        example: Its example.
    """
    return any(map(prediction.says, example.gold)) if example.gold else None


@dataclass(frozen=True)
class Accuracy:
    """The right predictions among labelled examples.

    Attributes:
        accuracy: Their share, in [0, 1]; None without labelled examples.
        accuracy_interval: Its 95 % Wilson interval.
        majority: Share of the examples with the commonest gold label; None where the model answers in its own words,
            since what is right for one question says nothing of another.
        labelled: The number of labelled examples.
    """

    accuracy: float | None
    accuracy_interval: tuple[float, float] | None
    majority: float | None
    labelled: int

    @classmethod
    def of(cls, pairs: Sequence[tuple[Example, Prediction]]) -> Accuracy:
        """Count.

        Args:
            pairs: Examples with their predictions; those without a gold label do not count.
        """
        gold = [(example, prediction) for example, prediction in pairs if example.label is not None]
        right = sum(bool(is_right(prediction, example)) for example, prediction in gold)
        commonest = max(Counter(example.label for example, _ in gold).values(), default=0)
        is_open = any(prediction.answer is not None for _, prediction in gold)
        return cls(
            accuracy=right / len(gold) if gold else None,
            accuracy_interval=wilson(right, len(gold)),
            majority=commonest / len(gold) if gold and not is_open else None,
            labelled=len(gold),
        )
