"""Conversion of a model's predictions to the labels of a test file, with a neutral label that the model may lack."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from robustfim.errors import DataError, did_you_mean, shown
from robustfim.labels import match_name
from robustfim.prediction import Prediction

__all__ = ["Reading", "with_neutral"]

_BAND = 1 / 3
"""Width of the neutral band of the positive probability, around 1/2: it is [1/3, 2/3]."""


def with_neutral(positive: float) -> tuple[float, float, float]:
    """Convert the prediction of a two-class model to three classes, as in CheckList's sentiment notebooks.

    If the positive probability p is between 1/3 and 2/3, the neutral label gets u = 1 − 3·|p − 1/2| > 1/2, and the
    label with the larger probability of the two gets 1 − u. Otherwise the probabilities p and 1 − p stay, and the
    neutral label gets 0.

    Args:
        positive: The probability of the positive label, in [0, 1].

    Returns:
        The probabilities of negative, neutral and positive, which sum to 1.
    """
    distance = abs(positive - 0.5)
    if distance >= _BAND / 2:
        return 1 - positive, 0.0, positive
    neutral = 1 - distance / _BAND
    return (0.0, neutral, 1 - neutral) if positive >= 0.5 else (1 - neutral, neutral, 0.0)


class Reading:
    """Converts a model's predictions to the labels that CheckList tests use.

    Args:
        names: The tests' labels in their order, or None if they have no order. If there are three labels and the model
            has only the first and the last, the middle label is neutral.
        used: For each label that a test uses, the place of its first use.
        neutral: Whether a two-class model may answer neutral.
        remedy: The way to rename labels, for messages.
    """

    def __init__(
        self, names: Sequence[str] | None, used: Mapping[str, str], *, neutral: bool = True, remedy: str = ""
    ) -> None:
        self._names, self._used, self._neutral, self._remedy = names, used, neutral, remedy
        self._labels: tuple[str, ...] = ()
        self._positive: int | None = None

    def bind(self, labels: Sequence[str]) -> None:
        """Match the model's labels with the labels of the tests.

        Labels match exactly, or without regard to case if the match is unambiguous.

        Raises:
            DataError: A test uses a label that the model does not have.
        """
        known = list(dict.fromkeys([*(self._names or ()), *self._used]))
        alike = Counter(match_name(label, known) for label in labels)
        self._labels = tuple(
            found if (found := match_name(label, known)) and (found == label or alike[found] == 1) else label
            for label in labels
        )
        self._positive = None
        names = tuple(self._names or ())
        outer = len(names) == 3 and len(labels) == 2 and {names[0], names[2]} == set(self._labels)
        if outer and self._neutral:
            self._positive = self._labels.index(names[2])
            self._labels = names
        for label, place in self._used.items():
            if label in self._labels:
                continue
            why = ""
            if outer and label == names[1]:
                why = " 'neutral: true' reads a binary model's positive probabilities from 1/3 to 2/3 as neutral."
            raise DataError(
                f"{place}: the model has no label {shown(label)}; it has {', '.join(map(repr, labels))}."
                f"{did_you_mean(label, labels)}{why or self._remedy}"
            )

    def __call__(self, prediction: Prediction) -> Prediction:
        """Return a prediction in the labels of the tests."""
        if self._positive is None:
            return Prediction.of(prediction.probabilities, self._labels)
        return Prediction.of(with_neutral(prediction.probabilities[self._positive]), self._labels)
