"""A prediction: what a model says of one example."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

__all__ = ["Prediction"]


@dataclass(frozen=True, slots=True)
class Prediction:
    """The label a model gives, and how sure it is of each.

    Attributes:
        label: The predicted label.
        probabilities: One number in [0, 1] a label of the model, in the model's order, summing to 1.
        labels: The model's labels, in the same order.
    """

    label: str
    probabilities: tuple[float, ...]
    labels: tuple[str, ...]

    @classmethod
    def of(cls, probabilities: Sequence[float], labels: tuple[str, ...]) -> Prediction:
        """Make a prediction of a row of probabilities; the first of equal maxima wins.

        Args:
            probabilities: One number a label, ``[classes]``.
            labels: The labels, ``[classes]``.
        """
        row = tuple(float(p) for p in probabilities)
        return cls(labels[max(range(len(row)), key=row.__getitem__)], row, labels)

    @property
    def confidence(self) -> float:
        """The probability of the predicted label, in [0, 1]."""
        return self.probability(self.label)

    def probability(self, label: str) -> float:
        """Return the probability of a label, in [0, 1].

        Args:
            label: One of ``labels``.

        Raises:
            KeyError: The model does not know the label.
        """
        try:
            return self.probabilities[self.labels.index(label)]
        except ValueError:
            raise KeyError(f"no label {label!r} among {list(self.labels)}") from None
