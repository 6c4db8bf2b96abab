"""Columns: a model's predictions and the difficulty of examples, as parallel arrays of numbers."""

from __future__ import annotations

import json
import math
from array import array
from collections import Counter
from collections.abc import Collection, Iterator, Sequence

from robustfim.collect.spool import BLOCK, ByExample, Examples
from robustfim.decision import DecisionRule
from robustfim.example import Example
from robustfim.prediction import Prediction
from robustfim.spans import is_spans, read_spans
from robustfim.statistics.association import Association, association
from robustfim.statistics.clusters import ClusterCounts, ClusterOf
from robustfim.statistics.rate import Rate

__all__ = ["Numbers", "Predictions"]

_UNKNOWN, _WRONG, _RIGHT = -1, 0, 1


class Numbers(ByExample[float]):
    """A mapping from example id to a number (such as a difficulty score), stored as an array.

    Args:
        examples: The examples.

    Attributes:
        column: The numbers, ``[examples]``.
    """

    def __init__(self, examples: Examples) -> None:
        super().__init__(examples, bytearray(b"\1") * len(examples))
        self.column = array("d", [math.nan]) * len(examples)

    def at(self, place: int) -> float:
        """Return the number of the example at a place."""
        return self.column[place]

    def pairs(self) -> Iterator[tuple[str, float]]:
        """The ids with their numbers, in the order of the examples."""
        return zip(self.examples.ids(), self.column, strict=True)


class Predictions(ByExample[Prediction]):
    """The model's predictions for unperturbed examples, by example id; unusable predictions are left out.

    Args:
        examples: The examples that the model is asked about.
        own: The number of examples that belong to the data; the examples after them come from checks.

    Attributes:
        gold: The number of examples of the data with each gold label.
        said: Up to two different labels that the model predicted.
        told: Up to two different gold labels, including those of examples that come from checks.
        open: Whether the model answers in its own words.
        gold_spans: For a tagger, the number of gold spans of each label in the data.
        claimed: For a tagger, the labels of the spans that it found.
    """

    def __init__(self, examples: Examples, own: int) -> None:
        super().__init__(examples, bytearray(len(examples)))
        self._own = own
        self._labels: tuple[str, ...] = ()
        self._rule: DecisionRule | None = None
        self._numbers = array("d")
        self._answers: dict[int, str] = {}
        self._right = array("b", [_UNKNOWN]) * len(examples)
        self._gold, self._said = (array("i", [_UNKNOWN]) * len(examples) for _ in range(2))
        self._numbered: dict[str, int] = {}
        self.gold: Counter[str] = Counter()
        self.said: set[str] = set()
        self.told: set[str] = set()
        self.open = False
        self.gold_spans: Counter[str] = Counter()
        self.claimed: set[str] = set()

    def put(self, start: int, examples: Sequence[Example], predictions: Sequence[Prediction | None]) -> None:
        """Store the predictions for adjacent examples.

        Args:
            start: The row number of the first example, from 0.
            examples: The examples.
            predictions: One per example; None if the model gave no finite numbers.
        """
        for place, (example, prediction) in enumerate(zip(examples, predictions, strict=True), start):
            if prediction is None:
                continue
            self._held[place] = 1
            self._keep(place, prediction)
            right = prediction.right(example.gold)
            self._right[place] = _UNKNOWN if right is None else int(right)
            if example.label is not None and self.examples.rows[place] < self._own:
                self.gold[example.label] += 1
                if prediction.answer is None:
                    self._said[place] = self._number(prediction.label)
                    self._gold[place] = self._said[place] if right else self._number(example.label)
            if prediction.spans is not None and is_spans(example.label):
                self.gold_spans.update(span.label for span in read_spans(example.label))
                self.claimed.update(span.label for span in prediction.spans)
            for known, label in ((self.said, prediction.label), (self.told, example.label)):
                if label is not None and len(known) < 2:
                    known.add(label)

    def leave_out(self, labels: Collection[str]) -> None:
        """Remove the gold spans of some labels from all examples, so that they do not count as missed."""
        self.examples.spool.leave_out(labels)
        for start, block in self.examples.windows(BLOCK):
            for place, example in enumerate(block, start):
                found = self.at(place)
                right = None if found is None else found.right(example.gold)
                self._right[place] = _UNKNOWN if right is None else int(right)

    def _number(self, label: str) -> int:
        return self._numbered.setdefault(label, len(self._numbered))

    def _keep(self, place: int, prediction: Prediction) -> None:
        if prediction.answer is not None:
            self.open, self._rule = True, prediction.rule
            self._answers[place] = json.dumps(
                [prediction.label, prediction.probabilities, prediction.labels, prediction.answer]
            )
            return
        if not self._labels:
            self._labels, self._rule = prediction.labels, prediction.rule
            self._numbers = array("d", [math.nan]) * (len(self._labels) * len(self.examples))
        width = len(self._labels)
        self._numbers[place * width : (place + 1) * width] = array("d", prediction.probabilities)

    def at(self, place: int) -> Prediction | None:
        """Return the prediction for the example in a row; None if the model gave no finite numbers."""
        if not self._held[place]:
            return None
        if self.open:
            label, numbers, labels, answer = json.loads(self._answers[place])
            return Prediction(label, tuple(numbers), tuple(labels), answer, self._rule)
        width = len(self._labels)
        return Prediction.of(self._numbers[place * width : (place + 1) * width], self._labels, self._rule)

    def right(self, place: int) -> bool | None:
        """Return whether the prediction for the example in a row is right; None without a prediction or gold label."""
        return None if self._right[place] == _UNKNOWN else self._right[place] == _RIGHT

    @property
    def never_given(self) -> dict[str, int]:
        """The number of examples of each gold label that the model gives to none; empty without a single decision."""
        if self.open or self.gold_spans or (self._rule is not None and self._rule.several):
            return {}
        given = {*self._said}
        never = {label for label, number in self._numbered.items() if number not in given}
        return {label: number for label, number in self.gold.items() if label in never}

    @property
    def usable(self) -> Examples:
        """The examples with a prediction, from the data and from checks."""
        if all(self._held):
            return self.examples
        rows = self.examples.rows
        return Examples(self.examples.spool, array("q", (rows[place] for place in self.places())))

    @property
    def of_data(self) -> Examples:
        """The examples with a prediction, without those that come from checks."""
        usable = self.usable
        rows = usable.rows
        return usable[: sum(row < self._own for row in rows)] if rows and rows[-1] >= self._own else usable

    def accuracy(self, clusters: ClusterOf) -> Rate:
        """Return the accuracy: the fraction of right predictions among the labelled examples of the data.

        Args:
            clusters: Example id to cluster (group of dependent examples); empty if all are independent.
        """
        rows = sum(row < self._own for row in self.examples.rows)
        if not clusters:
            told = self._right[:rows]
            return Rate(told.count(_RIGHT), rows - told.count(_UNKNOWN))
        counts = ClusterCounts()
        for id, right in zip(self.examples.ids(), self._right[:rows]):  # noqa: B905  # those of the data come first
            if right != _UNKNOWN:
                counts.add(right == _RIGHT, clusters.get(id))
        return counts.rate[0]

    def association(self, clusters: ClusterOf) -> Association | None:
        """Return the correlation of the model's answers with the gold labels of the data.

        Args:
            clusters: Example id to cluster (group of dependent examples); empty if all are independent.

        Returns:
            The correlation (Matthews); None if there are fewer than two gold labels or answers, or the model answers in
            its own words.
        """
        import numpy as np

        gold, said = (np.frombuffer(column, dtype=np.int32).astype(np.int64) for column in (self._gold, self._said))
        known = gold >= 0
        names = None
        if clusters:
            numbers: dict[str, int] = {}
            labelled = (id for id, here in zip(self.examples.ids(), known, strict=True) if here)
            names = np.array([numbers.setdefault(clusters.get(id, id), len(numbers)) for id in labelled])
        return association(gold[known], said[known], names)

    @property
    def majority(self) -> float | None:
        """The fraction of the data's labelled examples that have the commonest gold label, in [0, 1].

        None without a labelled example, and for answers in the model's own words, since the right answer to one
        question says nothing about another question.
        """
        return None if self.open or not self.gold else max(self.gold.values()) / self.gold.total()
