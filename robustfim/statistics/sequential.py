"""Verdicts that may be looked at after every example: anytime-valid tests of a rate against its limit.

A mixture of likelihood ratios against the limit is a nonnegative supermartingale for every rate on the other
side of it, so by Ville's inequality it ever exceeds 1/α with probability at most α, however often one looks and
whenever one stops (Robbins 1970; Howard, Ramdas, McAuliffe and Sekhon 2021).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache

from robustfim.outcome import Outcome
from robustfim.statistics.rate import LEVEL
from robustfim.statistics.tails import Tail

__all__ = [
    "Trials",
    "Watch",
    "bets",
    "confidence_sequence",
    "end_of",
    "evidence",
    "sequential_limit",
    "sequential_tail",
]

_ODDS = 2.5
"""By how many times the odds of failing most likely differ from those of the limit: the median of the mixture."""
_SPREAD = 0.6
"""The standard deviation of the logarithm of that logarithm: nine of ten within factors of 1.4 and 12."""
_NODES = tuple(step / 4 for step in range(-18, 19))
"""Standard deviations at which the mixture has its weights."""


def evidence(failing: float, tested: float, limit: float, side: Outcome) -> float:
    """Log of the evidence that a rate lies on one side of its limit.

    log Σ w_j (p_j / L)^k ((1 − p_j) / (1 − L))^(n−k) over rates p_j on that side, whose odds are those of L times or by
    e^θ_j: θ is log-normal around log 2.5, since rates that matter are some times the limit, or that part of it.

    Args:
        failing: k, examples with at least one failing candidate; of trials in [0, 1] their sum, for which this is
            evidence, too, since a likelihood ratio is a convex function of the trial.
        tested: n, examples tested.
        limit: L, in (0, 1).
        side: FAILED for above the limit, PASSED for below it.

    Returns:
        The natural logarithm; its exponential has expectation ≤ 1 at every rate on the other side.
    """
    logs = [log + failing * fails + (tested - failing) * holds for log, fails, holds in bets(limit, side)]
    most = max(logs)
    return most + math.log(math.fsum(math.exp(each - most) for each in logs))


@lru_cache(maxsize=256)
def bets(limit: float, side: Outcome) -> tuple[tuple[float, float, float], ...]:
    """Give the mixture against a limit: rates on one side of it, by whose likelihood its evidence grows.

    Args:
        limit: L, in (0, 1).
        side: FAILED for rates above the limit, PASSED for those below it.

    Returns:
        Of each rate p the logarithms of its weight, of p / L and of (1 − p) / (1 − L).
    """
    mass = math.fsum(math.exp(-each * each / 2) for each in _NODES)
    found = []
    for each in _NODES:
        times = math.exp(math.log(math.log(_ODDS)) + _SPREAD * each)
        times = times if side is Outcome.FAILED else -times
        holds = -math.log1p(limit * math.expm1(times))
        found.append((-each * each / 2 - math.log(mass), times + holds, holds))
    return tuple(found)


def sequential_tail(failing: float, tested: float, limit: float) -> Tail:
    """Compare a rate with its limit at one look.

    Args:
        failing: Examples with at least one failing candidate.
        tested: Examples tested.
        limit: In [0, 1]; 0 tolerates no failing example, 1 is never exceeded.

    Returns:
        The likelier side and an anytime-valid p-value: 1 over the evidence, at most 1.
    """
    if limit <= 0 and failing:
        return Tail(Outcome.FAILED, 0.0)
    if limit >= 1:
        return Tail(Outcome.PASSED, 0.0)
    if limit <= 0:  # no failure so far is not none at all: the last example may still fail
        return Tail(Outcome.INCONCLUSIVE, 1.0)
    side = Outcome.FAILED if failing > limit * tested else Outcome.PASSED
    return Tail(side, math.exp(-max(0.0, evidence(failing, tested, limit, side))))


def sequential_limit(failing: int, tested: int, limit: float, trials: Trials | None = None) -> Tail:
    """Compare a rate with its limit at one look; see :func:`sequential_tail`.

    Args:
        failing: Failing examples.
        tested: Tested examples.
        limit: In [0, 1].
        trials: The clusters that they lie in; None where all are independent.
    """
    if trials is None or not 0 < limit < 1:
        return sequential_tail(failing, tested, limit)
    return sequential_tail(*trials.counts(failing, tested, limit), limit)


def confidence_sequence(failing: int, tested: int, trials: Trials | None = None) -> tuple[float, float] | None:
    """95 % confidence sequence of a rate, at the number of examples tested.

    The limits that neither one-sided test rejects at 2.5 %. All of them together, over every number of examples,
    hold the true rate with probability at least 95 %.

    Args:
        failing: Examples with at least one failing candidate, 0 ≤ failing ≤ tested.
        tested: Examples tested.
        trials: The clusters that they lie in; None where all are independent.

    Returns:
        Lower and upper end, each in [0, 1]; None where nothing was tested.
    """
    if tested == 0:
        return None
    rate = failing / tested

    def against(limit: float, side: Outcome) -> float:
        counts = (failing, tested) if trials is None else trials.counts(failing, tested, limit)
        return evidence(counts[0], counts[1], limit, side)

    return end_of(against, rate, Outcome.FAILED), end_of(against, rate, Outcome.PASSED)


def end_of(against: Callable[[float, Outcome], float], rate: float, side: Outcome) -> float:
    """Find the end of an interval: bisect between the rate, which is never rejected, and the far end.

    Args:
        against: The logarithm of the evidence against a limit, on one side of it.
        rate: The rate, in [0, 1].
        side: FAILED for the lower end, PASSED for the upper one.

    Returns:
        The limit nearest to the rate that is rejected at 2.5 %, to 40 bits.
    """
    outside, inside = (0.0, rate) if side is Outcome.FAILED else (1.0, rate)
    if outside == inside:
        return rate
    for _ in range(40):
        middle = (outside + inside) / 2
        if against(middle, side) >= -math.log(LEVEL):
            outside = middle
        else:
            inside = middle
    return outside


@dataclass(frozen=True, slots=True)
class Trials:
    """Clusters drawn whole and at random: each is one trial.

    Against a limit L the trial of a cluster of m tested members, y of which fail, is L + (y − L m) / M, M the members
    of the largest cluster there is: a number in [0, 1], with a mean above L just where the failing share is above it.

    Attributes:
        clusters: The clusters drawn.
        largest: M, ≥ 1.
    """

    clusters: int
    largest: int

    def counts(self, failing: int, tested: int, limit: float) -> tuple[float, int]:
        """Return the sum of the trials and their number.

        Args:
            failing: Failing examples in all of them.
            tested: Tested examples.
            limit: L.
        """
        total = self.clusters * limit + (failing - limit * tested) / self.largest
        return min(max(total, 0.0), float(self.clusters)), self.clusters


@dataclass
class Watch:
    """Follows the counts of one limit, and keeps the strongest evidence of all looks for each side.

    Attributes:
        limit: In [0, 1].
        level: The p-value at which a failure is certain whatever the other checks of the suite say: 0.025 over their
            number.
        passes: That at which a success is, 0.025 where it fails no run.
    """

    limit: float
    level: float = LEVEL
    passes: float = LEVEL
    _strongest: dict[Outcome, float] = field(default_factory=dict)

    def look(self, failing: int, tested: int, trials: Trials | None = None) -> bool:
        """Take a look.

        Args:
            failing: Failing examples so far.
            tested: Tested examples so far.
            trials: The clusters that they lie in; None where all are independent.

        Returns:
            Whether the verdict is certain.
        """
        if tested:
            found = sequential_limit(failing, tested, self.limit, trials)
            self._strongest[found.side] = min(found.p_value, self._strongest.get(found.side, 1.0))
        found = self.tail
        return found.p_value <= (self.passes if found.side is Outcome.PASSED else self.level)

    @property
    def _best(self) -> tuple[Outcome, float]:
        """The side with the smallest p-value of all looks; INCONCLUSIVE, with 1, before the first."""
        side = min(self._strongest, key=lambda each: self._strongest[each], default=Outcome.INCONCLUSIVE)
        return side, self._strongest.get(side, 1.0)

    @property
    def evidence(self) -> tuple[Outcome, float]:
        """The side with the strongest evidence, and the share of the logarithm that makes it certain, in [0, 1].

        INCONCLUSIVE, and 0, where no look favoured a side.
        """
        side, p_value = self._best
        if p_value >= 1:
            return Outcome.INCONCLUSIVE, 0.0
        level = self.passes if side is Outcome.PASSED else self.level
        return side, 1.0 if p_value <= level else math.log(p_value) / math.log(level)

    @property
    def tail(self) -> Tail:
        """The side with the strongest evidence of all looks, and its anytime-valid p-value.

        INCONCLUSIVE, with a p-value of 1, where no look would have decided even a single check.
        """
        side, p_value = self._best
        return Tail(side, p_value) if p_value <= LEVEL else Tail(Outcome.INCONCLUSIVE, 1.0)
