"""Clusters: groups of examples that are not independent of each other, and the equivalent number of independent ones.

The failure rate remains the fraction of failing examples, so that a limit means the same for clusters of any size.
Limits and comparisons are tested by :class:`Mean` over clusters, which allows that all examples of a cluster fail
together. Plans use an estimate: n examples in clusters are equivalent to n / deff independent ones. The design effect
deff is the variance between clusters divided by the variance of independent examples (Kish 1965; Rao and Scott 1992),
with Student's quantile in place of the normal quantile (Korn and Graubard 1998).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, TypeAlias

from robustfim.outcome import Outcome
from robustfim.statistics.mean import Mean
from robustfim.statistics.paired import Paired
from robustfim.statistics.rate import CONFIDENCE, LEVEL, Interval, Rate, Z

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = [
    "ClusterCounts",
    "ClusterOf",
    "ClusteredPairs",
    "auroc_effective",
    "by_cluster",
    "clustered_changes",
    "clustered_mean",
    "clustered_pairs",
    "clustered_rate",
    "effective_number",
    "mean_cluster",
]

ClusterOf: TypeAlias = Mapping[str, str]
"""Example id to cluster (group of dependent examples); an example without an entry is independent."""

_DOUBT = 0.5
"""The weight, in clusters, of the largest possible design effect beside the estimated one."""


def effective_number(sums: Sequence[float], sizes: Sequence[int], spread: float | None = None) -> float:
    """Return the effective sample size: how many independent examples carry as much information as clustered ones.

    The jackknife over clusters gives the variance of the mean, and so a design effect deff (the variance divided by
    that of independent examples). If f clusters have nonzero values, deff is averaged with deff₁, the design effect of
    clusters of identical examples, the largest possible: (f deff + ½ deff₁) / (f + ½). If no example fails, the data
    show nothing about the correlation within clusters. Clusters of unequal sizes mᵢ show as much as (Σm)² / Σm² equal
    ones (Carter, Schnepel and Steigerwald 2017): f is at most this number, and there is one degree of
    freedom less, at least one.

    Args:
        sums: For each cluster the sum of its values, each 0 or 1, or −1, 0 or 1.
        sizes: The number of values in each cluster, ≥ 1.
        spread: The variance of the values if they were independent; by default p (1 − p) for a fraction p.

    Returns:
        At most the number of examples; 1 if all lie in one cluster.
    """
    import numpy as np
    from scipy.special import stdtrit

    y, m = np.asarray(sums, dtype=float), np.asarray(sizes, dtype=float)
    number, clusters = float(m.sum()), len(m)
    if clusters < 2 or m.max() <= 1:
        return float(clusters)
    mean = y.sum() / number
    largest = float((m * m).sum() / number)
    alone = float(np.where(np.abs(y) > 0, 1.0, 0.0).sum())
    full = float((np.abs(y) < m).sum())
    alike = number / largest
    informative = min(alone, full, alike)
    spread = mean * (1 - mean) if spread is None else spread
    effect = 0.0
    if spread > 0:
        residuals = (y - mean * m) / (1 - m / number)
        effect = (clusters - 1) / clusters * float((residuals**2).sum()) / number / spread
    mixed = max(1.0, (informative * effect + _DOUBT * largest) / (informative + _DOUBT))
    # Room for Student's quantile in the place of the normal one.
    return number / (mixed * (float(stdtrit(max(1.0, alike - 1), (1 + CONFIDENCE) / 2)) / Z) ** 2)


def auroc_effective(values: Mapping[str, float], positive: Collection[str], clusters: ClusterOf) -> float:
    """Return the effective sample size of clustered examples for the area under a ROC curve.

    It is the number of independent examples with equal information. The placement of a positive example is the fraction
    of negative examples with a lower number, and vice versa (Obuchowski 1997). For each cluster (group of dependent
    examples), placements minus the area are summed, divided by the number of positive or of negative examples. The
    variance of these sums gives the variance of the area.

    Args:
        values: Example id to number, infinities allowed.
        positive: Ids of the examples that should have the higher numbers.
        clusters: Example id to cluster, for every example.
    """
    import numpy as np

    first = np.array([id in positive for id in values])
    numbers = np.array([*values.values()])
    placed = np.zeros(len(numbers))
    for kind, sign in ((first, 1.0), (~first, -1.0)):
        others = np.sort(numbers[~kind])
        below, upto = (np.searchsorted(others, numbers[kind], side) for side in ("left", "right"))
        own = sign * ((below + upto) / (2 * len(others)) - 0.5)
        placed[kind] = (own - own.mean()) / kind.mean()
    placed /= 2 * np.abs(placed).max() or 1.0  # so that no cluster counts as one whose members are all at the end
    _, places, sizes = np.unique([clusters[id] for id in values], return_inverse=True, return_counts=True)
    return effective_number(np.bincount(places, weights=placed).tolist(), sizes.tolist(), float((placed**2).mean()))


def by_cluster(failing: Collection[str], tested: Iterable[str], clusters: ClusterOf) -> list[tuple[int, int]]:
    """Count the failing and the tested examples of each cluster (group of dependent examples).

    Args:
        failing: Ids of the failing examples.
        tested: Ids of the tested examples.
        clusters: Example id to cluster; an example without an entry is its own cluster.

    Returns:
        A pair (failing, tested) for each cluster.
    """
    counts = ClusterCounts()
    for each in tested:
        counts.add(each in failing, clusters.get(each))
    return counts.groups


def clustered_mean(
    failing: Collection[str],
    tested: Iterable[str],
    clusters: ClusterOf,
    *,
    weights: Mapping[str, float] | None = None,
    looks: bool = False,
) -> Mean | None:
    """Return the fraction of failing examples, for a test that allows for dependent examples (clusters).

    Args:
        failing: Ids of the failing examples.
        tested: Ids of the tested examples.
        clusters: Example id to cluster; an example without an entry is its own cluster.
        weights: Example id to weight; equal by default.
        looks: Whether the number of tested examples depends on their failures, as in a test that may stop early.

    Returns:
        The fraction, as a mean over clusters; None if all examples are independent and the test does not stop early.
    """
    if not clusters and not looks:
        return None
    ids = [*tested]
    groups = Counter((id in clusters, clusters.get(id, id)) for id in ids)
    if len(groups) == len(ids) and not (looks and ids):
        return None
    mean = Mean.of({id: float(id in failing) for id in ids}, clusters, weights=weights)
    return replace(mean, largest=max(size for _, size in mean.trials)) if looks else mean


def mean_cluster(clusters: ClusterOf, number: int) -> float:
    """Return the mean size of the cluster (group of dependent examples) to which an example belongs.

    Args:
        clusters: Example id to cluster; an example without an entry is its own cluster.
        number: N, the number of examples in the data, ≥ 1. The size is 1 + Σ m (m − 1) / N, summed over clusters of m
            examples. If more examples are in clusters, the result is the most that N examples allow.
    """
    return 1 + sum(size * (size - 1) for size in Counter(clusters.values()).values()) / number


def clustered_rate(failing: Collection[str], tested: Collection[str], clusters: ClusterOf) -> tuple[Rate, float | None]:
    """Return the fraction of failing examples, with an interval valid for dependent examples (clusters).

    Args:
        failing: Ids of the failing examples, all of them tested.
        tested: Ids of the tested examples.
        clusters: Example id to cluster; empty if all examples are independent.

    Returns:
        The rate with the interval of :mod:`robustfim.statistics.gaffke`, and the effective sample size, to plan further
        tests; None if all examples are independent.
    """
    if not clusters:
        return Rate(len(failing), len(tested)), None
    return _rate(by_cluster(failing, tested, clusters))


class ClusterCounts:
    """Counts of examples by cluster, for examples that are added one by one and not kept in memory."""

    def __init__(self) -> None:
        self._alone = [0, 0]
        self._groups: dict[str, list[int]] = {}

    def add(self, counts: bool, cluster: str | None) -> None:
        """Add an example to the counts.

        Args:
            counts: Whether the example counts towards the rate, such as a failing example towards a failure rate.
            cluster: The example's cluster (group of dependent examples); None if the example is independent.
        """
        group = self._alone if cluster is None else self._groups.setdefault(cluster, [0, 0])
        group[0] += counts
        group[1] += 1

    @property
    def rate(self) -> tuple[Rate, float | None]:
        """The fraction of examples added with ``counts``, with the interval of :func:`clustered_rate`."""
        return _rate(self.groups) if self._groups else (Rate(self._alone[0], self._alone[1]), None)

    @property
    def groups(self) -> list[tuple[int, int]]:
        """A pair for each cluster: counted examples, and all examples. An independent example is its own cluster."""
        counted, alone = self._alone
        groups = [(bad, size) for bad, size in self._groups.values()]
        return groups + [(1, 1)] * counted + [(0, 1)] * (alone - counted)


def _rate(counts: Sequence[tuple[int, int]]) -> tuple[Rate, float | None]:
    """The rate of clusters, the same to the bit in any order; the effective number where one has several members."""
    counts = sorted(counts)
    rate = Rate(sum(bad for bad, _ in counts), sum(size for _, size in counts))
    if not any(size > 1 for _, size in counts):
        return rate, None
    sums, sizes = zip(*counts, strict=True)
    effective = effective_number(sums, sizes)
    ends = Mean(Counter((float(bad), float(size)) for bad, size in counts)).interval
    return Rate(rate.count, rate.tested, ends), effective


@dataclass(frozen=True, slots=True)
class ClusteredPairs(Paired):
    """Changes between two runs on the same examples, for examples in clusters that may all change together.

    The counts are estimated effective numbers (of independent examples with equal information). Tests and plans use
    ``changes``, which needs no estimate.

    Attributes:
        changes: The mean of (1 + d) / 2 over the clusters, with d the change of an example in [−1, 1].
    """

    changes: Mean = field(default_factory=lambda: Mean({}))

    @property
    def interval(self) -> Interval | None:
        """The 95 % interval of the difference, by the test for clusters."""
        low, high = self.changes.interval
        return 2 * low - 1, 2 * high - 1

    @property
    def p_value(self) -> float:
        """The two-sided p-value of the test for clusters, against no difference."""
        return min(1.0, 2 * min(self.changes.p_value(0.5, side) for side in (Outcome.FAILED, Outcome.PASSED)))

    def is_no_worse(self, margin: float) -> bool:
        """Return whether the failure rate is proved to have risen by less than a margin, in [0, 1]."""
        return margin >= 1 or self.changes.p_value((1 + margin) / 2, Outcome.PASSED) <= LEVEL

    def is_worse(self, p_value: float | None = None) -> bool:
        """Return whether the failure rate is proved to have risen; see :meth:`Paired.is_worse`."""
        corrected = self.p_value if p_value is None else p_value
        return self.changes.rate > 0.5 and corrected <= 1 - CONFIDENCE

    def more_to_decide(self, margin: float, comparisons: float = 1) -> int | None:
        """Estimate how many more effective examples the tests for clusters need; see :meth:`Paired.more_to_decide`."""
        mean, within = self.changes, (1 + margin) / 2
        found = [mean.examples_to_decide(within)] if mean.rate < within < 1 else []
        found += [mean.examples_to_decide(0.5, comparisons)] if mean.rate > 0.5 else []
        least = min((number for number in found if number is not None), default=None)
        return None if least is None else max(1, math.ceil(least * self.matched / mean.tested))


def clustered_pairs(
    changes: Mapping[str, float], matched: Sequence[str], clusters: ClusterOf,
    weights: Mapping[str, float] | None = None,
) -> tuple[Paired, float | None]:  # fmt: skip
    """Count the changes between two runs on the same examples, as effective numbers of independent examples.

    Args:
        changes: Example id to the change, in [−1, 1]: positive if the example fails now, or more of its perturbed texts
            fail; 0 for a missing example.
        matched: The ids of all examples tested in both runs.
        clusters: Example id to cluster (group of dependent examples); empty if all examples are independent.
        weights: Example id to weight in the test for clusters; equal by default.

    Returns:
        The counts, with tests that allow for clusters, and the effective sample size; None if all examples are
        independent.
    """
    import numpy as np

    numbers: dict[tuple[bool, str], int] = {}
    groups = [numbers.setdefault((each in clusters, clusters.get(each, each)), len(numbers)) for each in matched]
    return clustered_changes(
        np.array([changes.get(each, 0.0) for each in matched]),
        np.array(groups, dtype=np.int64) if clusters else None,
        None if weights is None else np.array([weights[each] for each in matched]),
    )


def clustered_changes(
    changes: NDArray[Any], clusters: NDArray[Any] | None = None, weights: NDArray[Any] | None = None
) -> tuple[Paired, float | None]:
    """Count the changes between two runs on the same examples, from arrays.

    Args:
        changes: For each example 1 if newly broken, −1 if newly fixed, else 0; or the change of its failing fraction,
            in [−1, 1], ``[examples]``. If any change is a fraction, the test for clusters is used, which is valid for
            any numbers, with one example in each cluster.
        clusters: A number or name of each example's cluster, ``[examples]``; None if all are independent.
        weights: The weight of each example in the test for clusters, ``[examples]``; equal by default.

    Returns:
        The same values as :func:`clustered_pairs`.
    """
    import numpy as np

    matched = len(changes)
    plain = Paired(float(changes[changes > 0].sum()), -float(changes[changes < 0].sum()), matched)
    names = np.arange(matched) if clusters is None else clusters
    _, places, sizes = np.unique(names, return_inverse=True, return_counts=True)
    alone, whole = sizes.max(initial=0) <= 1, not (changes % 1).any()
    if alone and whole:
        return plain, None
    spread = (plain.broken + plain.fixed) / matched - (plain.difference or 0.0) ** 2
    sums = np.bincount(places, weights=changes)
    effective = (
        matched * spread / max(float(changes.var()), spread / matched)
        if alone
        else effective_number(sums.tolist(), sizes.tolist(), spread)
    )
    share = effective / matched
    scaled = Paired(plain.broken * share, plain.fixed * share, effective)
    if weights is not None:
        sums, sizes = np.bincount(places, weights=weights * changes), np.bincount(places, weights=weights)
    trials = Counter(zip(((sizes + sums) / 2).tolist(), sizes.tolist(), strict=True))
    mean = Mean(dict(sorted(trials.items())), usual=0.5)
    return ClusteredPairs(scaled.broken, scaled.fixed, scaled.matched, mean), effective
