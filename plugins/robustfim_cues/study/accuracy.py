"""The accuracies that ``study cues`` compares: on easy, hard, original, mirrored and paired instances."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from robustfim.statistics import Rate, family, mcnemar
from robustfim_cues.models.split import Side
from robustfim_cues.study.folds import Pair
from robustfim_cues.study.training import Asked

__all__ = ["MEASURES", "Accuracy", "Comparison", "accuracies", "comparisons"]

MEASURES: Mapping[str, str] = {
    "easy": "original instances that are solved without the premise",
    "hard": "original instances that are not",
    "original": "original instances",
    "mirrored": "mirrored instances",
    "pairs": "pairs of which both instances are right",
}
"""What is counted, by name. Chance is 1/2, and 1/4 for pairs."""


@dataclass(frozen=True)
class Accuracy:
    """Which instances the models of one training regime answer rightly, by one measure.

    Attributes:
        regime: The training regime, a key of ``REGIMES``.
        measure: A key of ``MEASURES``.
        right: By instance id, whether the answer was right. For pairs: by the id of the original, whether both answers
            were right.
    """

    regime: str
    measure: str
    right: Mapping[str, bool]

    @property
    def rate(self) -> Rate:
        """Return the rate of right answers among the counted answers."""
        return Rate(sum(self.right.values()), len(self.right))


@dataclass(frozen=True)
class Comparison:
    """A comparison of two training regimes on the same instances.

    Attributes:
        measure: A key of ``MEASURES``.
        regimes: The two regimes.
        wins: The number of instances that only the second regime solves.
        losses: The number of instances that only the first regime solves.
        p_value: McNemar's exact, two-sided p-value.
        adjusted: The p-value, corrected by Holm for all measures of these two regimes.
    """

    measure: str
    regimes: tuple[str, str]
    wins: int
    losses: int
    p_value: float
    adjusted: float


def accuracies(asked: Sequence[Asked], pairs: Sequence[Pair], sides: Mapping[str, Side]) -> list[Accuracy]:
    """Count the right answers of each regime over all folds.

    Returns:
        One Accuracy for each regime and measure. An instance without an answer counts as wrong.
    """
    found = []
    for regime in dict.fromkeys(each.training.regime for each in asked):
        own = [each for each in asked if each.training.regime == regime]
        answers = {name: answer for each in own for name, answer in each.answers.items()}
        right = {example.id: answers.get(example.id) == example.label for pair in pairs for example in pair}
        originals = {original.id: right[original.id] for original, _ in pairs}
        counted = {
            "easy": {name: hit for name, hit in originals.items() if sides[name] == "easy"},
            "hard": {name: hit for name, hit in originals.items() if sides[name] == "hard"},
            "original": originals,
            "mirrored": {mirror.id: right[mirror.id] for _, mirror in pairs},
            "pairs": {original.id: right[original.id] and right[mirror.id] for original, mirror in pairs},
        }
        found += [Accuracy(regime, measure, counted[measure]) for measure in MEASURES]
    return found


def comparisons(found: Sequence[Accuracy]) -> list[Comparison]:
    """Compare every two regimes on every measure.

    Args:
        found: The result of :func:`accuracies`.
    """
    by_name = {(accuracy.regime, accuracy.measure): accuracy for accuracy in found}
    compared = []
    for first, second in combinations(dict.fromkeys(accuracy.regime for accuracy in found), 2):
        counts = []
        for measure in MEASURES:
            before, after = by_name[first, measure].right, by_name[second, measure].right
            wins = sum(after[name] and not hit for name, hit in before.items())
            losses = sum(hit and not after[name] for name, hit in before.items())
            counts.append((measure, wins, losses, mcnemar(wins, losses)))
        adjusted = family([p_value for *_, p_value in counts]).tolist()
        compared += [
            Comparison(measure, (first, second), wins, losses, p_value, corrected)
            for (measure, wins, losses, p_value), corrected in zip(counts, adjusted, strict=True)
        ]
    return compared
