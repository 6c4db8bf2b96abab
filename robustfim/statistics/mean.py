"""The mean of numbers in [0, 1], possibly in clusters, compared with a limit.

The number of an example is the fraction of its candidates that fail; or 1 if the example fails, and 0 if it passes. The
tests are valid for any distribution of the numbers, and for any correlation within clusters.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from robustfim.outcome import Outcome
from robustfim.statistics.gaffke import tail_of_clusters
from robustfim.statistics.rate import LEVEL, Z_POWER, Interval, times_to_decide
from robustfim.statistics.sequential import bets, end_of
from robustfim.statistics.tails import Tail

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["Mean"]


@dataclass(frozen=True)
class Mean:
    """A mean of numbers in [0, 1], one per example, with a test that allows for clusters (dependent examples).

    For a fixed number of clusters, :func:`robustfim.statistics.gaffke.tail_of_clusters` tests the mean. With a budget,
    the test is repeated as examples are drawn. Let L be the limit, and M the size of the largest cluster. A cluster of
    m examples with the sum y is then a trial x = L + (y − L m) / M in [0, 1]. For bets p_j on one side of L, with
    weights w_j,

        E = Σ_j w_j Π (x p_j / L + (1 − x) (1 − p_j) / (1 − L))

    has expectation ≤ 1 if the mean lies on the other side, for independent trials and for draws without replacement:
    each factor is linear in x, so the expectation of a product is at most a power of the mean expectation of its
    factors (Maclaurin 1729). So 1/E is a p-value (Markov) for any distribution (Waudby-Smith and Ramdas 2024). For
    trials of 0 or 1 it equals :func:`robustfim.statistics.sequential.evidence`, with the same bets.

    Attributes:
        trials: The number of clusters with each sum and size, ``{(y, m): clusters}``, 0 ≤ y ≤ m; with weighted
            examples, both are sums of weights.
        largest: With a budget M, the size of the largest cluster, including clusters that are still to come; else 0.
        usual: The number of an example that passes: 0; ½ for a difference d in [−1, 1], whose number is (1 + d) / 2.
        unseen: The weight of one more cluster that the data may hold where none was found; it fails in a test of
            *passed*, and passes in a test of *failed*.
    """

    trials: Mapping[tuple[float, float], int]
    largest: float = 0
    usual: float = 0.0
    unseen: float = 0.0

    @classmethod
    def of(
        cls,
        numbers: Mapping[str, float],
        clusters: Mapping[str, str],
        largest: float = 0,
        *,
        weights: Mapping[str, float] | None = None,
        usual: float = 0.0,
    ) -> Mean:
        """Build the mean from the numbers of single examples.

        Args:
            numbers: Example id to its number, in [0, 1].
            clusters: Example id to cluster (group of dependent examples); an example without an entry is its own
                cluster.
            largest: The size of the largest cluster with a budget, else 0; see the attribute.
            weights: Example id to weight, > 0; equal by default.
            usual: The number of an example that passes; see the attribute.
        """
        sums: dict[tuple[bool, str], tuple[float, float]] = {}
        for id, number in numbers.items():
            key = (id in clusters, clusters.get(id, id))
            weight = 1 if weights is None else weights[id]
            total, size = sums.get(key, (0.0, 0))
            sums[key] = (total + weight * number, size + weight)
        trials: dict[tuple[float, float], int] = {}
        for trial in sums.values():
            trials[trial] = trials.get(trial, 0) + 1
        return cls(dict(sorted(trials.items())), largest, usual)

    @property
    def tested(self) -> int:
        """The number of examples; with weights, the sum of the weights."""
        return round(sum(size * clusters for (_, size), clusters in self.trials.items()))

    @property
    def rate(self) -> float:
        """The mean, in [0, 1]."""
        whole = math.fsum(size * clusters for (_, size), clusters in self.trials.items())
        return math.fsum(total * clusters for (total, _), clusters in self.trials.items()) / whole

    @property
    def interval(self) -> Interval:
        """The 95 % interval: the limits that neither one-sided test rejects at 2.5 %."""
        return end_of(self.evidence, self.rate, Outcome.FAILED), end_of(self.evidence, self.rate, Outcome.PASSED)

    def evidence(self, limit: float, side: Outcome) -> float:
        """Return the strength of evidence that the mean lies above, or below, a limit.

        Args:
            limit: The limit L, in (0, 1).
            side: FAILED for above the limit, PASSED for below it.

        Returns:
            −log of the p-value; with a budget, the logarithm of E (see the class).
        """
        import numpy as np

        if not self.largest:
            p_value, _ = self._tested(limit, side)
            return -math.log(max(p_value, sys.float_info.min))
        weights, grown = self._grown(limit, side)
        return float(np.logaddexp.reduce(weights + grown @ self._clusters))

    def p_value(self, limit: float, side: Outcome) -> float:
        """Return the one-sided p-value for a mean above (FAILED) or below (PASSED) a limit in (0, 1)."""
        return math.exp(-max(0.0, self.evidence(limit, side)))

    def tail(self, limit: float) -> Tail:
        """Test the mean against a limit: is it larger or smaller?

        Args:
            limit: The largest tolerated mean, in [0, 1]; 0 tolerates nothing, 1 is never exceeded.

        Returns:
            The side of the limit on which the mean lies, and the one-sided p-value, valid for any distribution. The
            side is INCONCLUSIVE if the p-value is above 0.025.
        """
        if limit >= 1:
            return Tail(Outcome.PASSED, 0.0)
        rate = self.rate
        if limit <= 0:
            return Tail(Outcome.FAILED if rate else Outcome.PASSED, 0.0)
        side = Outcome.FAILED if rate > limit else Outcome.PASSED
        p_value = self.p_value(limit, side)
        return Tail(side, p_value) if p_value <= LEVEL else Tail(Outcome.INCONCLUSIVE, 1.0)

    def examples_to_decide(self, limit: float, comparisons: float = 1) -> int | None:
        """Estimate how many more examples a clear verdict needs, with 80 % probability, if the numbers stay alike.

        Args:
            limit: The limit, in (0, 1).
            comparisons: The number of comparisons that the result is corrected for, ≥ 1.

        Returns:
            Examples to add, ≥ 1; None if no number would decide.
        """
        import numpy as np

        side = Outcome.FAILED if self.rate > limit else Outcome.PASSED
        enough = math.log(comparisons / LEVEL)
        if self.largest:
            weights, grown = self._grown(limit, side)
            total, number = grown @ self._clusters, self._clusters.sum()
            spread = np.sqrt(np.maximum(0.0, grown**2 @ self._clusters - total**2 / number))

        def decides(times: float) -> bool:
            if not self.largest:
                p_value, deviation = self._tested(limit, side, times)
                return -math.log(max(p_value, sys.float_info.min)) - Z_POWER * deviation >= enough
            logs = weights + times * total - Z_POWER * math.sqrt(times) * spread
            return bool(np.logaddexp.reduce(logs) >= enough)

        times = times_to_decide(decides)
        return None if times is None else max(1, math.ceil((times - 1) * self.tested))

    @cached_property
    def _clusters(self) -> NDArray[np.float64]:
        """How many clusters there are of each kind, ``[kinds]``."""
        import numpy as np

        return np.array(list(self.trials.values()), dtype=float)

    def _tested(self, limit: float, side: Outcome, times: float = 1.0) -> tuple[float, float]:
        """The p-value of so many times the clusters, and the standard deviation of its logarithm."""
        import numpy as np

        sums, sizes = np.array(list(self.trials), dtype=float).T
        above, clusters = side is Outcome.FAILED, times * self._clusters
        if self.unseen:
            sums, sizes = np.append(sums, 0.0 if above else self.unseen), np.append(sizes, self.unseen)
            clusters = np.append(clusters, 1.0)
        return tail_of_clusters(sums, sizes, clusters, limit, above=above, usual=self.usual)

    def _grown(self, limit: float, side: Outcome) -> tuple[Any, Any]:
        """The logarithms of the weight of each bet, ``[bets]``, and of its factor for each trial, ``[bets, kinds]``."""
        import numpy as np

        weights, fails, holds = np.array(bets(limit, side)).T
        sums, sizes = np.array(list(self.trials), dtype=float).T
        trials = limit + (sums - limit * sizes) / max(sizes.max(), self.largest)
        return weights, np.log(np.outer(np.exp(fails), trials) + np.outer(np.exp(holds), 1 - trials))
