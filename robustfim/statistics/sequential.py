"""Verdicts that may be looked at after every example: anytime-valid tests of a rate against its limit.

A mixture of likelihood ratios against the limit is a nonnegative supermartingale for every rate on the other
side of it, so by Ville's inequality it ever exceeds 1/α with probability at most α, however often one looks and
whenever one stops (Robbins 1970; Howard, Ramdas, McAuliffe and Sekhon 2021).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from robustfim.outcome import Outcome
from robustfim.statistics.rate import CONFIDENCE
from robustfim.statistics.tails import Tail

__all__ = ["Watch", "confidence_sequence", "evidence", "sequential_tail"]

_ALPHA = (1 - CONFIDENCE) / 2
_PRIOR = 0.5
"""Both parameters of the mixing Beta distribution: Jeffreys' prior, cut off at the limit."""


def evidence(failing: int, tested: int, limit: float, side: Outcome) -> float:
    """Log of the evidence that a rate lies on one side of its limit.

    log ∫ p^k (1 − p)^(n−k) dπ(p) − log L^k (1 − L)^(n−k), where π is Beta(½, ½) restricted to that side of L.

    Args:
        failing: k, examples with at least one failing candidate.
        tested: n, examples tested.
        limit: L, in (0, 1).
        side: FAILED for above the limit, PASSED for below it.

    Returns:
        The natural logarithm, −inf where there is none; its exponential has expectation ≤ 1 at every rate on the
        other side.
    """
    from scipy.special import betainc, betaincc, betaln

    share = betaincc if side is Outcome.FAILED else betainc
    posterior = failing + _PRIOR, tested - failing + _PRIOR
    mass = float(share(*posterior, limit))
    if mass <= 0:  # too small for a number: the counts lie far on the other side
        return -math.inf
    return float(
        betaln(*posterior)
        + math.log(mass)
        - betaln(_PRIOR, _PRIOR)
        - math.log(share(_PRIOR, _PRIOR, limit))
        - failing * math.log(limit)
        - (tested - failing) * math.log1p(-limit)
    )


def sequential_tail(failing: int, tested: int, limit: float) -> Tail:
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
    return Tail(side, min(1.0, math.exp(-max(0.0, evidence(failing, tested, limit, side)))))


def confidence_sequence(failing: int, tested: int) -> tuple[float, float] | None:
    """95 % confidence sequence of a rate, at the number of examples tested.

    The limits that neither one-sided test rejects at 2.5 %. All of them together, over every number of examples,
    hold the true rate with probability at least 95 %.

    Args:
        failing: Examples with at least one failing candidate, 0 ≤ failing ≤ tested.
        tested: Examples tested.

    Returns:
        Lower and upper end, each in [0, 1]; None where nothing was tested.
    """
    if tested == 0:
        return None
    rate = failing / tested
    return _end(failing, tested, rate, Outcome.FAILED), _end(failing, tested, rate, Outcome.PASSED)


def _end(failing: int, tested: int, rate: float, side: Outcome) -> float:
    """Bisect between the rate, which is never rejected, and the far end."""
    outside, inside = (0.0, rate) if side is Outcome.FAILED else (1.0, rate)
    if outside == inside:
        return rate
    for _ in range(40):
        middle = (outside + inside) / 2
        if evidence(failing, tested, middle, side) >= -math.log(_ALPHA):
            outside = middle
        else:
            inside = middle
    return outside


@dataclass
class Watch:
    """Follows the counts of one limit, and keeps the strongest evidence of all looks for each side.

    Attributes:
        limit: In [0, 1].
        level: The p-value at which a verdict is certain whatever the other checks of the run say: 0.025 over their
            number.
    """

    limit: float
    level: float = _ALPHA
    _strongest: dict[Outcome, float] = field(default_factory=dict)

    def look(self, failing: int, tested: int) -> bool:
        """Take a look.

        Args:
            failing: Failing examples so far.
            tested: Tested examples so far.

        Returns:
            Whether the verdict is certain.
        """
        if tested:
            found = sequential_tail(failing, tested, self.limit)
            self._strongest[found.side] = min(found.p_value, self._strongest.get(found.side, 1.0))
        return self.tail.p_value <= self.level

    @property
    def tail(self) -> Tail:
        """The side with the strongest evidence of all looks, and its anytime-valid p-value.

        INCONCLUSIVE, with a p-value of 1, where no look would have decided even a single check.
        """
        side = min(self._strongest, key=lambda each: self._strongest[each], default=Outcome.INCONCLUSIVE)
        p_value = self._strongest.get(side, 1.0)
        return Tail(side, p_value) if p_value <= _ALPHA else Tail(Outcome.INCONCLUSIVE, 1.0)
