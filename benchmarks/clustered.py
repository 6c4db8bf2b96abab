"""Limits for data in clusters: how often a verdict is wrong, and how many clusters a verdict needs."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize_scalar

from benchmarks.sections import listed, table, verdict, write_results
from robustfim.outcome import Outcome
from robustfim.statistics import LEVEL, Mean

__all__ = ["Needed", "Wrong", "as_markdown", "bound", "needed", "too_many", "wrong"]

SHAPES: Mapping[str, Sequence[int]] = {
    "60 × 8": [8] * 60,
    "300 × 1 + 5 × 60": [1] * 300 + [60] * 5,
    "100 × 1 + 10 × 20": [1] * 100 + [20] * 10,
    "log-normal": [
        max(1, round(math.exp(1 + 1.2 * z))) for z in np.random.default_rng(45).normal(size=80)
    ],
}  # fmt: skip
"""Sizes of the clusters."""
FAILURES = ("whole", "half whole", "beta-binomial .1", "beta-binomial .5")
"""How examples of a cluster fail together."""
LIMITS = (0.02, 0.05, 0.1, 0.2, 0.3)
FIXED, BUDGET = 1.35, 1.6
"""The most times the bound that may be needed, at a fixed size and with a budget."""


@dataclass(frozen=True)
class Wrong:
    """How often a verdict is wrong if the limit equals the true failure rate, so that every verdict is wrong.

    Attributes:
        shape: The sizes of the clusters.
        failures: How the examples of a cluster fail together.
        limit: The limit, which is also the true failure rate.
        runs: The number of simulated draws.
        passed: The fraction of draws that pass.
        failed: The fraction of draws that fail.
    """

    shape: str
    failures: str
    limit: float
    runs: int
    passed: float
    failed: float

    @property
    def over(self) -> bool:
        """Whether a fraction of wrong verdicts exceeds the level by more than three standard errors."""
        return too_many(max(self.passed, self.failed), self.runs)


def too_many(wrong: float, runs: int) -> bool:
    """Return whether a fraction of wrong verdicts exceeds 2.5 % by more than three standard errors.

    Args:
        wrong: The fraction of runs with a wrong verdict, in [0, 1].
        runs: The number of simulated runs, ≥ 1.
    """
    return wrong > LEVEL + 3 * math.sqrt(LEVEL * (1 - LEVEL) / runs)


def counts(sizes: NDArray[np.int64], failures: str, rate: float, random: np.random.Generator) -> NDArray[np.int64]:
    """Draw how many examples of each cluster fail, ``[clusters]``.

    Args:
        sizes: The number of examples of each cluster, ``[clusters]``.
        failures: One of :data:`FAILURES`.
        rate: The expected fraction of examples that fail.
        random: The random source.
    """
    whole = np.where(random.random(len(sizes)) < rate, sizes, 0)
    if failures == "whole":
        return whole
    if failures == "half whole":
        return np.where(random.random(len(sizes)) < 0.5, whole, random.binomial(sizes, rate))
    odds = 1 / float(failures.partition(" ")[2]) - 1
    return random.binomial(sizes, random.beta(rate * odds, (1 - rate) * odds, len(sizes)))


def mean_of(failing: NDArray[np.int64], sizes: NDArray[np.int64], largest: int = 0) -> Mean:
    """Compute the fraction of failing examples over clusters, as a check does.

    Args:
        failing: The number of failing examples of each cluster, ``[clusters]``.
        sizes: The number of examples of each cluster, ``[clusters]``.
        largest: The size of the largest cluster, needed for a test with a budget.
    """
    return Mean(Counter(zip(failing.astype(float).tolist(), sizes.tolist(), strict=True)), largest)


def wrong(shape: str, failures: str, limit: float, *, runs: int, seed: int = 0) -> Wrong:
    """Simulate how often a verdict is wrong if the limit equals the true failure rate.

    If too many verdicts seem wrong, the simulation is repeated with ten times as many draws.

    Args:
        shape: One of :data:`SHAPES`.
        failures: One of :data:`FAILURES`.
        limit: The limit, which is also the true failure rate.
        runs: The number of draws.
        seed: The seed of the draws.
    """
    random, sizes = np.random.default_rng(seed), np.array(SHAPES[shape])
    sides = Counter(mean_of(counts(sizes, failures, limit, random), sizes).tail(limit).side for _ in range(runs))
    found = Wrong(shape, failures, limit, runs, sides[Outcome.PASSED] / runs, sides[Outcome.FAILED] / runs)
    return wrong(shape, failures, limit, runs=10 * runs, seed=1) if found.over and not seed else found


@dataclass(frozen=True)
class Needed:
    """The number of clusters of 8 examples that are needed to pass a limit.

    Attributes:
        failures: How the examples of a cluster fail together.
        limit: The limit.
        rate: The true failure rate.
        bound: The smallest mean number for any test, see :func:`bound`.
        fixed: The fixed number of clusters with which 80 % of the draws pass.
        budget: The mean number of clusters at which a test with a budget passes, if it is repeated after each twentieth
            of the bound.
    """

    failures: str
    limit: float
    rate: float
    bound: float
    fixed: int
    budget: float

    @property
    def times(self) -> tuple[float, float]:
        """``fixed`` and ``budget``, divided by the bound."""
        return self.fixed / self.bound, self.budget / self.bound

    @property
    def met(self) -> tuple[bool, bool]:
        """Whether each is small enough."""
        return self.times[0] <= FIXED, self.times[1] <= BUDGET


def bound(shares: NDArray[np.float64], limit: float) -> float:
    """Compute a lower bound on the mean number of clusters that any test needs which assumes only their independence.

    The bound is log 40 / KL_inf with KL_inf = max over λ of E log(1 + λ (L − x)), 0 ≤ λ ≤ 1 / (1 − L). KL_inf is the
    smallest divergence of the distribution of x from a distribution with mean L (Honda and Takemura 2010).

    Args:
        shares: The fractions x of failing examples, for very many clusters.
        limit: The limit L, above the mean of ``shares``.
    """
    ends = 0, (1 - 1e-9) / (1 - limit)
    found = minimize_scalar(lambda bet: -np.log1p(bet * (limit - shares)).mean(), bounds=ends, method="bounded")
    return math.log(1 / LEVEL) / -float(found.fun)


def needed(failures: str, limit: float, rate: float, *, runs: int) -> Needed:
    """Simulate how many clusters are needed to pass a limit.

    Args:
        failures: One of :data:`FAILURES`.
        limit: The limit.
        rate: The true failure rate, below the limit.
        runs: The number of draws, in clusters of 8 examples.
    """
    random, size = np.random.default_rng(2), 8
    least = bound(counts(np.full(400_000, size), failures, rate, random) / size, limit)
    most = np.full(math.ceil(4 * least), size)
    draws = [counts(most, failures, rate, random) for _ in range(runs)]

    def passing(clusters: int) -> float:
        sizes = most[:clusters]
        return sum(mean_of(draw[:clusters], sizes).tail(limit).side is Outcome.PASSED for draw in draws) / runs

    low, high = 1, len(most)
    while high - low > max(1, least // 100):
        middle = (low + high) // 2
        low, high = (low, middle) if passing(middle) >= 0.8 else (middle, high)
    step = max(1, round(least / 20))
    looks = range(step, len(most), step)
    stops = [next((n for n in looks if _surely(draw[:n], most[:n], limit)), len(most)) for draw in draws]
    return Needed(failures, limit, rate, least, high, float(np.mean(stops)))


def _surely(failing: NDArray[np.int64], sizes: NDArray[np.int64], limit: float) -> bool:
    """Whether the evidence passes a limit at any look."""
    return mean_of(failing, sizes, int(sizes.max())).evidence(limit, Outcome.PASSED) >= math.log(1 / LEVEL)


def as_markdown(cells: Sequence[Wrong], sizes: Sequence[Needed]) -> str:
    """Write the results as a section of Markdown.

    Args:
        cells: How often verdicts are wrong, in each simulated case.
        sizes: How many clusters are needed, in each simulated case.
    """
    rows = [
        [shape, failures, *(_cell(cell) for cell in cells if (cell.shape, cell.failures) == (shape, failures))]
        for shape, failures in dict.fromkeys((cell.shape, cell.failures) for cell in cells)
    ]
    most = max(max(cell.passed, cell.failed) for cell in cells)
    wrong_ones = verdict(not any(cell.over for cell in cells))
    return (
        f"Wrong verdicts where the limit is the true rate, *passed* / *failed* in % of {cells[0].runs:,} draws. "
        "Clusters fail *whole*; *half whole*, where half of the clusters do and the examples of the others fail by "
        "themselves; or as beta-binomial counts of this correlation. A cell above 2.5 % and three standard errors is "
        f"drawn again, ten times as often (*). Aim: ≤ 2.5 % each: {wrong_ones}, at most {100 * most:.1f} %.\n\n"
        + table(["clusters", "failing", *(f"limit {100 * limit:g} %" for limit in LIMITS)], rows)
        + "\n\nClusters of 8 that pass a limit. *Bound*: log 40 / KL_inf, which any test needs in the mean that knows "
        "of the clusters only that they are independent. *Fixed*: four of five draws of so many pass. *Budget*: the "
        f"mean at which the run stops. Aims: {FIXED} and {BUDGET} times the bound.\n\n"
        + listed(
            "failing | limit | rate | bound | fixed | / bound | aim | budget | / bound | aim",
            "{failures} | {limit:g%} | {rate:g%} | {bound:.0f} | {fixed:,} | {times[0]:.2f} | {met[0]} | "
            "{budget:,.0f} | {times[1]:.2f} | {met[1]}",
            sizes,
        )
    )


def _cell(each: Wrong) -> str:
    again = "*" * (each.runs != RUNS)
    return f"{100 * each.passed:.1f} / {100 * each.failed:.1f}{again}"


RUNS = 3000
NEEDED = (
    ("whole", 0.1, 0.04), ("half whole", 0.1, 0.04), ("beta-binomial .1", 0.1, 0.04), ("beta-binomial .5", 0.1, 0.04),
    ("beta-binomial .1", 0.05, 0.02), ("beta-binomial .1", 0.3, 0.2),
)  # fmt: skip
"""How clusters fail, limit and rate."""


def _cells() -> Iterator[Wrong]:
    for shape in SHAPES:
        for failures in FAILURES:
            for limit in LIMITS:
                yield wrong(shape, failures, limit, runs=RUNS)


if __name__ == "__main__":
    body = as_markdown([*_cells()], [needed(*case, runs=200) for case in NEEDED])
    write_results(f"## Clusters\n\n`python -m benchmarks.clustered`. {body}")
