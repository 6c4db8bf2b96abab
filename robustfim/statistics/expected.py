"""How many of a number of new cases are like those that were counted before."""

from __future__ import annotations

from robustfim.statistics.rate import LEVEL

__all__ = ["expected_count"]


def expected_count(count: int, trials: int, number: int) -> tuple[float, tuple[int, int]]:
    """Predict how many of new cases succeed, from a count of earlier ones of the same kind.

    With Jeffreys' prior the share of successes is Beta(a, b), a = count + ½ and b = trials − count + ½, and the new
    count k is beta-binomial: P(k) = C(number, k) B(k + a, number − k + b) / B(a, b). The interval counts both
    samplings, that of the earlier cases and that of the new ones (Brown, Cai and DasGupta 2001, for the prior).

    Args:
        count: Earlier successes, 0 ≤ count ≤ trials.
        trials: Earlier cases, ≥ 1.
        number: New cases, ≥ 0.

    Returns:
        The mean, number · a / (a + b), and the 95 % prediction interval: at most 2.5 % lie below its lower end, and at
        most 2.5 % above its upper end.
    """
    import numpy as np
    from scipy.special import betaln, gammaln  # scipy.stats has this distribution, and takes a second to import

    first, second = count + 0.5, trials - count + 0.5
    k = np.arange(number + 1)
    chance = gammaln(number + 1) - gammaln(k + 1) - gammaln(number - k + 1)  # log C(number, k)
    chance += betaln(k + first, number - k + second) - betaln(first, second)
    below = np.exp(chance).cumsum()
    low = int(np.searchsorted(below, LEVEL, side="right"))
    high = int(np.searchsorted(below, 1 - LEVEL - 1e-12))
    return number * first / (trials + 1), (min(low, number), min(high, number))
