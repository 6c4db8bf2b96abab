"""Draws from strata of a score: how precise the estimated failure rate is, compared with a random draw."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.stats import norm

from benchmarks.sections import listed
from robustfim.outcome import Outcome
from robustfim.statistics import LEVEL, Stratum, allocation, stratified_rate, stratified_tail, wilson

__all__ = [
    "AIM",
    "Drawn",
    "as_markdown",
    "ranked",
    "rates_within",
    "simulate_strata",
    "strata",
]

DATA = 4000
"""Examples of the data, themselves drawn from a population."""
CASES = (
    (0.3, 0.85, 200), (0.3, 0.5, 200), (0.1, 0.9, 200), (0.1, 0.85, 200), (0.1, 0.7, 200), (0.1, 0.9, 800),
    (0.02, 0.9, 400),
)  # fmt: skip
"""Failure rate, AUROC of the score, and examples drawn."""
AIM = 1.1
"""The most times Neyman's bound that an interval is wide."""


@dataclass(frozen=True)
class Drawn:
    """The results of many draws from data whose failures a score predicts.

    Attributes:
        rate: The failure rate of the population.
        auroc: The AUROC of the score for failing examples.
        tested: The number of drawn examples, all of which can be tested.
        failing: The mean number of failing examples.
        runs: The number of simulated data sets.
        bias: The mean estimate minus the rate.
        width: The mean width of the interval, divided by that of Wilson's interval for a random draw of equal size.
        bound: The standard error with Neyman's allocation over the same strata, divided by that of a random draw.
        holds: The fraction of intervals that cover the rate.
        passed: The fraction of runs in which a check passes whose limit equals the rate.
        failed: The fraction of runs in which this check fails.
    """

    rate: float
    auroc: float
    tested: int
    failing: float
    runs: int
    bias: float
    width: float
    bound: float
    holds: float
    passed: float
    failed: float

    @property
    def points(self) -> float:
        """The bias in percentage points."""
        return 100 * self.bias

    @property
    def times(self) -> float:
        """The width divided by the bound."""
        return self.width / self.bound

    @property
    def met(self) -> bool:
        """Whether the width, and the fractions of wrong verdicts, meet the aim."""
        return self.times <= AIM and max(self.passed, self.failed) <= LEVEL + 0.005


def ranked(rate: float, auroc: float) -> NDArray[np.bool_]:
    """Simulate whether each of 400,000 examples fails, sorted from the highest score.

    The scores of failing and of other examples have normal distributions with different means.

    Args:
        rate: The approximate fraction of examples that fail.
        auroc: The approximate AUROC of the score for failing examples.
    """
    random = np.random.default_rng(9)
    fails = random.random(400_000) < rate
    return fails[np.argsort(-(random.normal(size=len(fails)) + math.sqrt(2) * norm.ppf(auroc) * fails))]


def rates_within(population: NDArray[np.bool_], sizes: NDArray[np.int64]) -> NDArray[np.float64]:
    """Compute the failure rate of each stratum of a population.

    Args:
        population: Whether each example fails, sorted from the hardest.
        sizes: The sizes of the strata of the data. The strata of the population have the same proportions.
    """
    places = np.concatenate([[0], np.cumsum(sizes)]) * len(population) / sizes.sum()
    failing = np.interp(places, np.arange(len(population) + 1), np.concatenate([[0], np.cumsum(population)]))
    # An example on an end counts in part, so that their mean is the population's.
    return np.asarray(np.diff(failing) / np.diff(places), np.float64)


def simulate_strata(population: NDArray[np.bool_], auroc: float, tested: int, *, runs: int) -> Drawn:
    """Simulate draws of data from a population, and of examples from the strata of the data.

    Args:
        population: Whether each example fails, sorted from the hardest.
        auroc: The AUROC of the score for failing examples.
        tested: The number of drawn examples.
        runs: The number of simulated data sets.
    """
    random = np.random.default_rng(0)
    sizes, draws = (np.array(each) for each in zip(*allocation(DATA, tested), strict=True))
    rates, weights = rates_within(population, sizes), sizes / DATA
    true = float(weights @ rates)
    held = random.binomial(sizes, rates, size=(runs, len(sizes)))
    failing = random.hypergeometric(held, sizes - held, draws)
    estimates, widths, within = [], [], 0
    sides = {Outcome.PASSED: 0, Outcome.FAILED: 0, Outcome.INCONCLUSIVE: 0}
    for row in failing:
        parts = tuple(Stratum(*map(int, each)) for each in zip(sizes, draws, draws, row, strict=True))
        found = stratified_rate(parts)
        assert found is not None, "every stratum was sampled"
        estimates.append(found[0])
        widths.append(found[1][1] - found[1][0])
        within += found[1][0] <= true <= found[1][1]
        tail = stratified_tail(parts, true)
        sides[tail.side if tail.p_value <= LEVEL else Outcome.INCONCLUSIVE] += 1
    ends = [wilson(int(count), tested) or (0.0, 1.0) for count in random.binomial(tested, true, 4000)]
    plain = [high - low for low, high in ends]
    spread = np.sqrt(rates * (1 - rates))
    between = float(weights @ (rates - true) ** 2) / DATA
    bound = math.sqrt((float(weights @ spread) ** 2 / tested + between) / (true * (1 - true) / tested))
    return Drawn(
        true, auroc, tested, float(failing.sum(1).mean()), runs, float(np.mean(estimates)) - true,
        float(np.mean(widths) / np.mean(plain)), bound, within / runs, sides[Outcome.PASSED] / runs,
        sides[Outcome.FAILED] / runs,
    )  # fmt: skip


def strata(runs: int = 10_000) -> Sequence[Drawn]:
    """Simulate all cases of a failure rate, an AUROC and a number of examples.

    Args:
        runs: The number of data sets for each case.
    """
    return [simulate_strata(ranked(rate, auroc), auroc, *sizes, runs=runs) for rate, auroc, *sizes in CASES]


def as_markdown(found: Sequence[Drawn]) -> str:
    """Write the results as a section of Markdown.

    Args:
        found: The simulations.
    """
    return (
        f"{found[0].runs:,} data sets of {DATA:,} examples for each row, drawn from a population in which a score "
        "ranks what fails with this AUROC; examples drawn from six strata of the score. *Width*: of the interval for "
        "the rate of the population, to Wilson's from as many examples drawn at random, as in *bound*: the error that "
        "Neyman's allocation, which knows the strata's rates, has over the same strata, to that of a plain draw. "
        f"*Passed*, *failed*: a limit that is the rate itself; stated, 2.5 % each. Aim: a width of at most {AIM} times "
        "the bound, and wrong verdicts within .5 points of what is stated.\n\n"
    ) + listed(
        "rate | AUROC | tested | bias, points | width | bound | width / bound | holds | passed | failed "
        "| failing texts | aim",
        "{rate:.1f%} | {auroc:g} | {tested} | {points:+.2f} | {width:.2f} | {bound:.2f} | {times:.2f} | {holds:.1f%} | "
        "{passed:.1f%} | {failed:.1f%} | {failing:.0f} | {met}",
        found,
    )
