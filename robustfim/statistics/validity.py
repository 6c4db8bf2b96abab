"""The rate of valid failures, after people have reviewed some of the failures."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from robustfim.outcome import Outcome
from robustfim.statistics.rate import LEVEL
from robustfim.statistics.sequential import evidence
from robustfim.statistics.tails import Tail, tail

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

__all__ = ["ReviewCounts", "valid_limit", "valid_rate", "valid_tail"]

_GRID = 200
"""The number of steps into which fractions of valid failures are rounded up."""
_MEANS = 4000
"""The largest number of means that stand for the possible numbers of valid failures."""
_LEAST = 1e-12
"""The probability of numbers of valid failures that are left out on either side."""


@dataclass(frozen=True, slots=True)
class ReviewCounts:
    """The number of failing examples of a check, and people's reviews of a random sample of them.

    Attributes:
        failing: The number of failing examples.
        valid: Reviewed examples whose failing text people call valid.
        invalid: Reviewed examples whose failing text people call invalid.
        unsure: Reviewed examples about which people are unsure.
        worth: Independent examples per tested example, in (0, 1]: 1 over the size of the largest cluster (group of
            dependent examples).
    """

    failing: int
    valid: int = 0
    invalid: int = 0
    unsure: int = 0
    worth: float = 1.0

    @property
    def looked(self) -> int:
        """The number of reviewed examples."""
        return self.valid + self.invalid + self.unsure


def valid_rate(tested: int, reviewed: ReviewCounts) -> tuple[float, tuple[float, float]] | None:
    """Estimate the fraction of tested examples with a failing text that people call valid.

    The unreviewed failing examples are assumed to be valid as often as those in the sample. The interval combines
    ("melds") the confidence distributions of both samplings, of the examples and of the answers (Fay, Proschan and
    Brittain 2015). Let v and i be the numbers of valid and invalid answers, and F the number of valid failures: v, plus
    Binomial(failing − v − i, q) unreviewed ones. The lower end is a quantile of the rate θ ~ Beta(F, tested − F + 1),
    the upper end one of θ ~ Beta(F + 1, tested − F), each summed over all F. The distribution of the fraction q has the
    one-sided p-values of :func:`robustfim.statistics.sequential.evidence`. These are valid at any time, and weigh the
    p-values of all F. Their average is doubled (Rüschendorf 1982; Vovk and Wang 2020), so people may stop when a
    verdict is reached, or at the first failure that an earlier run did not have.
    The lower end takes every *unsure* as invalid, the upper end as valid. It is never above that of all failures.

    Args:
        tested: Tested examples, at least the failing ones.
        reviewed: The failing examples and the answers about them.

    Returns:
        The rate and its 95 % interval, each in [0, 1]; None if nothing was tested, or failing examples have no
        answer.
    """
    if not tested or (reviewed.failing and not reviewed.looked):
        return None
    from scipy.optimize import brentq

    rate = _expected(reviewed) / tested

    def beyond(limit: float, upper: bool) -> float:
        return _tail(tested, reviewed, limit, upper=upper) - LEVEL

    low = 0.0 if beyond(0.0, False) >= 0 else brentq(beyond, 0.0, 1.0, (False,))
    high = 1.0 if beyond(1.0, True) >= 0 else brentq(beyond, 0.0, 1.0, (True,))
    return rate, (min(low, rate), max(high, rate))


def valid_limit(tested: int, reviewed: ReviewCounts, limit: float) -> Tail:
    """Test the rate of failures that people call valid against a limit.

    A decision needs the whole interval of :func:`valid_rate` on one side of the limit.

    If nobody has reviewed a failure, or nothing fails, the check can still pass: if the rate of all failures, valid or
    not, is below the limit. A limit of 0 tolerates no valid failure: the check fails with one, and passes if all
    failures were reviewed and none is valid. A limit of 1 is never exceeded.

    Args:
        tested: Tested examples, > 0.
        reviewed: The failing examples, as for :func:`valid_rate`.
        limit: The largest tolerated rate of valid failures, in [0, 1].

    Returns:
        The side of the limit and the p-value; INCONCLUSIVE, with a p-value of 1, if the interval contains the limit.
    """
    failing = reviewed.failing
    if not (failing and reviewed.looked):
        raw = tail(failing * reviewed.worth, tested * reviewed.worth, limit)
        return raw if raw.side is Outcome.PASSED else Tail(Outcome.INCONCLUSIVE, 1.0)
    if limit >= 1 or (limit <= 0 and reviewed.invalid == failing):
        return Tail(Outcome.PASSED, 0.0)
    if limit <= 0:
        return Tail(Outcome.FAILED, 0.0) if reviewed.valid else Tail(Outcome.INCONCLUSIVE, 1.0)
    below, above = valid_tail(tested, reviewed, limit)
    if below < LEVEL:
        return Tail(Outcome.FAILED, below)
    return Tail(Outcome.PASSED, above) if above < LEVEL else Tail(Outcome.INCONCLUSIVE, 1.0)


def valid_tail(tested: int, reviewed: ReviewCounts, limit: float) -> tuple[float, float]:
    """Return the p-values of a rate of valid failures below, and above, a limit, valid whenever people stop.

    Args:
        tested: As for :func:`valid_rate`.
        reviewed: As for :func:`valid_rate`.
        limit: The limit, in [0, 1].

    Returns:
        The p-value of a rate at or below the limit (if small, the check fails), and that of a rate at or above the
        limit (if small, the check passes). Each takes *unsure* as the answer against the verdict.
    """
    below, above = (_tail(tested, reviewed, limit, upper=upper) for upper in (False, True))
    return below, above


def _expected(reviewed: ReviewCounts) -> float:
    answered = reviewed.valid + reviewed.invalid
    return reviewed.failing * (reviewed.valid / answered if answered else 0.5)


def _tail(tested: int, reviewed: ReviewCounts, limit: float, *, upper: bool) -> float:
    """The p-value of a rate at or above the limit (``upper``), or at or below it."""
    import numpy as np

    failures, chances = _failures(reviewed, upper=upper)
    average = float(chances @ _p_values(tested, failures, reviewed.worth, limit, upper=upper))
    most = _p_values(tested, np.array([reviewed.failing]), reviewed.worth, limit, upper=True).item() if upper else 1.0
    return min(2 * average, most)


def _p_values(tested: int, failures: Array, worth: float, limit: float, *, upper: bool) -> Array:
    """The p-values if so many failures are valid."""
    import numpy as np
    from scipy.stats import beta

    valid, others = failures * worth, (tested - failures) * worth
    ends = others if upper else valid  # a Beta distribution with a parameter of 0 is the point at that end
    of_rate = beta.sf if upper else beta.cdf
    below = of_rate(limit, np.maximum(valid + upper, _LEAST), np.maximum(others + (not upper), _LEAST))
    return np.where(ends > 0, below, 1.0)


@lru_cache(maxsize=32)
def _failures(reviewed: ReviewCounts, *, upper: bool) -> tuple[Array, Array]:
    """The numbers of valid failures that the answers allow, as large (``upper``) or small, with their probabilities."""
    import numpy as np
    from scipy.stats import binom

    valid = reviewed.valid + reviewed.unsure * upper
    invalid = reviewed.invalid + reviewed.unsure * (not upper)
    unreviewed = reviewed.failing - valid - invalid
    weights = _largest(valid, invalid) if upper else _largest(invalid, valid)
    fractions = np.linspace(0, 1, _GRID + 1) if upper else np.linspace(1, 0, _GRID + 1)
    ends = binom.ppf([[_LEAST], [1 - _LEAST]], unreviewed, fractions).clip(0).astype(int).T.tolist()
    chances = np.zeros(unreviewed + 1)
    for weight, fraction, (least, most) in zip(weights, fractions, ends, strict=True):
        if weight > 0:
            counts = np.arange(least, most + 1)
            chances[counts] += weight * binom.pmf(counts, unreviewed, fraction)
    kept = np.flatnonzero(chances)
    groups = np.arange(0, len(kept), -(-len(kept) // _MEANS))
    of_groups = np.add.reduceat(chances[kept], groups)
    return valid + np.add.reduceat(kept * chances[kept], groups) / of_groups, of_groups


def _largest(valid: int, invalid: int) -> Array:
    """The probabilities of rising fractions of valid failures, as large as the answers allow at any time."""
    import numpy as np

    limits = np.linspace(0, 1, _GRID + 1)
    against = [evidence(valid, valid + invalid, limit, Outcome.PASSED) for limit in limits[1:-1].tolist()]
    p_values = np.minimum.accumulate(np.exp(-np.maximum(0.0, [0.0, *against, np.inf])))
    return -np.diff(p_values, prepend=1.0)
