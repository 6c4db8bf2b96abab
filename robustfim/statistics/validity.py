"""The rate of valid failures, after people have reviewed some of the failures."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from robustfim.outcome import Outcome
from robustfim.statistics.rate import LEVEL
from robustfim.statistics.sequential import evidence
from robustfim.statistics.tails import Tail, tail

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["ReviewCounts", "valid_limit", "valid_rate", "valid_tail"]

_DRAWS = 20_000
"""The number of random draws behind an interval: its ends are exact to about 0.1 % of probability."""
_GRID = 200
"""The number of steps into which fractions of valid failures are rounded up."""


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
    a draw Binomial(failing − v − i, q) of unreviewed ones. The lower end is a quantile of the rate θ ~ Beta(F, tested −
    F + 1), over 20,000 draws from a fixed seed, the upper end one of θ ~ Beta(F + 1, tested − F). The distribution of
    the fraction q has the one-sided p-values of :func:`robustfim.statistics.sequential.evidence`. These are valid at
    any time, so people may stop when a verdict is reached, or at the first failure that an earlier run did not have.
    The lower end takes every *unsure* as invalid, the upper end as valid.

    Args:
        tested: Tested examples, at least the failing ones.
        reviewed: The failing examples and the answers about them.

    Returns:
        The rate and its 95 % interval, each in [0, 1]; None if nothing was tested, or failing examples have no
        answer.
    """
    if not tested or (reviewed.failing and not reviewed.looked):
        return None
    rate = _expected(reviewed) / tested
    import numpy as np

    low = float(np.quantile(_draws(tested, reviewed, upper=False), LEVEL))
    high = float(np.quantile(_draws(tested, reviewed, upper=True), 1 - LEVEL))
    return rate, (min(low, rate), max(high, rate))


def valid_limit(tested: int, reviewed: ReviewCounts, limit: float) -> Tail:
    """Test the rate of failures that people call valid against a limit.

    A decision needs the whole interval of :func:`valid_rate` on one side of the limit. The p-value is the fraction of
    20,000 draws of the rate that lie on the other side, at least one draw.

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
    rate = valid_rate(tested, reviewed)
    failing = reviewed.failing
    if rate is None or not failing:
        raw = tail(failing * reviewed.worth, tested * reviewed.worth, limit)
        return raw if raw.side is Outcome.PASSED else Tail(Outcome.INCONCLUSIVE, 1.0)
    if limit >= 1 or (limit <= 0 and reviewed.invalid == failing):
        return Tail(Outcome.PASSED, 0.0)
    if limit <= 0:
        return Tail(Outcome.FAILED, 0.0) if reviewed.valid else Tail(Outcome.INCONCLUSIVE, 1.0)
    low, high = rate[1]
    below, above = valid_tail(tested, reviewed, limit)
    if low > limit:
        return Tail(Outcome.FAILED, below)
    return Tail(Outcome.PASSED, above) if high < limit else Tail(Outcome.INCONCLUSIVE, 1.0)


def valid_tail(tested: int, reviewed: ReviewCounts, limit: float) -> tuple[float, float]:
    """Return the probabilities that the rate of valid failures lies below, and above, a limit.

    Args:
        tested: As for :func:`valid_rate`.
        reviewed: As for :func:`valid_rate`.
        limit: The limit, in [0, 1].

    Returns:
        The probability that the rate lies at or below the limit (if small, the check fails), and the probability that
        it lies at or above the limit (if small, the check passes). Each takes *unsure* as the answer against the
        verdict, and is at least 1 / 20,000.
    """
    below = (_draws(tested, reviewed, upper=False) <= limit).sum()
    above = (_draws(tested, reviewed, upper=True) >= limit).sum()
    return max(1, int(below)) / _DRAWS, max(1, int(above)) / _DRAWS


def _expected(reviewed: ReviewCounts) -> float:
    answered = reviewed.valid + reviewed.invalid
    return reviewed.failing * (reviewed.valid / answered if answered else 0.5)


def _draws(tested: int, reviewed: ReviewCounts, *, upper: bool) -> NDArray[np.float64]:
    """Draw rates as low, or as high, as the counts allow."""
    import numpy as np

    generator = np.random.default_rng(0)
    valid = reviewed.valid + reviewed.unsure * upper
    invalid = reviewed.invalid + reviewed.unsure * (not upper)
    share = _shares(generator, valid, invalid) if upper else 1 - _shares(generator, invalid, valid)
    failures = valid + generator.binomial(reviewed.failing - valid - invalid, share, _DRAWS)
    worth = reviewed.worth
    return _beta(generator, failures * worth + upper, (tested - failures) * worth + (not upper))


def _shares(generator: np.random.Generator, valid: int, invalid: int) -> NDArray[np.float64]:
    """Draw fractions of valid failures as large as the answers allow, whenever people stopped answering."""
    import numpy as np

    limits = np.linspace(0, 1, _GRID + 1)
    against = [evidence(valid, valid + invalid, limit, Outcome.PASSED) for limit in limits[1:-1].tolist()]
    p_values = np.minimum.accumulate(np.exp(-np.maximum(0.0, [0.0, *against, np.inf])))
    return limits[len(limits) - np.searchsorted(p_values[::-1], generator.random(_DRAWS))]


def _beta(generator: np.random.Generator, first: NDArray[Any] | int, second: NDArray[Any] | int) -> NDArray[np.float64]:
    """Draw from Beta distributions; one with a parameter of 0 is the point at that end, as is one of next to it."""
    import numpy as np

    return generator.beta(np.maximum(first, 1e-12), np.maximum(second, 1e-12), _DRAWS)
