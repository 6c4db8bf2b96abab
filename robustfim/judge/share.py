"""A share of examples that is held against a limit: of a sample, of what strata stand for, of valid failures.

Means and differences, which are no shares, are of :mod:`robustfim.statistics`; all answer to the same three questions:
the rate, its comparison with a limit, and how many more examples would decide.
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
    """The share of failing examples among those tested.

    Attributes:
        failing: How many fail.
        tested: Of how many, ≥ 1.
        worth: What an example is worth in independent ones, in (0, 1]: less than 1 in clusters.
        looks: The comparison at all looks, with a budget.
        clustered: The examples by their clusters, each for what it stands for; None where all are independent.
    """

    failing: int
    tested: int
    worth: float = 1.0
    looks: TailRecord | None = None
    clustered: Mean | None = None

    @property
    def estimate(self) -> tuple[float, Interval] | None:
        """The rate of what the limit is for with its interval, where that is another than what was counted."""
        return None

    @property
    def rate(self) -> float:
        """What is compared with the limit, in [0, 1]."""
        estimate = self.estimate
        return self.failing / self.tested if estimate is None else estimate[0]

    def tail(self, limit: float) -> Tail:
        """Compare with a limit in [0, 1], not yet corrected for other checks; with a budget at all looks."""
        if self.looks is not None:
            return Tail(self.looks.side, self.looks.p_value)
        if self.clustered is not None:
            return self.clustered.tail(limit)
        return tail(self.failing * self.worth, self.tested * self.worth, limit)

    def examples_to_decide(self, limit: float, comparisons: float = 1) -> int | None:
        """Tell how many more examples decide in 80 % of cases, ≥ 1; None where none is told."""
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
    """The share of all that strata stand for.

    Attributes:
        strata: The arms with what they stand for.
        of_file: Whether that is the data alone.
        sequence: The confidence sequence of all of that, with a budget.
    """

    strata: tuple[Stratum, ...] = ()
    of_file: bool = False
    sequence: Interval | None = None

    @property
    def estimate(self) -> tuple[float, Interval] | None:
        """The rate of all that the arms stand for with its interval; None where one of them was not sampled."""
        estimate = stratified_rate(self.strata, of_file=self.of_file)
        ends = self.sequence or (None if self.clustered is None else self.clustered.interval)
        return estimate if estimate is None or ends is None else (estimate[0], ends)

    def tail(self, limit: float) -> Tail:
        """Compare with a limit; of 0 and of 1 the counts alone tell."""
        if self.looks is None and self.clustered is None and 0 < limit < 1:
            return stratified_tail(self.strata, limit, of_file=self.of_file)
        return super().tail(limit)

    def examples_to_decide(self, limit: float, comparisons: float = 1) -> int | None:
        """Tell how many more examples decide in 80 % of cases, of the file at most those that are left."""
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
    """The share of examples with a failure that is valid.

    Attributes:
        reviewed: What people say of the failing examples.
    """

    reviewed: ReviewCounts = field(default=ReviewCounts(0))

    @property
    def estimate(self) -> tuple[float, Interval] | None:
        """The rate of valid failures with its interval; None where nothing fails, or nobody looked at one."""
        return valid_rate(self.tested, self.reviewed, self.worth) if self.failing else None

    def tail(self, limit: float) -> Tail:
        """Compare with a limit by what was answered."""
        return valid_limit(self.tested, self.reviewed, limit, self.worth)

    def examples_to_decide(self, limit: float, comparisons: float = 1) -> int | None:
        """Tell none where something fails, for answers decide, too."""
        return None if self.failing else super().examples_to_decide(limit, comparisons)


Compared: TypeAlias = Share | Measure
"""What is held against a limit."""
