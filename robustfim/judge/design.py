"""The sampling design that drew a check's examples, and the rates that it estimates from trials."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace

from robustfim.judge.check_counts import CheckCounts
from robustfim.judge.estimate import Estimate
from robustfim.judge.trials import Trials
from robustfim.record import Counted
from robustfim.statistics import Rate, clustered_rate
from robustfim.statistics.clusters import clustered_mean
from robustfim.statistics.estimand import MEAN
from robustfim.statistics.rate import Interval, wilson
from robustfim.statistics.stratified import Stratum, stratified_rate

__all__ = ["Design", "looks_of"]


@dataclass(frozen=True)
class Design:
    """The sampling design of a check: how its examples were drawn from the data.

    Attributes:
        strata: The number of data examples that each sampled group (arm) represents, by name; empty if the tested
            examples represent only themselves.
        of_file: Whether the rate is estimated for the data alone, not for the population from which the data come.
        mean: Whether the rate is a mean of numbers in [0, 1].
        looks: If the check could stop early, depending on which examples fail: its trials with the interval of their
            rate, or those of each of several checks; else empty. Every interval then holds at any time of the test.
    """

    strata: Mapping[str, Stratum] = field(default_factory=dict)
    of_file: bool = False
    mean: bool = False
    looks: tuple[tuple[Trials, Interval], ...] = ()

    @classmethod
    def of(cls, check: CheckCounts) -> Design:
        """Return the design of a check."""
        strata = dict(zip(check.arms, check.strata, strict=False))
        return cls(strata, check.limit_of_file, check.estimand is MEAN, looks_of(check, check.trials))

    @classmethod
    def together(cls, designs: Collection[Design], trials: Trials) -> Design:
        """Return the sampling design of several checks together: an example is tested if any of them tested it.

        Args:
            designs: The designs of the checks.
            trials: The results of the checks, one row per example.
        """
        drawn = ((arm, stratum) for design in designs for arm, stratum in design.strata.items())
        strata = dict(sorted(drawn, key=lambda part: part[1].drawn))  # the largest draw of each arm
        of_file, mean = all(design.of_file for design in designs), any(design.mean for design in designs)
        looks = tuple(look for design in designs for look in design.looks)
        return cls(strata, of_file, mean, looks)

    def estimate(self, trials: Trials, *, whole: bool = False) -> Estimate:
        """Estimate the failure rate in a part of the data, such as a slice, from the results of its tested examples.

        Sampled groups (arms) are weighted if they represent the data unequally, or if the rate is wanted for the data
        alone. The size of the part in each group is estimated from the group's drawn examples (a two-phase sample). A
        group without a tested example of the part may still hold some that were not drawn.

        Args:
            trials: The results of the part's tested examples.
            whole: Whether all examples of the part were drawn.
        """
        ids, wrong, clusters = trials.example.tolist(), trials.failing, trials.clusters
        if self.mean and ids:
            mean = trials.mean()
            return Estimate(Rate(len(wrong), len(ids), mean.interval, mean.rate), clustered=mean)
        rate, effective = clustered_rate(wrong, ids, clusters)
        clustered = clustered_mean(wrong, ids, clusters, looks=bool(self.looks))
        if self.looks and clustered is not None:
            rate = Rate(len(wrong), len(ids), self._of_all(trials) or clustered.interval)
        arms = {arm: trials.where(trials.stratum == arm) for arm in self.strata}
        parts = {arm: self._part(arm, own) for arm, own in arms.items()}
        held = {arm: part for arm, part in parts.items() if part.tested or not (whole or part.drawn >= part.size)}
        if not ids or not (
            self.of_file or (len(held) > 1 and any(stratum.drawn < stratum.size for stratum in held.values()))
        ):
            return Estimate(rate, effective, clustered=clustered)
        if self.of_file:
            clustered = None
        elif clustered is not None:
            stands_for = {arm: stratum.size / max(1, stratum.drawn) for arm, stratum in held.items()}
            weights = {id: stands_for[arm] for id, arm in zip(ids, trials.stratum.tolist(), strict=True)}
            largest = max(size for _, size in clustered.trials)
            clustered = clustered_mean(wrong, ids, clusters, weights=weights, looks=bool(self.looks))
            # An arm without a tested example may hold a cluster of which none was drawn.
            empty = sum(stands_for[arm] for arm, stratum in held.items() if not stratum.tested)
            clustered = clustered and replace(clustered, unseen=largest * empty)
        found = stratified_rate([*held.values()], of_file=self.of_file)
        if found is not None:
            ends = self._of_all(trials) or (found[1] if clustered is None else clustered.interval)
            rate = Rate(len(wrong), len(ids), ends, found[0])
        return Estimate(rate, effective, tuple(held.values()), clustered, self.of_file)

    def _of_all(self, trials: Trials) -> Interval | None:
        """The interval of a check that could stop early, if a part holds all its tested examples."""
        failing, tested = trials.failing, trials.tested
        same = (interval for own, interval in self.looks if (own.failing, own.tested) == (failing, tested))
        return next(same, None)

    def _part(self, arm: str, trials: Trials) -> Stratum:
        """The arm, of whose drawn examples only those of some trials belong to the part."""
        whole, tested = self.strata[arm], len(trials)
        return replace(whole, drawn=max(whole.drawn, tested), tested=tested, failing=len(trials.failing))


def looks_of(check: Counted, trials: Trials) -> tuple[tuple[Trials, Interval], ...]:
    """Return the trials of a check with the interval of their rate if the check could stop early, else nothing."""
    budget = check.budget
    ends = None if budget is None else budget.interval or check.interval or wilson(check.failing, check.tested)
    return () if ends is None else ((trials, ends),)
