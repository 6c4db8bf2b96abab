"""Assurance: the probability that a suite ends conclusively, averaged over the uncertainty of its failure rates.

Power is the probability of a conclusive result at a known rate. Assurance averages the power over the rates that a
pilot leaves possible (O'Hagan, Stevens and Campbell 2005). Whole runs are simulated and judged as real runs: each
comparison passes by :func:`robustfim.statistics.tails.tail` at the full level, and fails after Holm's correction.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from robustfim.statistics import LEVEL, exact_tails, family

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["Piloted", "Runs", "grown", "judged", "piloted_rates"]

_LEVELS = tuple(step / 2 for step in range(-10, 4))
"""Means that the log odds of the rates may have, above those of their limits, all as likely."""
_SPREADS = {0.05: 0.1, 0.15: 0.12, 0.3: 0.17, 0.5: 0.22, 0.8: 0.25, 1.2: 0.24, 1.8: 0.14, 2.6: 0.03}
"""Their standard deviations, and how likely each is: half normal, with a scale of 1."""
_BINS = 441
"""Log odds from 7 below those of the limit to 4 above, at which a rate is looked at."""
_DRAWS = 2000
_STEP = 1.05
"""Each number of examples that is tried, to the one before."""
_FIRST = 16
_MANY = 1_000_000
"""Examples beyond which no number is worth telling."""


@dataclass(frozen=True, slots=True)
class Piloted:
    """A limit on a failure rate, with the results of a pilot (a small first run).

    Attributes:
        limit: The limit, in (0, 1).
        failing: The pilot's failing examples. With clusters or unequal weights: the equivalent number of independent
            examples.
        tested: The pilot's tested examples, counted in the same way, ≥ failing.
        share: The number of independent tested examples for each drawn example, in (0, 1].
        rate: The rate to assume in place of the pilot's; None to use the pilot's.
    """

    limit: float
    failing: float
    tested: float
    share: float = 1.0
    rate: float | None = None


@dataclass(frozen=True)
class Runs:
    """The results of simulated runs of a suite, at growing numbers of drawn examples.

    Attributes:
        drawn: The numbers of drawn examples, ascending, ``[numbers]``.
        decided: For each number, the fraction of runs in which each comparison of a rate with its limit is conclusive,
            ``[numbers, comparisons]``.
        codes: For each number, the fractions of runs with exit codes 0, 1 and 6, ``[numbers, 3]``.
    """

    drawn: NDArray[np.int64]
    decided: NDArray[np.float64]
    codes: NDArray[np.float64]

    def first(self, comparison: int, power: float) -> int | None:
        """Return the smallest number of examples with which a comparison with a limit is conclusive often enough.

        Args:
            comparison: The index of the comparison.
            power: The fraction of runs that must decide the comparison, in (0, 1).

        Returns:
            The number of examples; None if a million are too few.
        """
        enough = self.decided[:, comparison] >= power
        return int(self.drawn[enough.argmax()]) if enough.any() else None


def piloted_rates(aims: Sequence[Piloted], random: np.random.Generator) -> NDArray[np.float64]:
    """Draw a suite's failure rates from their posterior distribution, given a pilot (a small first run).

    The rates of one model on one data set resemble each other. In the hierarchical model (Gelman et al. 2013, ch. 5)
    the log odds of each rate minus the log odds of its limit are normal around a common mean with a common standard
    deviation. Mean and standard deviation are drawn from their posterior on a grid, then each rate given both.

    Args:
        aims: The comparisons of the suite, at least one.
        random: The random generator.

    Returns:
        2,000 draws of the rates, each in (0, 1), ``[draws, comparisons]``. A comparison with an assumed ``rate`` has
        this rate in all draws.
    """
    import numpy as np
    from scipy.special import expit, logit

    rates = np.empty((_DRAWS, len(aims)))
    above = np.linspace(-7.0, 4.0, _BINS)
    means, spreads = (part.ravel() for part in np.meshgrid(_LEVELS, list(_SPREADS), indexing="ij"))
    known = np.exp(-(((above - means[:, None]) / spreads[:, None]) ** 2) / 2)
    known /= known.sum(axis=1, keepdims=True)
    logs = np.log(np.tile(list(_SPREADS.values()), len(_LEVELS)))
    likely = {}
    for place, aim in enumerate(aims):
        if aim.rate is not None:
            rates[:, place] = aim.rate
            continue
        odds = above + logit(aim.limit)
        log = aim.failing * odds - aim.tested * np.logaddexp(0, odds)
        likely[place] = known * np.exp(log - log.max())
        logs = logs + np.log(np.maximum(likely[place].sum(axis=1), 1e-300))
    weights = np.exp(logs - logs.max())
    drawn = random.choice(len(logs), _DRAWS, p=weights / weights.sum())
    for place, each in likely.items():
        upto = np.cumsum(each, axis=1)[drawn]
        found = (upto < random.random((_DRAWS, 1)) * upto[:, -1:]).sum(axis=1)
        jitter = (random.random(_DRAWS) - 0.5) * (above[1] - above[0])
        rates[:, place] = expit(above[found] + jitter + logit(aims[place].limit))
    return rates


def judged(counts: NDArray[np.int64], tested: NDArray[np.int64], limits: NDArray[np.float64]) -> NDArray[np.int8]:
    """Compare the failure counts of simulated runs with limits, with the tests and corrections of a real run.

    Args:
        counts: The numbers of failing examples, ``[runs, comparisons]``.
        tested: The numbers of tested examples, each ≥ 1, ``[comparisons]``.
        limits: The limits, each in (0, 1), ``[comparisons]``.

    Returns:
        1 if a comparison fails, −1 if it passes, else 0, ``[runs, comparisons]``.
    """
    import numpy as np

    p_values, passes = exact_tails(counts, tested, limits)
    sides: NDArray[np.int8] = (family(p_values) <= LEVEL).astype(np.int8) - (passes <= LEVEL)
    return sides


def grown(aims: Sequence[Piloted], drawn: Sequence[int] = (), *, until: float = 1.0, seed: int = 0) -> Runs:
    """Simulate runs of a suite, and evaluate the limits at growing numbers of drawn examples.

    The rates of a run are drawn together. Given the rates, the comparisons fail independently of each other. Each
    simulated run keeps its examples when it grows.

    Args:
        aims: The comparisons of the suite, at least one.
        drawn: The numbers of drawn examples, ascending; by default from 16 to a million in steps of 5 %.
        until: By default numbers, stop as soon as this fraction of runs, in (0, 1], decides each comparison.
        seed: The seed of the simulation.
    """
    import numpy as np

    random = np.random.default_rng(seed)
    rates = piloted_rates(aims, random)
    counts, reached = np.zeros(rates.shape, dtype=np.int64), np.zeros(len(aims), dtype=np.int64)
    limits, fractions = (np.array([getattr(aim, name) for aim in aims]) for name in ("limit", "share"))
    steps = round(math.log(_MANY / _FIRST) / math.log(_STEP))
    numbers = drawn or sorted({round(_FIRST * _STEP**step) for step in range(steps + 1)})
    decided, codes = [], []
    for number in numbers:
        tested = np.maximum(1, np.rint(number * fractions)).astype(np.int64)
        counts += random.binomial(tested - reached, rates)
        reached = tested
        sides = judged(counts, tested, limits)
        failed, passed = (sides > 0).any(axis=1), (sides < 0).all(axis=1)
        decided.append((sides != 0).mean(axis=0))
        codes.append((passed.mean(), failed.mean(), (~(failed | passed)).mean()))
        if not drawn and (decided[-1] >= until).all():
            break
    return Runs(np.array(numbers[: len(decided)]), np.array(decided), np.array(codes))
