"""The coverage of confidence intervals of correlations, for heavy-tailed data such as λmax."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import stats

from benchmarks.sections import listed
from robustfim.statistics import CONFIDENCE, Z
from robustfim_study.intervals import correlation_interval

__all__ = ["KINDS", "Coverage", "as_markdown", "coverage", "draw", "simulate"]

SIZES = (60, 200, 1000)
KINDS = ("normal", "t₃, as steep as λmax and η", "one shared spread, no correlation", "log₁₀ λmax and flips of 8")
CLUSTER = 5
"""Pairs of a cluster, where there are clusters."""
AIM = (0.93, 0.97)
_TRUTH = 400_000


@dataclass(frozen=True)
class Coverage:
    """How often the confidence intervals of many samples cover the correlation of the population.

    Attributes:
        kind: The distribution of the pairs.
        pairs: The number of pairs in a sample.
        clusters: The number of clusters in a sample; for independent pairs, the number of pairs.
        runs: The number of samples.
        spearman: The fraction of robustfim's intervals that cover Spearman's correlation of the population.
        alone: The same fraction if the interval ignores clusters.
        pearson: The fraction of Fisher's z intervals, which other tools print, that cover Pearson's correlation.
    """

    kind: str
    pairs: int
    clusters: int
    runs: int
    spearman: float
    alone: float
    pearson: float

    @property
    def known(self) -> int | None:
        """The number of clusters; None for independent pairs."""
        return None if self.clusters == self.pairs else self.clusters

    @property
    def ignored(self) -> float | None:
        """The fraction of intervals that cover the correlation and ignore the clusters; None without clusters."""
        return self.known and self.alone

    @property
    def met(self) -> bool:
        """Whether Spearman's intervals cover the correlation as often as the aim says."""
        return AIM[0] <= self.spearman <= AIM[1]


def draw(kind: str, size: int, random: np.random.Generator, cluster: int = 1) -> tuple[Any, Any]:
    """Draw pairs of numbers from a distribution.

    Args:
        kind: One of :data:`KINDS`.
        size: The number of pairs, a multiple of ``cluster``.
        random: The random source.
        cluster: The number of pairs in a cluster; pairs of one cluster share half of the variance of the noise.

    Returns:
        The first and the second numbers of the pairs, two arrays ``[size]``.
    """
    shared = np.repeat(random.standard_t(3, size=(2, size // cluster)), cluster, axis=1)
    noise = shared if cluster == 1 else math.sqrt(0.5) * (shared + random.standard_t(3, size=(2, size)))
    if kind == KINDS[0]:
        x, y = random.normal(size=(2, size))
        return x, 0.5 * x + math.sqrt(0.75) * y
    if kind == KINDS[1]:
        return noise[0], 0.85 * noise[0] + 0.5 * noise[1]
    if kind == KINDS[2]:
        both = np.exp(random.normal(size=size))
        return both * random.normal(size=size), both * random.normal(size=size)
    chance = 1 / (1 + np.exp(np.abs(2 * noise[0])))
    spread = np.log10(chance * (1 - chance)) + 0.2 * random.normal(size=size)
    return spread, random.binomial(8, chance) / 8


def simulate(kind: str, size: int, runs: int, *, cluster: int = 1) -> Coverage:
    """Draw samples and count how often their intervals cover the correlation of the population.

    Args:
        kind: One of :data:`KINDS`.
        size: The number of pairs in a sample.
        runs: The number of samples.
        cluster: The number of pairs in a cluster.
    """
    random = np.random.default_rng(0)
    whole = draw(kind, _TRUTH, random, cluster)
    rho, r = float(stats.spearmanr(*whole).statistic), float(np.corrcoef(*whole)[0, 1])
    names = np.repeat(np.arange(size // cluster), cluster).tolist()
    held = np.zeros(3)
    for _ in range(runs):
        x, y = draw(kind, size, random, cluster)
        middle = math.atanh(float(np.corrcoef(x, y)[0, 1]))
        half = Z / math.sqrt(size - 3)
        ends = (
            correlation_interval(x.tolist(), y.tolist(), names),
            correlation_interval(x.tolist(), y.tolist()) if cluster > 1 else None,
            (math.tanh(middle - half), math.tanh(middle + half)),
        )
        held += [end is not None and end[0] <= true <= end[1] for end, true in zip(ends, (rho, rho, r), strict=True)]
    spearman, alone, pearson = (float(fraction) for fraction in held / runs)
    return Coverage(kind, size, size // cluster, runs, spearman, alone if cluster > 1 else spearman, pearson)


def coverage(runs: int = 2000) -> list[Coverage]:
    """Simulate every kind of distribution at every size, and two kinds also with clusters.

    Args:
        runs: The number of samples of each simulation.
    """
    return list(_kinds(runs))


def _kinds(runs: int) -> Iterator[Coverage]:
    for kind in KINDS:
        for size in SIZES:
            yield simulate(kind, size, runs)
    for kind in (KINDS[1], KINDS[3]):
        for size in (200, 1000):
            yield simulate(kind, size, runs, cluster=CLUSTER)


def as_markdown(found: Sequence[Coverage]) -> str:
    """Write the results as a section of Markdown.

    Args:
        found: The simulations.
    """
    error = 50 / math.sqrt(found[0].runs)
    return (
        f"How often {100 * CONFIDENCE:.0f} % intervals of {found[0].runs:,} samples hold the correlation of what they "
        f"were drawn from ({_TRUTH:,} pairs); Monte-Carlo error at most {error:.1f} points. Spearman's is "
        "`correlation_interval`; beside it the same without being told the clusters, and Fisher's z interval of "
        "Pearson's r, which robustfim does not print, for what follows.\n\n"
    ) + listed(
        "pairs of | pairs | clusters | Spearman's | clusters not told | Pearson's by Fisher's z | aim: 93 to 97 %",
        "{kind} | {pairs:,} | {known} | {spearman:.1f%} | {ignored:.1f%} | {pearson:.1f%} | {met}",
        found,
    )
