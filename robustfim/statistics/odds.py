"""An exact test of whether the odds of a success in a group exceed the odds elsewhere by more than a factor."""

from __future__ import annotations

__all__ = ["odds_tail"]


def odds_tail(inside: tuple[int, int], elsewhere: tuple[int, int], odds: float = 1.0) -> float:
    """Test whether the odds of success inside a group exceed those outside by more than a given factor.

    Suppose n trials inside, m elsewhere, and k successes in all. The number x of successes inside then has Fisher's
    noncentral hypergeometric distribution, ``P(x) ∝ C(n, x) C(m, k − x) oddsˣ``. With ``odds=1`` this is Fisher's exact
    test.

    Args:
        inside: Successes and trials inside the group.
        elsewhere: Successes and trials elsewhere.
        odds: The odds ratio under the hypothesis, > 0.

    Returns:
        The one-sided p-value: the probability of at least as many successes inside as observed, if the ratio is
        ``odds``.
    """
    import numpy as np
    from scipy.special import gammaln, logsumexp

    (x, n), (y, m) = inside, elsewhere
    number = np.arange(max(0, x + y - m), min(n, x + y) + 1)
    other = x + y - number
    ways = gammaln(number + 1) + gammaln(n - number + 1) + gammaln(other + 1) + gammaln(m - other + 1)
    chances = number * np.log(odds) - ways
    return float(min(1.0, np.exp(logsumexp(chances[number >= x]) - logsumexp(chances))))
