"""The failure rate that is left when people have looked at some of the failures."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from robustfim.outcome import Outcome
from robustfim.statistics.rate import LEVEL
from robustfim.statistics.tails import Tail, tail

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["ReviewCounts", "valid_limit", "valid_rate", "valid_tail"]

_DRAWS = 20_000
"""Draws behind an interval: its ends are exact to about 0.1 % of probability."""


@dataclass(frozen=True, slots=True)
class ReviewCounts:
    """The failing examples of a check, and people's answers to a random sample of them.

    Attributes:
        failing: Failing examples.
        valid: Of the sample, those that people call valid.
        invalid: Those that people do not.
        unsure: Those of which people cannot tell.
        worth: What a tested example is worth in independent ones, in (0, 1]: 1 over the size of the largest cluster,
            as if all were as large and failed whole.
    """

    failing: int
    valid: int = 0
    invalid: int = 0
    unsure: int = 0
    worth: float = 1.0

    @property
    def looked(self) -> int:
        """Those that people looked at."""
        return self.valid + self.invalid + self.unsure


def valid_rate(tested: int, reviewed: ReviewCounts, worth: float = 1.0) -> tuple[float, tuple[float, float]] | None:
    """Estimate the share of tested examples that fail in a way that people call valid.

    Of the failing examples that nobody looked at, as many are valid as in the sample. The interval melds the exact
    confidence distributions of both samplings, that of the examples and that of the answers (Fay, Proschan and Brittain
    2015): its lower end is a quantile of θ ~ Beta(F, tested − F + 1), with F the valid failures, those seen and
    Binomial(failing − v − i, q) of the others, q ~ Beta(v, i + 1); its upper end one of θ ~ Beta(F + 1,
    tested − F) with q ~ Beta(v + 1, i); 20,000 draws from a fixed seed. The lower end takes every *unsure* for invalid,
    the upper end for valid.

    Args:
        tested: Tested examples, at least those that fail.
        reviewed: The failing examples.
        worth: What a tested example is worth in independent ones, in (0, 1]; less than 1 in clusters. The answers are
            taken for independent.

    Returns:
        The rate and its 95 % interval, each in [0, 1]; None where nothing was tested, or failing examples have no
        answer.
    """
    if not tested or (reviewed.failing and not reviewed.looked):
        return None
    rate = _expected(reviewed) / tested
    import numpy as np

    low = float(np.quantile(_draws(tested, reviewed, worth, upper=False), LEVEL))
    high = float(np.quantile(_draws(tested, reviewed, worth, upper=True), 1 - LEVEL))
    return rate, (min(low, rate), max(high, rate))


def valid_limit(tested: int, reviewed: ReviewCounts, limit: float, worth: float = 1.0) -> Tail:
    """Compare the rate of valid failures with its limit.

    The whole interval of :func:`valid_rate` must lie on one side. The p-value is the share of 20,000 draws of the rate
    that do not lie beyond the limit, never taken for less than one of them.

    Where nobody has looked at a failure, or nothing fails, only *passed* can be said, by the rate of all failures: the
    valid ones are no more. A limit of 0 tolerates no valid failure: one fails the check, and it passes where all
    failures were looked at and none is valid. A limit of 1 is never exceeded.

    Args:
        tested: Tested examples, > 0.
        reviewed: Those that fail, as for :func:`valid_rate`.
        limit: The largest tolerated rate of valid failures, in [0, 1].
        worth: As for :func:`valid_rate`.

    Returns:
        The side and its p-value; INCONCLUSIVE, with 1, where the interval holds the limit.
    """
    rate = valid_rate(tested, reviewed, worth)
    failing = reviewed.failing
    if rate is None or not failing:
        raw = tail(failing * worth, tested * worth, limit)
        return raw if raw.side is Outcome.PASSED else Tail(Outcome.INCONCLUSIVE, 1.0)
    if limit >= 1 or (limit <= 0 and reviewed.invalid == failing):
        return Tail(Outcome.PASSED, 0.0)
    if limit <= 0:
        return Tail(Outcome.FAILED, 0.0) if reviewed.valid else Tail(Outcome.INCONCLUSIVE, 1.0)
    low, high = rate[1]
    below, above = valid_tail(tested, reviewed, limit, worth)
    if low > limit:
        return Tail(Outcome.FAILED, below)
    return Tail(Outcome.PASSED, above) if high < limit else Tail(Outcome.INCONCLUSIVE, 1.0)


def valid_tail(tested: int, reviewed: ReviewCounts, limit: float, worth: float = 1.0) -> tuple[float, float]:
    """How sure it is on which side of a limit the rate of valid failures lies.

    Args:
        tested: As for :func:`valid_rate`.
        reviewed: Likewise.
        limit: In [0, 1].
        worth: Likewise.

    Returns:
        The probabilities that the rate lies at or below the limit (small: it fails), and at or above it (small: it
        passes), each with *unsure* taken for what speaks against that verdict; at least one draw of 20,000.
    """
    below = (_draws(tested, reviewed, worth, upper=False) <= limit).sum()
    above = (_draws(tested, reviewed, worth, upper=True) >= limit).sum()
    return max(1, int(below)) / _DRAWS, max(1, int(above)) / _DRAWS


def _expected(reviewed: ReviewCounts) -> float:
    answered = reviewed.valid + reviewed.invalid
    return reviewed.failing * (reviewed.valid / answered if answered else 0.5)


def _draws(tested: int, reviewed: ReviewCounts, worth: float, *, upper: bool) -> NDArray[np.float64]:
    """Draw rates as low, or as high, as the counts allow."""
    import numpy as np

    generator = np.random.default_rng(0)
    valid = reviewed.valid + reviewed.unsure * upper
    invalid = reviewed.invalid + reviewed.unsure * (not upper)
    share = _beta(generator, valid + upper, invalid + (not upper))
    failures = valid + generator.binomial(reviewed.failing - valid - invalid, share, _DRAWS)
    return _beta(generator, failures * worth + upper, (tested - failures) * worth + (not upper))


def _beta(generator: np.random.Generator, first: NDArray[Any] | int, second: NDArray[Any] | int) -> NDArray[np.float64]:
    """Draw from Beta distributions; one with a parameter of 0 is the point at that end, as is one of next to it."""
    import numpy as np

    return generator.beta(np.maximum(first, 1e-12), np.maximum(second, 1e-12), _DRAWS)
