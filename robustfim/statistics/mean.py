"""The mean of numbers in [0, 1], such as the share of each example's candidates that fail, against a limit.

A mean is no count: what is proved of it must hold however the numbers are distributed.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from robustfim.outcome import Outcome
from robustfim.statistics.rate import LEVEL, Z_POWER, Interval, times_to_decide
from robustfim.statistics.sequential import bets, end_of
from robustfim.statistics.tails import Tail

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["Mean"]


@dataclass(frozen=True)
class Mean:
    """A mean of examples, each a number in [0, 1], that lie in independent clusters.

    Against a limit L a cluster of m examples whose numbers sum up to y is a trial x = L + (y − L m) / M, M the size of
    the largest: a number in [0, 1]. For bets p on one side of L, with weights w,

        E = Σ_j w_j Π (x p_j / L + (1 − x) (1 − p_j) / (1 − L))

    has expectation ≤ 1 wherever the mean lies on the other side: each product has factors linear in x, so that its
    expectation is at most the power of their mean (Maclaurin 1729), for independent trials as for some that are drawn
    of finitely many. So 1/E is a p-value (Markov), whatever the distribution (Waudby-Smith and Ramdas 2024). Of trials
    that are 0 or 1 it is :func:`robustfim.statistics.sequential.evidence`, with the same bets.

    Attributes:
        trials: How many clusters there are of each sum and size, ``{(y, m): clusters}``, 0 ≤ y ≤ m, m ≥ 1.
        largest: M, where larger ones may come than there are, as with a budget; else 0.
    """

    trials: Mapping[tuple[float, int], int]
    largest: int = 0

    @classmethod
    def of(cls, numbers: Mapping[str, float], clusters: Mapping[str, str], largest: int = 0) -> Mean:
        """Take the mean of examples.

        Args:
            numbers: Example id to its number, in [0, 1].
            clusters: Example id to cluster; an example that it lacks is one of its own.
            largest: As in the attributes.
        """
        sums: dict[tuple[bool, str], tuple[float, int]] = {}
        for id, number in numbers.items():
            key = (id in clusters, clusters.get(id, id))
            total, size = sums.get(key, (0.0, 0))
            sums[key] = (total + number, size + 1)
        trials: dict[tuple[float, int], int] = {}
        for trial in sums.values():
            trials[trial] = trials.get(trial, 0) + 1
        return cls(dict(sorted(trials.items())), largest)

    @property
    def tested(self) -> int:
        """How many examples."""
        return sum(size * clusters for (_, size), clusters in self.trials.items())

    @property
    def rate(self) -> float:
        """The mean, in [0, 1]."""
        return math.fsum(total * clusters for (total, _), clusters in self.trials.items()) / self.tested

    @property
    def interval(self) -> Interval:
        """The 95 % interval: the limits that neither one-sided test rejects at 2.5 %."""
        return end_of(self.evidence, self.rate, Outcome.FAILED), end_of(self.evidence, self.rate, Outcome.PASSED)

    def evidence(self, limit: float, side: Outcome) -> float:
        """Tell log E, the evidence that the mean lies on one side of its limit.

        Args:
            limit: L, in (0, 1).
            side: FAILED for above the limit, PASSED for below it.
        """
        import numpy as np

        weights, grown = self._grown(limit, side)
        return float(np.logaddexp.reduce(weights + grown @ self._clusters))

    def tail(self, limit: float) -> Tail:
        """Compare the mean with its limit.

        Args:
            limit: The largest tolerated mean, in [0, 1]; 0 tolerates nothing, 1 is never exceeded.

        Returns:
            The side and its p-value 1/E, valid for any distribution; INCONCLUSIVE where it is above 0.025.
        """
        if limit >= 1:
            return Tail(Outcome.PASSED, 0.0)
        rate = self.rate
        if limit <= 0:
            return Tail(Outcome.FAILED if rate else Outcome.PASSED, 0.0)
        side = Outcome.FAILED if rate > limit else Outcome.PASSED
        p_value = math.exp(-max(0.0, self.evidence(limit, side)))
        return Tail(side, p_value) if p_value <= LEVEL else Tail(Outcome.INCONCLUSIVE, 1.0)

    def examples_to_decide(self, limit: float, comparisons: float = 1) -> int | None:
        """Estimate how many more examples decide in 80 % of cases, were the numbers distributed as these are.

        Of k times the examples the logarithm of each bet's product has k times the mean and k times the variance.

        Args:
            limit: L, in (0, 1).
            comparisons: The comparisons among which this one must stand, ≥ 1.

        Returns:
            Examples to add, ≥ 1; None where no number would decide.
        """
        import numpy as np

        rate = self.rate
        weights, grown = self._grown(limit, Outcome.FAILED if rate > limit else Outcome.PASSED)
        total, number = grown @ self._clusters, self._clusters.sum()
        spread = np.sqrt(np.maximum(0.0, grown**2 @ self._clusters - total**2 / number))

        def decides(times: float) -> bool:
            logs = weights + times * total - Z_POWER * math.sqrt(times) * spread
            return bool(np.logaddexp.reduce(logs) >= math.log(comparisons / LEVEL))

        times = times_to_decide(decides)
        return None if times is None else max(1, math.ceil((times - 1) * self.tested))

    @cached_property
    def _clusters(self) -> NDArray[np.float64]:
        """How many clusters there are of each kind, ``[kinds]``."""
        import numpy as np

        return np.array(list(self.trials.values()), dtype=float)

    def _grown(self, limit: float, side: Outcome) -> tuple[Any, Any]:
        """The logarithms of the weight of each bet, ``[bets]``, and of its factor for each trial, ``[bets, kinds]``."""
        import numpy as np

        weights, fails, holds = np.array(bets(limit, side)).T
        sums, sizes = np.array(list(self.trials), dtype=float).T
        trials = limit + (sums - limit * sizes) / max(sizes.max(), self.largest)
        return weights, np.log(np.outer(np.exp(fails), trials) + np.outer(np.exp(holds), 1 - trials))
