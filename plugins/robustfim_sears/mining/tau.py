"""τ from people: the least score of two texts that mean the same (Ribeiro, Singh and Guestrin 2018)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from robustfim.statistics import LEVEL, Rate

__all__ = ["LearnedTau", "largest_f1", "proved_precision"]


@dataclass(frozen=True)
class LearnedTau:
    """A threshold, and the pairs that reach it.

    Attributes:
        tau: The least score that passes.
        precision: Equivalent pairs among all that reach it.
        recall: Pairs that reach it among all equivalent ones.
    """

    tau: float
    precision: Rate
    recall: Rate

    @property
    def f1(self) -> float:
        """2TP / (2TP + FP + FN), in [0, 1]."""
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
    """Find the threshold with the largest F1, the highest of several.

    Args:
        scores: S of each pair.
        equivalent: Whether people say that both texts mean the same, ``[pairs]``.

    Returns:
        None if no pair is equivalent.
    """
    return max(_thresholds(scores, equivalent), key=lambda each: each.f1, default=None) if any(equivalent) else None


def proved_precision(scores: Sequence[float], equivalent: Sequence[bool], delta: float) -> LearnedTau | None:
    """Find the lowest threshold above which at most a fraction δ of pairs is proved to differ in meaning.

    Thresholds are tested from the highest on, each at full level, until one cannot be proved. The order is fixed
    beforehand, so that all of them hold together (Angelopoulos et al. 2021, *Learn then Test*, fixed sequences).

    Args:
        scores: S of each pair; the pairs are a random sample.
        equivalent: Whether people say that both texts mean the same, ``[pairs]``.
        delta: δ, in (0, 1).

    Returns:
        None if no threshold is proved.
    """
    from scipy.stats import binom

    best = None
    for each in _thresholds(scores, equivalent):
        passed = each.precision.tested
        if binom.cdf(0, passed, delta) > LEVEL:
            continue  # too few pairs to prove anything, whatever people say of them
        if binom.cdf(passed - each.precision.count, passed, delta) > LEVEL:
            break
        best = each
    return best
