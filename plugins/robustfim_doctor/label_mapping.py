"""The label mapping: which of the model's labels each label of the data stands for."""

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
    """How the labels of a sample fit what a model says of it.

    What an assignment is worth is how the answers go with the labels under it, by Matthews' coefficient: where one
    label is common, more answers may agree under an assignment that turns everything round.

    Attributes:
        named: Data label to the model's label of that name; the data's labels that the model lacks are not in it.
        unknown: Data labels that the model does not know by name, with their number of examples.
        best: The assignment of data labels to model labels that goes best with the answers.
        total: Examples compared.
        right: Answers that agree under ``named``.
        best_right: Answers that agree under the best assignment of the other half of the sample, so that no
            example is judged by an assignment that it helped to choose.
        settled: Whether both halves of the sample choose ``best``.
        p_better: How often chance alone makes ``best`` so much better than ``named``, judged in the same halves.
        fits: How the answers go with the labels under ``named``; None where either are all one.
        best_fits: The same under the best assignment of the other half.
        only: The label of all examples; None where there are several.
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
        """Whether another assignment is needed: labels are unknown, or it is better beyond chance."""
        return bool(self.unknown) or (dict(self.best) != dict(self.named) and self.p_better <= SIGNIFICANT)

    @property
    def swapped(self) -> bool:
        """Whether data and model have the same names, whatever their case, and ``best`` puts them in another order."""
        own, answers = ({each.casefold() for each in side} for side in (self.best, self.best.values()))
        return own == answers and any(mine.casefold() != its.casefold() for mine, its in self.best.items())

    @property
    def believable(self) -> bool:
        """Whether ``best`` names every label, both halves choose it, and the answers surely go with it."""
        complete = len(self.best) == len(self.named) + len(self.unknown)
        return complete and self.settled and self.best_fits is not None and self.best_fits.p_positive <= LEVEL

    @property
    def sure(self) -> bool:
        """Whether the answers, with the names as they are, surely go with the labels."""
        return self.fits is not None and self.fits.p_positive <= LEVEL

    @property
    def weak(self) -> bool:
        """Whether the answers, with the names as they are, go with the labels no better than any others would."""
        return self.only is None and (self.fits is None or self.fits.coefficient <= 0)


def best_assignment(gold: Sequence[str], predicted: Sequence[str], labels: Sequence[str]) -> dict[str, str]:
    """Give each data label a model label of its own so that labels and answers go together best (Kuhn 1955).

    The assignment has the largest a − e, with a the share of answers that agree and e what chance gives, which is the
    numerator of Matthews' coefficient; its denominator is that of every assignment of all labels.

    Args:
        gold: The data's labels, ``[examples]``.
        predicted: The model's predictions, ``[examples]``.
        labels: The model's labels.

    Returns:
        Data label to model label, by the data's labels in sorted order. Of equally good assignments, one that
        keeps the most names. With more labels than the model has, those that would add least are left out.
    """
    import numpy as np
    from scipy.optimize import linear_sum_assignment

    gold_labels, counts = sorted(set(gold)), Counter(zip(gold, predicted, strict=True))
    table = np.array([[counts[each, label] for label in labels] for each in gold_labels], dtype=np.int64)
    agreeing = len(gold) * table - np.outer(table.sum(axis=1), table.sum(axis=0))
    # Agreement beyond chance first; one kept name counts less than one agreeing answer.
    kept = np.array([[match_name(each, labels) == label for label in labels] for each in gold_labels], dtype=np.int64)
    weights = agreeing * (len(gold_labels) + 1) + kept
    rows, columns = linear_sum_assignment(weights, maximize=True)
    return {gold_labels[row]: labels[column] for row, column in zip(rows, columns, strict=True)}


def compare_labels(gold: Sequence[str], predicted: Sequence[str], labels: Sequence[str]) -> LabelMapping:
    """Compare the data's labels with a model's predictions.

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
