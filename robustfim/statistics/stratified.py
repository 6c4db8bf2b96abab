"""The failure rate estimated from a difficult and a control arm, which represent the data unequally.

The estimated rate is that of the population that the data were drawn from, or that of the data.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from robustfim.outcome import Outcome
from robustfim.statistics.rate import LEVEL, Z_POWER, Interval, times_to_decide, wilson
from robustfim.statistics.tails import Tail

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

__all__ = ["Stratum", "design_effect", "stratified_more", "stratified_rate", "stratified_tail"]

_DRAWS = 20_000
"""The number of random draws behind an interval: its ends are exact to about 0.1 % of probability."""
_EXACT = 2
"""The most parts whose exact intervals are combined; for more parts the combination is too wide."""
_SIZE = 1.25
"""The factor of the score test's p-values for *passed*. A limit that is the true rate passes the test without it in up
to 3.0 % of 20,000 draws, and with it in up to 2.4 %, over 368 splits of limits among six strata."""


@dataclass(frozen=True, slots=True)
class Stratum:
    """A part of the data (stratum), with the random sample that was tested from it.

    Attributes:
        size: The number of data examples in the part; for a slice, the expected number.
        drawn: The number of examples drawn, ≤ size.
        tested: Drawn examples with at least one judged perturbed text.
        failing: Tested examples that fail.
        alike: The mean size of an example's cluster (group of dependent examples), the example included.
    """

    size: float
    drawn: float
    tested: int
    failing: int
    alike: float = 1.0


def stratified_rate(strata: Sequence[Stratum], *, of_file: bool = False) -> tuple[float, Interval] | None:
    """Estimate the failure rate in the data or the population from samples of several parts of the data.

    Part h of the data has N_h examples; of n_h drawn examples t_h could be tested, and f_h of these failed, p_h = f_h /
    t_h. The design-based estimate is R = Σ w_h p_h with weights w_h ∝ N_h t_h / n_h. In a two-phase sample (the N
    examples of the data from the population, the parts from the data) R has the variance Σ w_h² p_h (1 − p_h) / t_h + Σ
    w_h (p_h − R)² / N, plus the variance of the testable fractions. But if few examples fail, R is not normally
    distributed. So the interval combines ("melds") the confidence distributions of the parts (Fay, Proschan and
    Brittain 2015). Its lower end is a quantile of Σ W_h τ_h p_h / Σ W_h τ_h over 20,000 draws from a fixed seed of the
    failure rates p ~ Beta(f, t − f + 1), the upper end with p ~ Beta(f + 1, t − f). The fractions of the parts in the
    population are W ~ Dirichlet(N), the testable fractions τ ~ Beta(t + ½, n − t + ½). For a single part it is Clopper
    and Pearson's interval.

    For three parts and more, this interval would be far too wide. It is then Wilson's interval at R, for the number n
    of examples at which R̃ (1 − R̃) / n equals the variance above. R̃ is R with half a failing and half a passing
    example added to each part.

    Args:
        strata: The parts of the data, without overlaps.
        of_file: Whether the rate is wanted for the data alone. The examples that were not drawn are then imputed: T ~
            Binomial(N − n, τ) testable ones and F ~ Binomial(T, p) failing ones. The rate is Σ (f + F) / Σ (t + T), so
            a part that was drawn whole adds no uncertainty.

    Returns:
        The rate and its 95 % interval, each in [0, 1]; None if nothing was tested, or a part was not sampled.
    """
    strata = tuple(stratum for stratum in strata if stratum.size)
    if not any(stratum.tested for stratum in strata) or not all(stratum.drawn for stratum in strata):
        return None
    import numpy as np

    size, drawn, tested, failing = _columns(strata)
    rate = float(np.average(failing / np.maximum(tested, 1), weights=size * tested / drawn))
    if sum(stratum.tested > 0 for stratum in strata) > _EXACT:
        effective = _effective(strata, of_file=of_file)
        return rate, (wilson(rate * effective, effective) if math.isfinite(effective) else None) or (rate, rate)
    low = float(np.quantile(_draws(strata, of_file, upper=False), LEVEL))
    high = float(np.quantile(_draws(strata, of_file, upper=True), 1 - LEVEL))
    return rate, (min(low, rate), max(high, rate))


def stratified_tail(strata: Sequence[Stratum], limit: float, *, of_file: bool = False) -> Tail:
    """Test the failure rate of :func:`stratified_rate` against a limit.

    Args:
        strata: As for :func:`stratified_rate`.
        limit: The largest tolerated rate, in (0, 1).
        of_file: As for :func:`stratified_rate`. A rate in the data that equals its limit passes.

    Returns:
        The side on which the whole interval lies, and a p-value. The p-value is the fraction of the draws on the other
        side, at least one draw unless all data were drawn; for a single part it is the exact binomial p-value. For
        three parts and more the interval is Wilson's, and the p-value of *passed* is 1.25 times that of its score test.
        The p-value of *failed* is still the fraction of the draws, since a correction for many checks needs the far
        tail, where the normal distribution is wrong; this p-value may be above 0.025. INCONCLUSIVE if the interval
        contains the limit,
        or there is no estimate.
    """
    strata = tuple(stratum for stratum in strata if stratum.size)
    found = stratified_rate(strata, of_file=of_file)
    if found is None:
        return Tail(Outcome.INCONCLUSIVE, 1.0)
    if sum(stratum.tested > 0 for stratum in strata) > _EXACT:
        score = _score_tail(found[0], limit, _effective(strata, of_file=of_file))
        if score.side is not Outcome.FAILED or score.p_value == 0:
            return score
        above = _draws(strata, of_file, upper=False) <= limit
        return Tail(Outcome.FAILED, max(1, int(above.sum())) / _DRAWS)
    above = _draws(strata, of_file, upper=False) <= limit
    upper = _draws(strata, of_file, upper=True)
    below = upper > limit if of_file else upper >= limit
    least = 0 if of_file and all(stratum.drawn == stratum.size for stratum in strata) else 1
    for side, against in ((Outcome.FAILED, above), (Outcome.PASSED, below)):
        p_value = max(least, int(against.sum())) / _DRAWS
        if p_value <= LEVEL:
            return Tail(side, p_value)
    return Tail(Outcome.INCONCLUSIVE, 1.0)


def _effective(strata: Sequence[Stratum], *, of_file: bool) -> float:
    """As many examples of a plain draw as say as much of the rate; infinite where all is known."""
    parts = [stratum for stratum in strata if stratum.tested]
    whole, weights, near, variances = _parts(parts)
    size, drawn, tested, _ = _columns(parts)
    mean = weights @ near
    left = weights**2 * (1 - drawn / size if of_file else 1.0)
    variance = left @ (variances + (drawn - tested) / (tested * drawn) * (near - mean) ** 2)  # (1 − τ) / (τ n)
    if not of_file:
        variance += weights @ (near - mean) ** 2 / whole
    return float(mean * (1 - mean) / variance) if variance else math.inf


def _score_tail(rate: float, limit: float, effective: float) -> Tail:
    """The score test of a rate from so many examples against its limit, on the side where it lies."""
    from scipy.special import ndtr

    side = Outcome.FAILED if rate > limit else Outcome.PASSED
    if math.isinf(effective):
        return Tail(side, 0.0)
    p_value = float(ndtr(-abs(rate - limit) / math.sqrt(limit * (1 - limit) / effective)))
    p_value *= _SIZE if side is Outcome.PASSED else 1
    return Tail(side, p_value) if p_value <= LEVEL else Tail(Outcome.INCONCLUSIVE, 1.0)


def design_effect(strata: Sequence[Stratum]) -> float:
    """Return the design effect: the variance of a rate, divided by that in a simple random sample of equal size.

    Args:
        strata: The parts of the data, each with a tested example.

    Returns:
        The ratio (Kish 1965), > 0; below 1 if the parts are more informative than a simple random sample.
    """
    return sum(stratum.tested for stratum in strata) / _effective(strata, of_file=False)


def _columns(strata: Sequence[Stratum]) -> Array:
    """The sizes and the numbers of drawn, tested and failing examples, ``[4, strata]``."""
    import numpy as np

    return np.array([(stratum.size, stratum.drawn, stratum.tested, stratum.failing) for stratum in strata], float).T


def _parts(strata: Sequence[Stratum]) -> tuple[float, Array, Array, Array]:
    """Return the number of testable examples of the data, and the weight, rate and variance of each stratum.

    Half a failing and half a passing example are added to each stratum, so that the rates are not 0 or 1.
    """
    size, drawn, tested, failing = _columns(strata)
    totals, near = size * tested / drawn, (failing + 0.5) / (tested + 1)
    return float(totals.sum()), totals / totals.sum(), near, near * (1 - near) / tested


@lru_cache(maxsize=256)
def stratified_more(
    strata: tuple[Stratum, ...], limit: float, comparisons: float = 1, *, of_file: bool = False
) -> int | None:
    """Estimate how many more tested examples a verdict needs, with 80 % probability, for a sample from strata.

    The observed rates of the parts are taken as the true ones. All parts, and the data, grow by the same factor until
    :func:`stratified_tail` decides.

    Args:
        strata: The parts of the data, each with a tested example.
        limit: The limit, in (0, 1).
        comparisons: The number of comparisons that the result is corrected for, ≥ 1.
        of_file: Whether the rate is wanted for the data alone; testing all of the data then decides.

    Returns:
        Examples to add, ≥ 1; None if a hundred thousand times as many are too few.
    """
    import numpy as np

    whole, weights, near, variances = _parts(strata)
    size, drawn, tested, failing = _columns(strata)
    rates = failing / tested
    rate = weights @ rates
    within, between = weights**2 @ variances, weights @ (near - rate) ** 2 / whole
    towards = math.copysign(Z_POWER * math.sqrt(within + between) / within, limit - rate)

    def decides(times: float) -> bool:
        most, taken, held = (np.round(part * times) for part in (size, drawn, tested))
        bad = np.clip(np.round((rates + towards * weights * variances / math.sqrt(times)) * held), 0, held)
        parts = np.stack([np.maximum(taken, most), taken, held, bad], axis=1).tolist()
        found = stratified_tail([Stratum(*part) for part in parts], limit, of_file=of_file)
        side = Outcome.FAILED if rate > limit else Outcome.PASSED
        return found.side is side and found.p_value <= LEVEL / comparisons

    times = times_to_decide(decides, most=100_000, within=0.02)
    if times is None:
        return None
    more = max(1, math.ceil((times - 1) * float(tested.sum())))
    left = round(float((size - drawn).sum()))
    return max(1, min(more, left)) if of_file else more


@lru_cache(maxsize=8)  # a verdict, its interval and its words are of the same draws
def _draws(strata: tuple[Stratum, ...], of_file: bool, *, upper: bool) -> NDArray[np.float64]:
    import numpy as np

    generator = np.random.default_rng(0)
    failing, testable = np.zeros(_DRAWS), np.zeros(_DRAWS)
    for stratum in strata:
        drawn, tested, bad = stratum.drawn, stratum.tested, stratum.failing
        share = generator.beta(tested + 0.5, drawn - tested + 0.5, _DRAWS)
        size = generator.gamma(stratum.size, size=_DRAWS)
        shape = (bad + upper, tested - bad + (not upper))
        # A Beta distribution with a parameter of 0 is the point at that end.
        rate = generator.beta(*shape, _DRAWS) if min(shape) > 0 else np.full(_DRAWS, float(upper))
        if of_file:
            more = generator.binomial(round(stratum.size - stratum.drawn), share)
            failing += stratum.failing + generator.binomial(more, rate)
            testable += stratum.tested + more
        else:
            failing += size * share * rate
            testable += size * share
    # Where nothing is testable in any part, nothing is known of the rate.
    some = testable > 0
    return np.where(some, failing / np.where(some, testable, 1.0), float(upper))
