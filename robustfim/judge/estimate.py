"""Estimates: the rate of what some trials stand for, by the design that drew them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace

from robustfim.judge.check_counts import CheckCounts
from robustfim.judge.trials import Trials
from robustfim.statistics import Rate, clustered_rate
from robustfim.statistics.clusters import clustered_mean
from robustfim.statistics.estimand import MEAN
from robustfim.statistics.mean import Mean
from robustfim.statistics.stratified import Stratum, stratified_rate

__all__ = ["Design", "Estimate"]


@dataclass(frozen=True)
class Estimate:
    """The rate of the examples that some trials stand for.

    Attributes:
        rate: The failing among the tested examples, with the rate of all that they stand for and its interval.
        effective: As many independent examples the tested ones are worth; None where all are independent.
        strata: What each arm stands for, where the arms are weighted; else none.
        clustered: The examples by their clusters, which test the rate against a limit; None where all are independent.
    """

    rate: Rate
    effective: float | None = None
    strata: tuple[Stratum, ...] = ()
    clustered: Mean | None = None


@dataclass(frozen=True)
class Design:
    """How the examples of a check were drawn.

    Attributes:
        strata: What each arm stands for, by name; empty where the tested examples are all there are.
        asked: The examples of each arm that a part of the data is counted among: those that were tested; of a tagger
            also those in which nothing was found to judge.
        of_file: Whether the rate of the data themselves is asked for, and not that of what they were drawn from.
        one_cluster: Whether all tested examples lie in one cluster, of which alone the rate then is.
        mean: Whether the rate is a mean of numbers in [0, 1].
        looks: Whether a budget ended the draw by which examples fail.
    """

    strata: Mapping[str, Stratum] = field(default_factory=dict)
    asked: Mapping[str, int] = field(default_factory=dict)
    of_file: bool = False
    one_cluster: bool = False
    mean: bool = False
    looks: bool = False

    @classmethod
    def of(cls, check: CheckCounts) -> Design:
        """Give the design of a check."""
        asked = {name: arm.drawn if check.missed else arm.tested for name, arm in check.arms.items()}
        strata = dict(zip(check.arms, check.strata, strict=False))
        one, looks = check.clusters == 1, check.budget is not None
        return cls(strata, asked, check.limit_of_file, one, check.estimand is MEAN, looks)

    @classmethod
    def together(cls, designs: Collection[Design], trials: Trials) -> Design:
        """Give the design of several checks: an example is tested where any of them tested it.

        Args:
            designs: Those of the checks.
            trials: Their trials, a row an example.
        """
        strata = {arm: each for design in designs for arm, each in design.strata.items()}
        of_file, mean = all(design.of_file for design in designs), any(design.mean for design in designs)
        one = any(design.one_cluster for design in designs)
        return cls(strata, Counter(trials.stratum), of_file, one, mean)

    def estimate(self, trials: Trials) -> Estimate:
        """Estimate the rate of a part of the data from its trials, a row an example.

        A part's share of an arm is that of its tested examples: a sample in two phases. Arms are weighted where they
        stand for unequal parts, and where the rate of the data themselves is asked for: of these single examples are
        drawn, so that their clusters say nothing. A part that lies in one of several clusters is worth one example.
        """
        ids, wrong, clusters = trials.example.tolist(), trials.failing, trials.clusters
        if self.mean and ids:
            mean = trials.mean()
            return Estimate(Rate(len(wrong), len(ids), mean.interval, mean.rate))
        rate, effective = clustered_rate(wrong, ids, clusters)
        alone = len(ids) > 1 and not self.one_cluster and len({clusters.get(id) for id in ids}) == 1 and bool(clusters)
        if alone:
            mean = Mean.of({id: float(id in wrong) for id in ids}, clusters)
            rate, effective = Rate(len(wrong), len(ids), mean.interval), 1.0
            clustered: Mean | None = mean
        else:
            clustered = clustered_mean(wrong, ids, clusters, looks=self.looks)
        arms = {arm: trials.where(trials.stratum == arm) for arm in self.strata}
        held = {arm: self._part(arm, own) for arm, own in arms.items() if len(own)}
        if not held or not (self.of_file or (len(held) > 1 and any(each.drawn < each.size for each in held.values()))):
            return Estimate(rate, effective, clustered=clustered)
        if self.of_file:
            clustered = None
        elif clustered is not None and not alone:
            stands_for = {arm: each.size / max(1, each.drawn) for arm, each in held.items()}
            weights = {id: stands_for[arm] for id, arm in zip(ids, trials.stratum.tolist(), strict=True)}
            clustered = clustered_mean(wrong, ids, clusters, weights=weights, looks=self.looks)
        found = stratified_rate([*held.values()], of_file=self.of_file)
        if found is not None:
            rate = Rate(len(wrong), len(ids), found[1] if clustered is None else clustered.interval, found[0])
        return Estimate(rate, effective, tuple(held.values()), clustered)

    def _part(self, arm: str, trials: Trials) -> Stratum:
        """The part of an arm that some trials are of."""
        whole, tested = self.strata[arm], len(trials)
        share = tested / max(1, self.asked[arm])
        drawn, size = max(whole.drawn * share, tested), whole.size * share
        if self.of_file:  # the examples that were not drawn are counted
            drawn, size = max(round(drawn), tested), round(size)
        size = max(size, drawn)
        return replace(whole, size=size, drawn=drawn, tested=tested, failing=len(trials.failing))
