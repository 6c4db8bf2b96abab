"""A prediction of how many new cases succeed, from a count of earlier cases."""

from __future__ import annotations

from robustfim.statistics.rate import LEVEL

__all__ = ["expected_count"]


def expected_count(count: int, trials: int, number: int) -> tuple[float, tuple[int, int]]:
    """Predict the number of successes among new cases, from earlier cases of the same kind.

    With Jeffreys' prior (Brown, Cai and DasGupta 2001) the fraction of successes is distributed as Beta(a, b), with a =
    count + ½ and b = trials − count + ½. The number k of new successes is then beta-binomial, with B the beta function:
    P(k) = C(number, k) B(k + a, number − k + b) / B(a, b). The interval covers both the error of the earlier count and
    the chance in the new cases.

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
