"""Draws from strata of a score: how exact the rate of the data is, beside as many examples drawn at random."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.stats import norm

from robustfim.outcome import Outcome
from robustfim.statistics import (
    LEVEL,
    Stratum,
    allocation,
    stratified_rate,
    stratified_tail,
    wilson,
)

__all__ = [
    "AIM",
    "Drawn",
    "ranked",
    "rates_within",
    "simulate_strata",
    "strata",
    "told",
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
    """Data whose failures a score predicts, drawn from again and again.

    Attributes:
        rate: The failure rate of the population.
        auroc: How well the score ranks what fails.
        tested: Examples drawn, all of which can be tested.
        failing: Mean number of failing examples.
        runs: Data sets simulated.
        bias: Mean of the estimate minus the rate.
        width: Mean width of the interval to that of Wilson's from as many examples drawn at random.
        bound: The error of an estimate with Neyman's allocation over the same strata to that of a plain draw.
        holds: Share of the intervals that hold the rate.
        passed: Share of the runs in which a limit that is the rate passes.
        failed: Share in which it fails.
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


def ranked(rate: float, auroc: float) -> NDArray[np.bool_]:
    """Which of 400,000 examples fail, the hardest first: scores of those that fail and that hold are normal, apart.

    Args:
        rate: The share that fails, about.
        auroc: How well the score ranks them, about.
    """
    random = np.random.default_rng(9)
    fails = random.random(400_000) < rate
    return fails[np.argsort(-(random.normal(size=len(fails)) + math.sqrt(2) * norm.ppf(auroc) * fails))]


def rates_within(population: NDArray[np.bool_], sizes: NDArray[np.int64]) -> NDArray[np.float64]:
    """The failure rates of the strata of a population.

    Args:
        population: Which examples fail, the hardest first.
        sizes: The sizes of the strata; those of the population are as these to each other.
    """
    places = np.concatenate([[0], np.cumsum(sizes)]) * len(population) / sizes.sum()
    failing = np.interp(places, np.arange(len(population) + 1), np.concatenate([[0], np.cumsum(population)]))
    # An example on an end counts in part, so that their mean is the population's.
    return np.asarray(np.diff(failing) / np.diff(places), np.float64)


def simulate_strata(population: NDArray[np.bool_], auroc: float, tested: int, *, runs: int, seed: int = 0) -> Drawn:
    """Draw data from a population and examples from the strata of the data.

    Args:
        population: Which examples fail, the hardest first.
        auroc: As in :class:`Drawn`.
        tested: Likewise.
        runs: Likewise.
        seed: Seeds the draws.
    """
    random = np.random.default_rng(seed)
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
    """Simulate all cases.

    Args:
        runs: Data sets of each.
    """
    return [simulate_strata(ranked(rate, auroc), auroc, *sizes, runs=runs) for rate, auroc, *sizes in CASES]


def told(found: Sequence[Drawn] | str) -> str:
    """Write the result.

    Args:
        found: What was simulated; a string says why nothing was.
    """
    if isinstance(found, str):
        return f"Not measured: {found}."
    lines = [
        f"{found[0].runs:,} data sets of {DATA:,} examples for each row, drawn from a population in which a score "
        "ranks what fails with this AUROC; examples drawn from six strata of the score. *Width*: of the interval for "
        "the rate of the population, to Wilson's from as many examples drawn at random, as in *bound*: the error that "
        "Neyman's allocation, which knows the strata's rates, has over the same strata, to that of a plain draw. "
        f"*Passed*, *failed*: a limit that is the rate itself; stated, 2.5 % each. Aim: a width of at most {AIM} times "
        "the bound, and wrong verdicts within .5 points of what is stated.",
        "",
        "| rate | AUROC | tested | bias, points | width | bound | width / bound | holds | passed | failed "
        "| failing texts | aim |",
        "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |",
    ]
    for each in found:
        times = each.width / each.bound
        met = times <= AIM and max(each.passed, each.failed) <= LEVEL + 0.005
        lines.append(
            f"| {100 * each.rate:.1f} % | {each.auroc:g} | {each.tested} | "
            f"{100 * each.bias:+.2f} | {each.width:.2f} | {each.bound:.2f} | {times:.2f} | {100 * each.holds:.1f} % | "
            f"{100 * each.passed:.1f} % | {100 * each.failed:.1f} % | {each.failing:.0f} | "
            f"{'met' if met else 'missed'} |"
        )
    return "\n".join(lines)
