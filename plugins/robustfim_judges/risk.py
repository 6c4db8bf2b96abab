"""Risk control: thresholds above which at most so many pairs are bad, with a stated confidence (Learn then Test).

Angelopoulos, Bates, Candès, Jordan and Lei (2021), with the share of bad pairs among those that are let through as the
risk, and one sequence of thresholds that was fixed before the tested pairs were looked at.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, inf

__all__ = ["ERROR", "RISK", "Promise", "promise", "thresholds"]

RISK = 0.05
"""The largest share of bad pairs among those let through."""

ERROR = 0.05
"""How often a promise may be wrong, over draws of the pairs that it is made from."""

_FIRST = 93
"""Pairs that the strictest threshold should let through; one may be bad (0.95⁹³ + 93 · 0.05 · 0.95⁹² ≤ 0.05)."""

_STEPS = 20
"""Thresholds of a sequence, at most."""


@dataclass(frozen=True)
class Promise:
    """A threshold, with what it was proved by.

    Attributes:
        at: The least number that is let through; −inf lets all through.
        through: Tested pairs that it lets through.
        bad: Bad ones among them.
        tested: Tested pairs.
    """

    at: float
    through: int
    bad: int
    tested: int


def thresholds(numbers: Sequence[float], tested: int, first: int = _FIRST) -> list[float]:
    """Fix a sequence of thresholds by pairs that take no part in the test, the strictest first.

    The first lets about ``first`` of the tested pairs through, if both are alike, the last all; between them lie equal
    steps. Fewer could prove nothing: a sequence that began there would end at once.

    Args:
        numbers: The judge's numbers of other pairs.
        tested: How many pairs will be tested.
        first: How many the strictest lets through.
    """
    ranked = sorted(numbers, reverse=True)
    least = first / max(tested, 1)
    if least >= 1 or not ranked:
        return [-inf]
    shares = [least + (1 - least) * step / (_STEPS - 1) for step in range(_STEPS - 1)]
    return list(dict.fromkeys([*(ranked[min(ceil(share * len(ranked)), len(ranked)) - 1] for share in shares), -inf]))


def promise(
    numbers: Sequence[float], bad: Sequence[bool], sequence: Sequence[float], risk: float = RISK, error: float = ERROR
) -> Promise | None:
    """Find the loosest threshold above which at most a share ``risk`` of all pairs is bad, as far as it can be proved.

    Fixed-sequence testing: the hypothesis of a threshold, that more than ``risk`` of what it lets through is bad, is
    rejected where P(Bin(n, risk) ≤ k) ≤ ``error``, n of the pairs let through and k of them bad; the first that is not
    ends the sequence. With probability 1 − ``error`` no rejected threshold has a larger risk, whatever the judge
    is worth, if the pairs are independent draws of those that it is used on and took no part in the sequence.

    Args:
        numbers: The judge's number of each pair, larger for those to let through.
        bad: Whether the pair is bad.
        sequence: Thresholds, the strictest first, as of :func:`thresholds`.
        risk: In (0, 1).
        error: In (0, 1).

    Returns:
        The last threshold that was rejected; None where none was.
    """
    import numpy as np
    from scipy.stats import binom

    given, wrong, at = np.asarray(numbers, float), np.asarray(bad, bool), np.asarray(sequence, float)
    let = given[None, :] >= at[:, None]
    through, failed = let.sum(1), (let & wrong[None, :]).sum(1)
    proved = binom.cdf(failed, through, risk) <= error
    last = int(proved.size if proved.all() else proved.argmin()) - 1
    if last < 0:
        return None
    return Promise(float(at[last]), int(through[last]), int(failed[last]), len(given))
