"""The label mapping: which label of the model corresponds to each label of the data."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from robustfim.labels import match_name
from robustfim.statistics import LEVEL, Association, association

__all__ = ["SIGNIFICANT", "LabelMapping", "best_assignment", "compare_labels"]

SIGNIFICANT = 0.05
"""The largest p-value at which one assignment counts as better than another."""
_TABLES = 10_000
"""Tables with the same margins that are drawn to see how much better chance alone makes an assignment."""


@dataclass(frozen=True)
class LabelMapping:
    """How well a model's answers fit the data's labels, under several assignments of data to model labels.

    Assignments are compared by Matthews' coefficient of labels and answers, not by the number of agreeing answers. If
    one label is frequent, more answers may agree under an assignment that swaps the labels.

    Attributes:
        named: For each data label, the model label of the same name; data labels that the model lacks are left out.
        unknown: The data labels without a model label of the same name, with their numbers of examples.
        best: The assignment of data labels to model labels with the best fit.
        total: The number of compared examples.
        right: The number of answers that agree under ``named``.
        best_right: The number of answers that agree under the best assignment of the other half of the sample. So no
            example is judged by an assignment that it helped to choose.
        settled: Whether ``best`` is also the best assignment of each half of the sample.
        p_better: The p-value of ``best`` fitting better than ``named``: the probability of so large a difference by
            chance.
        fits: The association of labels and answers under ``named``; None if labels or answers are all the same.
        best_fits: The association under the best assignment of the other half.
        only: The label of all examples; None if there are several labels.
    """

    named: Mapping[str, str]
    unknown: Mapping[str, int]
    best: Mapping[str, str]
    total: int
    right: int
    best_right: int
    settled: bool
    p_better: float
    fits: Association | None
    best_fits: Association | None
    only: str | None

    @property
    def wrong(self) -> bool:
        """Return whether another assignment is needed: labels are unknown, or ``best`` is significantly better."""
        return bool(self.unknown) or (dict(self.best) != dict(self.named) and self.p_better <= SIGNIFICANT)

    @property
    def swapped(self) -> bool:
        """Return whether data and model have labels of the same names, but the best assignment exchanges them."""
        own, answers = ({each.casefold() for each in side} for side in (self.best, self.best.values()))
        return own == answers and any(mine.casefold() != its.casefold() for mine, its in self.best.items())

    @property
    def believable(self) -> bool:
        """Return whether the best assignment of data labels to model labels can be trusted.

        The assignment must cover every label, be the best assignment of both halves, and have a significantly positive
        association.
        """
        complete = len(self.best) == len(self.named) + len(self.unknown)
        return complete and self.settled and self.best_fits is not None and self.best_fits.p_positive <= LEVEL

    @property
    def sure(self) -> bool:
        """Return whether the association of labels and answers under ``named`` is significantly positive."""
        return self.fits is not None and self.fits.p_positive <= LEVEL

    @property
    def weak(self) -> bool:
        """Return whether the answers are no better than chance under ``named``."""
        return self.only is None and (self.fits is None or self.fits.coefficient <= 0)


def best_assignment(gold: Sequence[str], predicted: Sequence[str], labels: Sequence[str]) -> dict[str, str]:
    """Assign each data label to a different model label, so that labels and answers agree best (Kuhn 1955).

    The assignment maximises a − e, where a is the fraction of agreeing answers and e the fraction expected by chance.
    a − e is the numerator of Matthews' coefficient; the denominator is the same for all assignments of all labels.

    Args:
        gold: The data's labels, ``[examples]``.
        predicted: The model's predictions, ``[examples]``.
        labels: The model's labels.

    Returns:
        The model label of each data label, by data labels in sorted order. Of equally good assignments, one that keeps
        the most names. If the data has more labels than the model, the labels that would add least are left out.
    """
    import numpy as np
    from scipy.optimize import linear_sum_assignment

    gold_labels, counts = sorted(set(gold)), Counter(zip(gold, predicted, strict=True))
    table = np.array([[counts[gold_label, label] for label in labels] for gold_label in gold_labels], dtype=np.int64)
    agreeing = len(gold) * table - np.outer(table.sum(axis=1), table.sum(axis=0))
    # Agreement beyond chance first; one kept name counts less than one agreeing answer.
    kept = np.array(
        [[match_name(gold_label, labels) == label for label in labels] for gold_label in gold_labels], dtype=np.int64
    )
    weights = agreeing * (len(gold_labels) + 1) + kept
    rows, columns = linear_sum_assignment(weights, maximize=True)
    return {gold_labels[row]: labels[column] for row, column in zip(rows, columns, strict=True)}


def compare_labels(gold: Sequence[str], predicted: Sequence[str], labels: Sequence[str]) -> LabelMapping:
    """Compare the data's labels with a model's predictions, under the best assignment of label names.

    Args:
        gold: The data's labels, ``[examples]``, in a random order; at least one.
        predicted: The model's predictions, ``[examples]``.
        labels: The model's labels.
    """
    names = {label: match_name(label, labels) for label in sorted(set(gold))}
    named = {label: name for label, name in names.items() if name is not None}
    counts = Counter(gold)
    best = best_assignment(gold, predicted, labels)
    # The examples at even places are judged by those at odd places, and the other way round.
    halves = [best_assignment(gold[k::2], predicted[k::2], labels) if len(gold) > 1 else best for k in (1, 0)]
    meant = [named.get(label) for label in gold]
    best_meant = [halves[index % 2].get(label) for index, label in enumerate(gold)]
    return LabelMapping(
        named=named,
        unknown={label: counts[label] for label in names if label not in named},
        best=best,
        total=len(gold),
        right=_agreeing(meant, predicted),
        best_right=_agreeing(best_meant, predicted),
        settled=all(half.get(label) == name for half in halves for label, name in best.items() if label in half),
        p_better=_better_by_chance(gold, predicted, named, halves),
        fits=_association(meant, predicted, labels),
        best_fits=_association(best_meant, predicted, labels),
        only=gold[0] if len(counts) == 1 else None,
    )


def _agreeing(meant: Sequence[str | None], predicted: Sequence[str]) -> int:
    return sum(label == answer for label, answer in zip(meant, predicted, strict=True))


def _association(meant: Sequence[str | None], predicted: Sequence[str], labels: Sequence[str]) -> Association | None:
    """Measure how answers go with what they should be; a label that has no name is one that no answer meets."""
    import numpy as np

    numbers: dict[str | None, int] = {label: number for number, label in enumerate((*labels, None))}
    gold, answers = (np.array([numbers[each] for each in side], dtype=np.int64) for side in (meant, predicted))
    return association(gold, answers)


def _better_by_chance(
    gold: Sequence[str], predicted: Sequence[str], named: Mapping[str, str], halves: Sequence[Mapping[str, str]]
) -> float:
    """Test whether assignments agree with more answers than names do, beyond what chance alone makes of it.

    Only examples whose label is assigned to another name can tell. Among them, chance gives each label its answers at
    random: tables with the same margins are drawn, which is exact for two labels.
    """
    import numpy as np
    from scipy.stats import random_table

    difference, by_chance = 0, np.zeros(_TABLES, dtype=np.int64)
    for k, half in enumerate(halves):
        renamed = [label for label in sorted(half) if half[label] != named.get(label)]
        pairs = Counter(
            (label, answer) for label, answer in zip(gold[k::2], predicted[k::2], strict=True) if label in renamed
        )
        if not pairs:
            continue
        own, said = (sorted(set(side)) for side in zip(*pairs, strict=True))
        table = np.array([[pairs[label, answer] for answer in said] for label in own])
        gains = np.array(
            [[(half[label] == answer) - (named.get(label) == answer) for answer in said] for label in own], dtype=int
        )
        difference += int((gains * table).sum())
        draws = random_table.rvs(table.sum(axis=1), table.sum(axis=0), size=_TABLES, random_state=k)
        by_chance += (draws.astype(np.int64) * gains).sum(axis=(1, 2))
    return float(1 + (by_chance >= difference).sum()) / (1 + _TABLES)
