"""Fractions of examples that are compared with a limit: of a sample, weighted over strata, or of valid failures.

Means and differences are in :mod:`robustfim.statistics`. Every class has the same three methods: ``rate``, ``tail``
(the comparison with a limit) and ``examples_to_decide``.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TypeAlias

from robustfim.judge.check_counts import Measure
from robustfim.record import TailRecord
from robustfim.statistics import Interval, Tail, examples_to_decide, tail
from robustfim.statistics.mean import Mean
from robustfim.statistics.rate import LEVEL
from robustfim.statistics.sequential import stratified_budget
from robustfim.statistics.stratified import (
    Stratum,
    design_effect,
    stratified_more,
    stratified_rate,
    stratified_tail,
)
from robustfim.statistics.validity import ReviewCounts, valid_limit, valid_rate

__all__ = ["Compared", "Share", "StratifiedShare", "ValidShare"]


@dataclass(frozen=True)
class Share:
    """The fraction of failing examples among the tested examples.

    Attributes:
        failing: The number of failing examples, ≤ tested.
        tested: The number of tested examples, ≥ 1.
        worth: Independent trials per tested example, in (0, 1]: below 1 with clusters; used to estimate further
            examples.
        looks: With a budget, the comparison over all interim looks at the data.
        clustered: The weighted examples by cluster; None if all examples are independent.
    """

    failing: int
    tested: int
    worth: float = 1.0
    looks: TailRecord | None = None
    clustered: Mean | None = None

    @property
    def estimate(self) -> tuple[float, Interval] | None:
        """The rate that the limit is for, with its interval; None if the limit is for the counted rate."""
        return None

    @property
    def rate(self) -> float:
        """The rate that is compared with the limit, in [0, 1]."""
        estimate = self.estimate
        return self.failing / self.tested if estimate is None else estimate[0]

    def tail(self, limit: float) -> Tail:
        """Compare the rate with a limit in [0, 1], uncorrected for other checks; with a budget, over all looks."""
        if self.looks is not None:
            return Tail(self.looks.side, self.looks.p_value)
        if self.clustered is not None:
            return self.clustered.tail(limit)
        return tail(self.failing, self.tested, limit)

    def examples_to_decide(self, limit: float, comparisons: float = 1) -> int | None:
        """Return how many more examples would decide in 80 % of cases, ≥ 1; None if the number cannot be estimated."""
        if self.clustered is not None and self.looks is None and 0 < limit < 1:
            more = self.clustered.examples_to_decide(limit, comparisons)
            return None if more is None else math.ceil(more * self.tested / self.clustered.tested)
        return self._more(limit, comparisons, self.worth, math.inf)

    def _more(self, limit: float, comparisons: float, worth: float, left: float) -> int | None:
        sequential = self.looks is not None
        more = examples_to_decide(self.rate, self.tested * worth, limit, comparisons, sequential=sequential)
        return None if more is None else math.ceil(min(more / worth, left))


@dataclass(frozen=True)
class StratifiedShare(Share):
    """The failure rate of the whole data, estimated from strata.

    Attributes:
        strata: The arms, each with the number of examples that it represents.
        of_file: Whether the rate in the data is asked for, not the rate in the population.
        sequence: With a budget, the confidence sequence of the rate.
    """

    strata: tuple[Stratum, ...] = ()
    of_file: bool = False
    sequence: Interval | None = None

    @property
    def estimate(self) -> tuple[float, Interval] | None:
        """The weighted rate over all arms, with its interval; None if an arm was not sampled."""
        estimate = stratified_rate(self.strata, of_file=self.of_file)
        ends = self.sequence or (None if self.clustered is None else self.clustered.interval)
        return estimate if estimate is None or ends is None else (estimate[0], ends)

    def tail(self, limit: float) -> Tail:
        """Compare the rate with a limit in [0, 1]; for the limits 0 and 1 the counts alone decide."""
        if self.looks is None and self.clustered is None and 0 < limit < 1:
            return stratified_tail(self.strata, limit, of_file=self.of_file)
        return super().tail(limit)

    def examples_to_decide(self, limit: float, comparisons: float = 1) -> int | None:
        """Return how many more examples would decide in 80 % of cases; for the rate in the data, at most the rest."""
        if self.clustered is not None:
            return super().examples_to_decide(limit, comparisons)
        strata = tuple(each for each in self.strata if each.tested)
        if strata and 0 < limit < 1 and self.looks is None:
            return stratified_more(strata, limit, comparisons, of_file=self.of_file)
        left = sum(each.size - each.drawn for each in strata) if self.of_file else math.inf
        if strata and 0 < limit < 1 and (needed := stratified_budget(strata, limit, LEVEL / comparisons)):
            return math.ceil(min(max(1, needed - self.tested), left))
        return self._more(limit, comparisons, 1 / design_effect(strata) if strata else self.worth, left)


@dataclass(frozen=True)
class ValidShare(Share):
    """The fraction of tested examples with a failure that people call valid.

    Attributes:
        reviewed: People's answers about the failing examples.
    """

    reviewed: ReviewCounts = field(default=ReviewCounts(0))

    @property
    def estimate(self) -> tuple[float, Interval] | None:
        """The rate of valid failures with its interval; None if nothing fails, or nobody reviewed a failure."""
        return valid_rate(self.tested, self.reviewed, self.worth) if self.failing else None

    def tail(self, limit: float) -> Tail:
        """Compare the rate of valid failures with a limit in [0, 1]."""
        return valid_limit(self.tested, self.reviewed, limit, self.worth)

    def examples_to_decide(self, limit: float, comparisons: float = 1) -> int | None:
        """Return how many more examples would decide; None if anything fails, since more answers could decide, too."""
        return None if self.failing else super().examples_to_decide(limit, comparisons)


Compared: TypeAlias = Share | Measure
"""A quantity that is compared with a limit."""
