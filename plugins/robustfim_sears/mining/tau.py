"""Learn τ from people's ratings: the smallest score of two texts with the same meaning (Ribeiro et al. 2018)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from robustfim.statistics import LEVEL, Rate

__all__ = ["LearnedTau", "largest_f1", "proved_precision"]


@dataclass(frozen=True)
class LearnedTau:
    """A threshold τ above which a score says that two texts mean the same, with its precision and recall.

    Attributes:
        tau: The smallest score that passes.
        precision: The number of equivalent pairs, of all pairs that pass.
        recall: The number of pairs that pass, of all equivalent pairs.
    """

    tau: float
    precision: Rate
    recall: Rate

    @property
    def f1(self) -> float:
        """Return F1 = 2TP / (2TP + FP + FN), in [0, 1]."""
        return 2 * self.precision.count / (self.precision.tested + self.recall.tested)


def _thresholds(scores: Sequence[float], equivalent: Sequence[bool]) -> list[LearnedTau]:
    """Each score as a threshold, the highest first; pairs of one score pass together."""
    found, passed, right, whole = [], 0, 0, sum(equivalent)
    ranked = sorted(zip(scores, equivalent, strict=True), reverse=True)
    for tau, pairs in groupby(ranked, key=lambda pair: pair[0]):
        group = [same for _, same in pairs]
        passed, right = passed + len(group), right + sum(group)
        found.append(LearnedTau(tau, Rate(right, passed), Rate(right, whole)))
    return found


def largest_f1(scores: Sequence[float], equivalent: Sequence[bool]) -> LearnedTau | None:
    """Find the score threshold with the largest F1; of several, the highest threshold.

    Args:
        scores: The score of each pair, ``[pairs]``.
        equivalent: Whether people say that both texts mean the same, ``[pairs]``.

    Returns:
        The threshold; None if no pair is equivalent.
    """
    return (
        max(_thresholds(scores, equivalent), key=lambda threshold: threshold.f1, default=None)
        if any(equivalent)
        else None
    )


def proved_precision(scores: Sequence[float], equivalent: Sequence[bool], delta: float) -> LearnedTau | None:
    """Find the lowest threshold for which it is proved that at most a fraction δ of passing pairs differ in meaning.

    Thresholds are tested from the highest down, each at full level, until a test fails. The order is fixed in advance,
    so all proved thresholds hold simultaneously (Angelopoulos et al. 2021, *Learn then Test*, fixed sequences).

    Args:
        scores: The score of each pair; the pairs are a random sample.
        equivalent: Whether people say that both texts mean the same, ``[pairs]``.
        delta: δ, in (0, 1).

    Returns:
        The threshold; None if no threshold is proved.
    """
    from scipy.stats import binom

    best = None
    for threshold in _thresholds(scores, equivalent):
        passed = threshold.precision.tested
        if binom.cdf(0, passed, delta) > LEVEL:
            continue  # too few pairs to prove anything, whatever people say of them
        if binom.cdf(passed - threshold.precision.count, passed, delta) > LEVEL:
            break
        best = threshold
    return best
