"""Budgets: how many examples a check draws until its verdict is certain, and how often the verdict is wrong."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import brentq
from scipy.special import xlogy
from scipy.stats import norm

from benchmarks.sections import listed, verdict
from benchmarks.stratified import rates_within
from robustfim.outcome import Outcome
from robustfim.statistics import LEVEL, Martingale, Spending, allocation, deciding_block, examples_to_decide

__all__ = ["Stopped", "as_markdown", "simulate_scored", "simulate_stopping", "stopping"]

MOST = 3000
"""Examples after which a run has to end."""
LOOKS = (*range(32, MOST, 32), MOST)
"""Examples at which a run looks."""
RATES = {0.02: (0.0, 0.005, 0.01, 0.02, 0.03, 0.04, 0.1), 0.15: (0.05, 0.1, 0.15, 0.2, 0.3)}
"""True rates by limit."""
DATA, DRAWN = 10_000, 3000
"""Examples of the data of which a score is known, and those drawn from its strata."""
SCORED = {0.9: (0.005, 0.04, 0.02), 0.95: (0.005, 0.04), 0.99: (0.005, 0.04), 0.5: (0.005, 0.04)}
"""True rates by the AUROC of a score, held against 2 %."""
CLUSTERED = (
    (0.02, 0.005, 5, True), (0.02, 0.04, 5, True), (0.02, 0.02, 5, True), (0.15, 0.1, 10, True),
    (0.15, 0.2, 10, True), (0.15, 0.15, 10, True), (0.15, 0.15, 10, False),
)  # fmt: skip
"""Limits and true rates of data in clusters of so many, at an AUROC of 0.9, and whether the check knows of them."""
BOUNDS = {0.9: 359, 0.95: 325, 0.99: 280}
"""Examples that prove 2 % at a true 0.5 % with a score of that AUROC, at best; the aim is 1.25 times as many."""
AIMS = {(0.02, 0.005): 560, (0.02, 0.04): 560}
"""Tested examples in the mean, at most, without a score."""


@dataclass(frozen=True)
class Stopped:
    """The results of many runs of one check that stop when the verdict is certain.

    Attributes:
        limit: The limit.
        rate: The true failure rate.
        runs: The number of simulated runs.
        tested: The mean, the median and the 90th percentile of the number of tested examples. An inconclusive run tests
            all examples.
        passed: The fraction of runs that pass.
        failed: The fraction of runs that fail.
        auroc: The AUROC of the score from whose strata the examples are drawn, for failing examples; None without a
            score.
        of_file: Whether the verdict is about the failure rate of the data, not of the population.
        cluster: The number of examples of each cluster; all examples of a cluster fail, or none.
        told: Whether the check takes the clusters into account.
        rates: The failure rate of each stratum, and the fraction of the data in each stratum.
    """

    limit: float
    rate: float
    runs: int
    tested: tuple[float, float, float]
    passed: float
    failed: float
    auroc: float | None = None
    of_file: bool = False
    cluster: int = 1
    told: bool = True
    rates: tuple[NDArray[np.float64], NDArray[np.float64]] | None = field(default=None, compare=False)

    @property
    def aim(self) -> float | None:
        """The largest mean number of tested examples that meets the aim; None without an aim."""
        if self.cluster > 1:
            return None
        if self.auroc is None:
            return AIMS.get((self.limit, self.rate))
        if self.rate == 0.04 and self.auroc == 0.9:
            return 220
        return 1.25 * BOUNDS[self.auroc] if self.rate == 0.005 and self.auroc in BOUNDS else None

    @property
    def bound(self) -> float | None:
        """The number of examples that a test would need if it knew the true rate; None if the rate is the limit.

        This is log 40 divided by the Kullback-Leibler divergence of the rate from the limit (Wald 1947). With strata,
        the rate of each stratum is known, and the strata are drawn so often that their divergences are equal.
        """
        if self.rate == self.limit:
            return None
        if self.rates is not None:
            return -math.log(LEVEL) / _divergence(*self.rates, self.limit)
        fails = self.rate * math.log(self.rate / self.limit) if self.rate else 0.0
        holds = (1 - self.rate) * math.log((1 - self.rate) / (1 - self.limit))
        return -math.log(LEVEL) / (fails + holds)

    @property
    def at_once(self) -> int | None:
        """The number of examples with which a single test, after all examples, decides in 80 % of cases, if known."""
        return None if self.auroc else examples_to_decide(self.rate, 0, self.limit)

    @property
    def score(self) -> str:
        """The AUROC of the score and the kind of data, as text."""
        score = "–" if self.auroc is None else f"{self.auroc:g}{', of the file' * self.of_file}"
        clusters = f", clusters of {self.cluster}{'' if self.told else ', not told'}"
        return score + (clusters if self.cluster > 1 else "")

    @property
    def met(self) -> str:
        """The aim and whether it is met, as text; empty without an aim."""
        if self.rate == self.limit and self.told:
            most = LEVEL + 2 * math.sqrt(LEVEL / self.runs)
            return f"≤ 2.5 % each: {verdict(max(self.passed, self.failed) <= most)}"
        return "" if self.aim is None else f"≤ {self.aim:.0f}: {verdict(self.tested[0] <= self.aim)}"


@cache
def _enough(limit: float, side: Outcome) -> tuple[int, ...]:
    """At each look, the count of failing examples that is certain; −1 where none is."""
    test = Spending(limit, np.array([LEVEL]), side, MOST)
    return tuple(int(test.take(number, number, 0)[0]) for number in LOOKS)


def simulate_stopping(limit: float, rate: float, runs: int, *, seed: int = 0) -> Stopped:
    """Simulate runs that draw examples at random until an interim test decides.

    Args:
        limit: The limit.
        rate: The true failure rate.
        runs: The number of runs.
        seed: The seed of the draws.
    """
    counts = (np.random.default_rng(seed).random((runs, MOST)) < rate).cumsum(axis=1, dtype=np.int32)
    looked = np.array(LOOKS) - 1
    first = {}
    for side in (Outcome.PASSED, Outcome.FAILED):
        enough = np.array(_enough(limit, side))
        certain = counts[:, looked] <= enough if side is Outcome.PASSED else counts[:, looked] >= enough
        first[side] = np.where(certain.any(axis=1), looked[certain.argmax(axis=1)] + 1, MOST + 1)
    passed, failed = first[Outcome.PASSED], first[Outcome.FAILED]
    tested = np.minimum(np.minimum(passed, failed), MOST)
    summary = float(tested.mean()), float(np.median(tested)), float(np.quantile(tested, 0.9))
    sides = float((passed < np.minimum(failed, MOST + 1)).mean()), float((failed < np.minimum(passed, MOST + 1)).mean())
    return Stopped(limit, rate, runs, summary, *sides)


def _divergence(rates: NDArray[np.float64], parts: NDArray[np.float64], limit: float) -> float:
    """The divergence that each stratum's rate has from that of the nearest rates whose mean is the limit."""
    above = float(rates @ parts) < limit

    def furthest(divergence: float) -> NDArray[np.float64]:
        near, far = rates, np.full(len(rates), 1.0 if above else 0.0)
        for _ in range(60):
            middle = (near + far) / 2
            with np.errstate(divide="ignore", invalid="ignore"):
                apart = xlogy(rates, rates / middle) + xlogy(1 - rates, (1 - rates) / (1 - middle))
            near, far = np.where(apart > divergence, near, middle), np.where(apart > divergence, middle, far)
        return near

    return float(brentq(lambda divergence: float(furthest(divergence) @ parts) - limit, 1e-7, 2))


def _held(
    rate: float, auroc: float, runs: int, sizes: NDArray[np.int64], random: np.random.Generator, fixed: bool,
    cluster: int,
) -> NDArray[np.int64]:  # fmt: skip
    """How many examples of each stratum fail in so many data sets; of a fixed rate of the data, or of a population."""
    found = np.zeros((runs, len(sizes)), np.int64)
    for run in range(runs):
        fails = round(rate * DATA) if fixed else cluster * int(random.binomial(DATA // cluster, rate))
        scores = random.normal(size=DATA)
        scores[:fails] += math.sqrt(2) * norm.ppf(auroc)
        strata = np.searchsorted(np.cumsum(sizes), np.argsort(np.argsort(-scores))[:fails], side="right")
        found[run] = np.bincount(strata, minlength=len(sizes))
    return found


def simulate_scored(
    limit: float, rate: float, auroc: float, runs: int, *, of_file: bool = False,
    population: NDArray[np.bool_] | None = None, cluster: int = 1, told: bool = True,
) -> Stopped:  # fmt: skip
    """Simulate runs that draw examples from strata of a score, as a check with a budget does, until a test decides.

    Args:
        limit: The limit.
        rate: The true failure rate; with ``of_file``, the failure rate of the data.
        auroc: The AUROC of the score for failing examples.
        runs: The number of simulated data sets.
        of_file: Whether the verdict is about the data, not about the population.
        population: Whether each example of a population fails, sorted from the hardest; by default, normally
            distributed scores are simulated.
        cluster: The number of examples of each cluster.
        told: Whether the check takes the clusters into account.
    """
    random = np.random.default_rng(0)
    sizes, drawn = (np.array(part) for part in zip(*allocation(DATA, DRAWN), strict=True))
    if population is None:
        failing = _held(rate, auroc, runs, sizes, random, of_file, cluster)
    else:
        failing = random.binomial(sizes, rates_within(population, sizes), size=(runs, len(sizes)))
    rates = failing.mean(axis=0) / sizes
    taken, tested = np.zeros((runs, len(sizes)), np.int64), np.zeros(runs, np.int64)
    alike = float(cluster) if told else 1.0
    bets = {
        side: Martingale(sizes.tolist(), np.full(runs, limit), side, of_file=of_file, alike=alike) for side in _SIDES
    }
    first = {side: np.full(runs, MOST + 1) for side in _SIDES}
    open_ = np.ones(runs, bool)
    while open_.any():
        block = deciding_block(bets, drawn.tolist(), taken, MOST) * open_[:, None]
        found = random.hypergeometric(failing, sizes - taken - failing, block)
        failing, taken, tested = failing - found, taken + block, tested + block.sum(axis=1)
        logs = {
            side: bet.take(*(part.astype(np.float64) for part in (block, block, found))) for side, bet in bets.items()
        }
        for side, log in logs.items():
            certain = open_ & (log >= -math.log(LEVEL))
            first[side][certain] = tested[certain]
            open_ = open_ & ~certain
        open_ &= (tested < MOST) & block.any(axis=1)
    failed, passed = (first[side] <= MOST for side in _SIDES)
    summary = float(tested.mean()), float(np.median(tested)), float(np.quantile(tested, 0.9))
    strata = None if auroc == 0.5 else (rates, sizes / DATA)
    sides = float(passed.mean()), float(failed.mean())
    return Stopped(limit, rate, runs, summary, *sides, auroc, of_file, cluster, told, strata)


_SIDES = (Outcome.FAILED, Outcome.PASSED)


def stopping(runs: int = 10_000, scored: int = 1000) -> Sequence[Stopped]:
    """Simulate all limits and rates.

    Args:
        runs: The number of runs of each simulation without a score.
        scored: The number of runs of each simulation with a score.
    """
    plain = [simulate_stopping(limit, rate, runs) for limit, rates in RATES.items() for rate in rates]
    drawn = [simulate_scored(0.02, rate, auroc, scored) for auroc, rates in SCORED.items() for rate in rates]
    clustered = [
        simulate_scored(limit, rate, 0.9, scored, cluster=cluster, told=told)
        for limit, rate, cluster, told in CLUSTERED
    ]
    return [*plain, *drawn, *clustered, simulate_scored(0.02, 0.02, 0.9, scored, of_file=True)]


def as_markdown(found: Sequence[Stopped]) -> str:
    """Write the results as a section of Markdown.

    Args:
        found: The simulations.
    """
    return (
        f"{found[0].runs:,} runs of one check for each row, which draws independent examples until its verdict is "
        f"certain at 2.5 % on its side, {MOST:,} at most. *Bound*: what one who knows the true rate needs in the mean "
        "(log 40 over the divergence of the rate from the limit). *At once*: examples with which a single look at the "
        "end decides in 80 % of cases. At the limit itself a verdict on either side is wrong: stated, at most 2.5 % "
        f"each, held here to two standard errors. *AUROC*: of a score, from whose strata the examples are drawn "
        f"({found[-1].runs:,} runs a row, each "
        f"with {DATA:,} examples of its own, {DRAWN:,} of them drawn from strata); of the file, the rate is that of "
        "the data themselves; *clusters of 5*: the data are in clusters that fail whole, and the bound is that of "
        "independent examples. The bound knows the rate of each stratum; a score with an AUROC of 0.5 says nothing. "
        "Aims: with a score 1.25 times the bound for a pass, and 220 for a failure.\n\n"
    ) + listed(
        "AUROC | limit | true rate | tested, mean | median | 90 % | bound | at once | passed | failed | aim",
        "{score} | {limit:g%} | {rate:g%} | {tested[0]:,.0f} | {tested[1]:,.0f} | {tested[2]:,.0f} | {bound:,.0f} | "
        "{at_once:,} | {passed:.1f%} | {failed:.1f%} | {met}",
        found,
    )
