"""Estimates of failure rates, with their tests against limits.

Differences are in :mod:`robustfim.statistics`. They have the same three members: ``rate``, ``tail`` (the
comparison with a limit) and ``examples_to_decide``.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TypeAlias

from robustfim.outcome import Outcome
from robustfim.record import TailRecord
from robustfim.statistics import Excess, Gap, Mean, Rate, Tail, examples_to_decide, tail
from robustfim.statistics.rate import LEVEL
from robustfim.statistics.sequential import stratified_budget
from robustfim.statistics.stratified import Stratum, design_effect, stratified_more, stratified_tail
from robustfim.statistics.validity import ReviewCounts, valid_limit, valid_rate

__all__ = ["Compared", "Estimate", "ValidEstimate"]


@dataclass(frozen=True)
class Estimate:
    """An estimated failure rate, for the examples that a sample represents, with its test against a limit.

    Attributes:
        counts: Failing and tested examples, with the (weighted) failure rate and its 95 % interval.
        effective: The effective sample size (number of independent examples with equal information); None if all are
            independent.
        strata: The sampled groups with their counts, if they are weighted; else empty.
        clustered: The mean over examples or clusters (groups of dependent examples) on which the test is made; None for
            a fraction of independent examples.
        of_file: Whether the rate is estimated for the data alone, not for the population.
        looks: For a check that may stop early, the comparison over all interim tests.
        trials: For a check that may stop early, the number of independent trials per tested example, in (0, 1].
    """

    counts: Rate
    effective: float | None = None
    strata: tuple[Stratum, ...] = ()
    clustered: Mean | None = None
    of_file: bool = False
    looks: TailRecord | None = None
    trials: float = 1.0

    @property
    def rate(self) -> float:
        """The rate that is compared with the limit, in [0, 1]."""
        return self.counts.rate or 0.0

    def tail(self, limit: float) -> Tail:
        """Test the failure rate against a limit in [0, 1], without correction for other checks."""
        if not self.counts.tested:
            return Tail(Outcome.INCONCLUSIVE, 1.0)
        if self.looks is not None:
            return Tail(self.looks.side, self.looks.p_value)
        if self.clustered is not None:
            return self.clustered.tail(limit)
        if self.strata and 0 < limit < 1:
            return stratified_tail(self.strata, limit, of_file=self.of_file)
        return tail(self.counts.count, self.counts.tested, limit)

    def examples_to_decide(self, limit: float, comparisons: float = 1) -> int | None:
        """Return how many more examples a clear verdict needs, with 80 % probability.

        Args:
            limit: The tolerated failure rate, in [0, 1].
            comparisons: The number of comparisons that the result is corrected for, ≥ 1.

        Returns:
            The number, ≥ 1; None if it cannot be estimated.
        """
        tested, decidable = self.counts.tested, 0 < limit < 1
        if self.clustered is not None and decidable:
            more = self.clustered.examples_to_decide(limit, comparisons)
            return None if more is None else math.ceil(more * tested / self.clustered.tested)
        strata = tuple(stratum for stratum in self.strata if stratum.tested)
        if strata and decidable and self.looks is None:
            if strata != self.strata and stratified_tail(strata, limit, of_file=self.of_file).p_value <= LEVEL:
                return None  # more of these would not decide
            return stratified_more(strata, limit, comparisons, of_file=self.of_file)
        left = sum(stratum.size - stratum.drawn for stratum in strata) if strata and self.of_file else math.inf
        if strata and decidable and (needed := stratified_budget(strata, limit, LEVEL / comparisons)):
            return math.ceil(min(max(1, needed - tested), left))
        worth = 1 / design_effect(strata) if strata else self.trials
        found = examples_to_decide(self.rate, tested * worth, limit, comparisons, sequential=self.looks is not None)
        return None if found is None else math.ceil(min(found / worth, left))


@dataclass(frozen=True)
class ValidEstimate(Estimate):
    """The estimated fraction of tested examples with a failure that people call valid.

    Attributes:
        reviewed: People's answers about the failing examples.
    """

    reviewed: ReviewCounts = field(default=ReviewCounts(0))

    @classmethod
    def of(cls, failing: int, tested: int, reviewed: ReviewCounts) -> ValidEstimate:
        """Estimate the rate of failures that people call valid; without any review, the rate of all failures."""
        found = valid_rate(tested, reviewed) if failing else None
        rate, interval = (None, None) if found is None else found
        return cls(Rate(failing, tested, interval, rate), trials=reviewed.worth, reviewed=reviewed)

    def tail(self, limit: float) -> Tail:
        """Compare the rate of valid failures with a limit in [0, 1]."""
        return valid_limit(self.counts.tested, self.reviewed, limit)

    def examples_to_decide(self, limit: float, comparisons: float = 1) -> int | None:
        """Return how many more examples a verdict needs; None if any example fails, since reviews could decide, too."""
        return None if self.counts.count else super().examples_to_decide(limit, comparisons)


Compared: TypeAlias = Estimate | Gap | Excess
"""A quantity that is compared with a limit."""
