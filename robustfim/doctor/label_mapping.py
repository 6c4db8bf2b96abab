"""The label mapping: which of the model's labels each label of the data stands for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from robustfim.predict.labels import match_name
from robustfim.statistics import mcnemar

__all__ = ["SIGNIFICANT", "LabelMapping", "best_assignment", "compare_labels"]

SIGNIFICANT = 0.05
"""The largest p-value at which one way to answer counts as better than another."""


@dataclass(frozen=True)
class LabelMapping:
    """How the labels of a sample fit what a model says of it.

    Attributes:
        named: Data label to the model's label of that name; the data's labels that the model lacks are not in it.
        unknown: Data labels that the model does not know by name, with their number of examples.
        best: The assignment of data labels to model labels that agrees most with the predictions.
        total: Examples compared.
        right: Predictions that agree under ``named``.
        best_right: Predictions that agree under the best assignment of the other half of the sample, so that no
            example is judged by an assignment that it helped to choose.
        settled: Whether both halves of the sample choose ``best``.
        p_better: Exact one-sided McNemar p-value that ``best`` agrees no more than ``named``.
        majority: The commonest label of the data and its number of examples: what always answering it gets right.
        p_above: The same, that ``named`` agrees no more than always answering ``majority``.
        p_below: The same, that ``named`` agrees no less than it.
        best_p_above: The same, that ``best`` agrees no more than it.
    """

    named: Mapping[str, str]
    unknown: Mapping[str, int]
    best: Mapping[str, str]
    total: int
    right: int
    best_right: int
    settled: bool
    p_better: float
    majority: tuple[str, int]
    p_above: float
    p_below: float
    best_p_above: float

    @property
    def one_label(self) -> bool:
        """Whether all examples have one label, which leaves nothing to compare with."""
        return self.majority[1] == self.total

    @property
    def wrong(self) -> bool:
        """Whether another assignment is needed: labels are unknown, or it agrees better beyond chance."""
        return bool(self.unknown) or (dict(self.best) != dict(self.named) and self.p_better <= SIGNIFICANT)

    @property
    def swapped(self) -> bool:
        """Whether data and model have the same names, whatever their case, and ``best`` puts them in another order."""
        own, answers = ({each.casefold() for each in side} for side in (self.best, self.best.values()))
        return own == answers and any(mine.casefold() != its.casefold() for mine, its in self.best.items())

    @property
    def believable(self) -> bool:
        """Whether ``best`` names every label, both halves choose it, and it beats the majority beyond chance."""
        complete = len(self.best) == len(self.named) + len(self.unknown)
        return complete and self.settled and self.best_p_above <= SIGNIFICANT

    @property
    def weak(self) -> bool:
        """Whether the model, with the names as they are, is no better than always answering the majority."""
        return not self.one_label and self.right <= self.majority[1]


def best_assignment(gold: Sequence[str], predicted: Sequence[str], labels: Sequence[str]) -> dict[str, str]:
    """Give each data label a model label of its own so that most predictions agree (Kuhn 1955).

    Args:
        gold: The data's labels, ``[examples]``.
        predicted: The model's predictions, ``[examples]``.
        labels: The model's labels.

    Returns:
        Data label to model label, by the data's labels in sorted order. Of equally good assignments, one that
        keeps the most names. With more labels than the model has, those that would agree least are left out.
    """
    import numpy as np
    from scipy.optimize import linear_sum_assignment

    own, counts = sorted(set(gold)), Counter(zip(gold, predicted, strict=True))
    # Agreement first; one kept name counts less than one agreeing prediction.
    weights = np.array(
        [
            [counts[each, label] * (len(own) + 1) + (match_name(each, labels) == label) for label in labels]
            for each in own
        ],
        dtype=np.int64,
    )
    rows, columns = linear_sum_assignment(weights, maximize=True)
    return {own[row]: labels[column] for row, column in zip(rows, columns, strict=True)}


def compare_labels(gold: Sequence[str], predicted: Sequence[str], labels: Sequence[str]) -> LabelMapping:
    """Compare the data's labels with a model's predictions.

    Args:
        gold: The data's labels, ``[examples]``, in a random order; at least one.
        predicted: The model's predictions, ``[examples]``.
        labels: The model's labels.
    """
    found = {label: match_name(label, labels) for label in sorted(set(gold))}
    named = {label: name for label, name in found.items() if name is not None}
    counts = Counter(gold)
    best = best_assignment(gold, predicted, labels)
    # The examples at even places are judged by those at odd places, and the other way round.
    halves = [best_assignment(gold[k::2], predicted[k::2], labels) if len(gold) > 1 else best for k in (1, 0)]
    pairs = list(zip(gold, predicted, strict=True))
    right = [named.get(label) == answer for label, answer in pairs]
    best_right = [halves[index % 2].get(label) == answer for index, (label, answer) in enumerate(pairs)]
    top = min(counts, key=lambda label: (-counts[label], label))
    constant = [label == top for label in gold]
    return LabelMapping(
        named=named,
        unknown={label: counts[label] for label in found if label not in named},
        best=best,
        total=len(gold),
        right=sum(right),
        best_right=sum(best_right),
        settled=all(half.get(label) == name for half in halves for label, name in best.items() if label in half),
        p_better=_more_often_right(best_right, right),
        majority=(top, counts[top]),
        p_above=_more_often_right(right, constant),
        p_below=_more_often_right(constant, right),
        best_p_above=_more_often_right(best_right, constant),
    )


def _more_often_right(one: Sequence[bool], other: Sequence[bool]) -> float:
    """Test on paired answers whether the first is right more often."""
    wins = sum(a and not b for a, b in zip(one, other, strict=True))
    losses = sum(b and not a for a, b in zip(one, other, strict=True))
    return mcnemar(wins, losses, alternative="greater")
