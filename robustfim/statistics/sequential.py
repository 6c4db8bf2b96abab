"""Anytime-valid tests of a rate against its limit: verdicts that may be checked after every example.

Imagine betting that a rate lies on one side of its limit, at odds that are fair or worse if it lies on the other side.
Then the wealth is a nonnegative supermartingale. By Ville's inequality it ever exceeds 1/α with probability at most α,
however often you look and whenever you stop (Waudby-Smith and Ramdas 2024).

Let L be the limit, and w the weight of an example: the fraction of the data in its stratum divided by the fraction of
the draws from it. Let x be 1 − L if the example fails, −L if it passes and 0 if it cannot be tested. A bet of size μ
then multiplies the wealth by 1 + μ w (g − x). The control variate g, whose weighted mean is 0, is the value of x that
the example's score predicts if the rate equals the limit. For a plain sample g = 0 and w = 1, and the bet is a
likelihood ratio (Robbins 1970).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field
from functools import lru_cache, partial
from statistics import NormalDist
from typing import TYPE_CHECKING, TypeAlias

from robustfim.outcome import Outcome
from robustfim.statistics.rate import LEVEL, POWER, Interval, last_rejected
from robustfim.statistics.spending import Spending, ladder, spending_interval
from robustfim.statistics.strata import next_block
from robustfim.statistics.stratified import Stratum
from robustfim.statistics.tails import Tail

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

Evidence: TypeAlias = Callable[[float, Outcome], float]
"""Returns the logarithm of the evidence against a limit, on one side of it."""

__all__ = [
    "Evidence",
    "Martingale",
    "Watch",
    "bets",
    "deciding_block",
    "end_of",
    "evidence",
    "sequential_tail",
    "still_needed",
    "stratified_budget",
    "stratified_sequence",
]

_ODDS = 2.5
"""The likeliest ratio between the odds of failing and the limit's odds: the median of the mixture."""
_SPREAD = 0.6
"""The standard deviation of the logarithm of that ratio's logarithm: nine of ten ratios lie between 1.4 and 12."""
_NODES = tuple(step / 4 for step in range(-18, 19))
"""The nodes of the mixture, in standard deviations."""
_SLOPES = {0.0: 0.2, 1.0: 0.2, 2.5: 0.6}
"""Slopes of the log odds of failing in the normal score of a stratum's rank, with their weights."""
_SIDES = (Outcome.FAILED, Outcome.PASSED)
_MOST = 1 - 1e-9
"""The largest fraction of the wealth that a bet may lose."""
_RUNS, _LONG = 100, 4000
"""The number of simulated runs of a check over strata, and the most examples drawn in each."""
_BESIDE = 1e-13
"""The distance from the ends of the scale, and the error, in the search for an end of an interval."""
_GRID = 48
"""The number of limits tested at a time in the search for an end of a confidence sequence."""


def evidence(failing: float, tested: float, limit: float, side: Outcome) -> float:
    """Return the strength of evidence that a failure rate is above, or below, a limit: log of a likelihood ratio.

    With k of n examples failing, a limit L, and rates p_j on that side with weights w_j, the evidence is log Σ w_j (p_j
    / L)^k ((1 − p_j) / (1 − L))^(n−k). The odds of p_j are the odds of L, multiplied or divided by e^θ_j. The weights
    make θ log-normal around log 2.5, since relevant rates are a few times the limit, or a fraction of it.

    Args:
        failing: The number k of examples with at least one failing perturbed text. For values in [0, 1] instead of
            failures, the sum of the values.
        tested: The number n of tested examples.
        limit: The limit L, in (0, 1).
        side: FAILED for a rate above the limit, PASSED for one below it.

    Returns:
        The natural logarithm of the evidence. If the true rate is on the other side, the evidence has expectation ≤ 1.
    """
    logs = [log + failing * fails + (tested - failing) * holds for log, fails, holds in bets(limit, side)]
    most = max(logs)
    return most + math.log(math.fsum(math.exp(log - most) for log in logs))


@lru_cache(maxsize=256)
def bets(limit: float, side: Outcome) -> tuple[tuple[float, float, float], ...]:
    """Return the alternative rates that a sequential test bets on, on one side of a limit, with their weights.

    Args:
        limit: The limit L, in (0, 1).
        side: FAILED for rates above the limit, PASSED for rates below it.

    Returns:
        For each rate p the logarithms of its weight, of p / L and of (1 − p) / (1 − L).
    """
    holds = [(times, -math.log1p(limit * math.expm1(times))) for times in _log_odds(side)]
    return tuple((log, times + hold, hold) for log, (times, hold) in zip(_logs(), holds, strict=True))


def _log_odds(side: Outcome) -> list[float]:
    """By how much the log odds of each rate of the mixture differ from those of the limit."""
    sign = 1 if side is Outcome.FAILED else -1
    return [sign * math.exp(math.log(math.log(_ODDS)) + _SPREAD * node) for node in _NODES]


def _logs() -> list[float]:
    """The logarithms of the weights of the mixture."""
    mass = math.fsum(math.exp(-node * node / 2) for node in _NODES)
    return [-node * node / 2 - math.log(mass) for node in _NODES]


class Martingale:
    """A sequential test of a failure rate against a limit, for blocks of examples drawn from strata.

    The evidence is the wealth of a gambler who bets on one side of the limit. A block draws n examples, n_h of them at
    random from stratum h (a part of the data); the numbers may depend on everything before the block. Let W_h be the
    fraction of the data in the stratum, and τ_h the testable fraction in earlier blocks. The weights of
    :mod:`robustfim.statistics.sequential` are w_h = W_h / (n_h / n), and the control variates g_h = τ_h (r_h − L). The
    predicted rate r_h has log odds that rise with the normal score of the stratum's rank by one of three slopes, such
    that Σ W_h g_h = 0. If the rate of testable examples is L, or lies on the side that is not bet on, the mean of the
    factors 1 + μ w_h (g_h − E x_h) over a block is at most 1, and so is their product (the inequality of the means).
    For each slope, the bet on a rate p has the size μ = (L − p) Σ W_h τ_h / Σ W_h w_h Var x_h, bounded so that the
    wealth never drops to 0; the rates are those of :func:`bets`.

    If a block leaves a stratum out, the test assumes the worst for the bet: that none of the stratum fails, or all of
    it. The N examples of the data are a sample of the population, so Σ W_h x_h deviates from the population's mean with
    variance Σ W_h g_h² / N. To allow for this, the logarithm of the wealth is reduced by half the square of Σ μ n √(Σ
    W_h g_h² / N). If examples lie in clusters, Σ W_h g_h² grows by L (1 − L) Σ W_h τ_h for each other example of a
    cluster: the largest possible variance, of clusters that fail whole. If only the rate in the data is asked for,
    there is no reduction. The draw is then one without replacement: W_h is the fraction of the remaining examples, and
    the test compares with the rate at which they would reach the limit.

    Args:
        sizes: Examples of the data in each stratum, the hardest first.
        limit: The limit L in (0, 1): one or, ``[...]``, several limits that are tested at once.
        side: FAILED for bets that the rate is above its limit, PASSED for bets that the rate is below.
        of_file: Whether the rate is wanted for the data alone, not for the population.
        alike: The mean size of an example's cluster (group of dependent examples) in the data, the example included; 1
            if all are independent.
    """

    def __init__(
        self, sizes: Sequence[int], limit: float | Array, side: Outcome, *, of_file: bool = False, alike: float = 1.0
    ) -> None:
        import numpy as np

        self._sizes = np.array(sizes, float)
        self._limit = np.asarray(limit, float)[..., None]
        self._passes, self._of_file, self._others = side is Outcome.PASSED, of_file, alike - 1
        before = np.cumsum(self._sizes) - self._sizes / 2
        ranks = 1 - np.clip(before / self._sizes.sum(), 1e-9, 1 - 1e-9)
        self._scores = np.array([NormalDist().inv_cdf(rank) for rank in ranks])
        odds = self._limit / (1 - self._limit) * np.exp(_log_odds(side))
        self._rates = odds / (1 + odds)  # [..., rates]
        self._prior = np.log(list(_SLOPES.values()))[:, None] + np.array(_logs())  # [slopes, rates]
        self._wealth = self._drift = np.zeros((*self._limit.shape[:-1], *self._prior.shape))
        self._drawn = self._tested = self._failing = np.zeros(len(sizes))

    def take(self, drawn: Array, tested: Array, failing: Array) -> Array:
        """Update the test with the results of a block of examples.

        Args:
            drawn: Examples drawn, ``[..., strata]``.
            tested: Drawn examples that could be tested, ``[..., strata]``.
            failing: Tested examples that fail, ``[..., strata]``.

        Returns:
            The natural logarithm of the evidence after the block, ``[...]``. If the rate is on the other side, the
            exponential of this logarithm ever exceeds 1/α with probability at most α.
        """
        import numpy as np

        limit, used, number = self._limit, drawn > 0, drawn.sum(-1, keepdims=True)
        left = self._sizes - self._drawn if self._of_file else self._sizes
        over = self._failing - limit * self._tested if self._of_file else np.zeros(1)
        parts = left / left.sum(-1, keepdims=True)
        share = (self._tested + 1) / (self._drawn + 1)
        # Σ W g over what is drawn, where the rest may be anything.
        missing = (parts * ~used).sum(-1, keepdims=True)
        target = -over.sum(-1, keepdims=True) / left.sum(-1, keepdims=True)
        target = target - (1 - limit) * missing if self._passes else target + limit * missing
        weights = np.where(used, parts * share, 0.0)
        whole = weights.sum(-1, keepdims=True)
        some, whole = whole > 0, np.where(whole > 0, whole, 1.0)
        mean = target / whole + limit
        able = (mean > 0) & (mean < 1) & some
        rates = _with_mean(self._scores, weights / whole, np.where(able, mean, 0.5))
        limit, share, used = limit[..., None, :], share[..., None, :], used[..., None, :]
        predicted = share * (rates - limit)
        weigh = np.where(used, parts[..., None, :] * number[..., None, :] / np.maximum(drawn[..., None, :], 1), 0.0)
        squares = share * (rates * (1 - limit - predicted) ** 2 + (1 - rates) * (limit + predicted) ** 2)
        spread = (parts[..., None, :] * weigh * (squares + (1 - share) * predicted**2)).sum(-1, keepdims=True)
        towards = (self._limit - self._rates) * (parts * share[..., 0, :]).sum(-1, keepdims=True)
        worst = (weigh * (1 - limit - predicted if self._passes else limit + predicted)).max(-1, keepdims=True)
        spread, worst = (np.where(able[..., None], part, 1.0) for part in (spread, worst))
        stakes = np.clip(towards[..., None, :] / spread, -_MOST / worst, _MOST / worst) * able[..., None]
        bet = stakes[..., None] * weigh[..., None, :]  # [..., slopes, rates, strata]
        hold = (predicted + limit)[..., None, :]
        counts = [part[..., None, None, :] for part in (failing, tested - failing, drawn - tested)]
        gains = (np.log1p(bet * (hold - 1)), np.log1p(bet * hold), np.log1p(bet * (hold - limit[..., None])))
        self._wealth = self._wealth + sum((n * gain).sum(-1) for n, gain in zip(counts, gains, strict=True))
        if not self._of_file:
            squares = np.where(used, predicted**2, 0) + self._others * limit * (1 - limit) * share
            data = np.sqrt((parts[..., None, :] * squares).sum(-1, keepdims=True) / left.sum())
            self._drift = self._drift + stakes * number[..., None] * data
        self._drawn, self._tested = self._drawn + drawn, self._tested + tested
        self._failing = self._failing + failing
        return self.log

    def gain(self, block: Array) -> Array:
        """Return how much evidence each example of a block is expected to add, if failure rates stay the same.

        Args:
            block: Examples drawn from each stratum, ``[..., strata]``.

        Returns:
            The rise of the logarithm of the evidence per example, ``[...]``.
        """
        whole = (self._failing.sum(-1, keepdims=True) + self._limit) / (self._tested.sum(-1, keepdims=True) + 1)
        tested = block * (self._tested + 1) / (self._drawn + 1)
        failing = tested * (self._failing + whole) / (self._tested + 1)
        gained: Array = (copy(self).take(block, tested, failing) - self.log) / block.sum(-1).clip(1)
        return gained

    @property
    def log(self) -> Array:
        """The natural logarithm of the evidence so far, ``[...]``."""
        import numpy as np

        logs = self._wealth - self._drift**2 / 2 + self._prior
        most = logs.max((-2, -1))
        log_wealth: Array = most + np.log(np.exp(logs - most[..., None, None]).sum((-2, -1)))
        if not self._of_file:
            return log_wealth
        over = (self._failing - self._limit * self._tested).sum(-1)
        left, limit = (self._sizes - self._drawn).sum(-1), self._limit[..., 0]
        certain = over + (1 - limit) * left <= 0 if self._passes else over - limit * left > 0
        return np.where(certain, np.inf, log_wealth)


def deciding_block(
    bets: Mapping[Outcome, Martingale], given: Sequence[int], taken: NDArray[np.int64], most: int
) -> NDArray[np.int64]:
    """Return how many examples of each stratum (part of the data) a sequential test should draw next.

    The numbers are usually proportional to the sizes of the strata. If a failure is likelier to be shown than a pass,
    and the hardest strata add more evidence for a failure, more examples come from the hardest strata. The tests stay
    valid, since a draw may depend on everything before it.

    Args:
        bets: The tests of each side of the limit.
        given: Examples drawn from each stratum of the data, the hardest first.
        taken: Drawn examples that earlier blocks took, ``[..., strata]``.
        most: The most examples that may be taken in all.

    Returns:
        The number for each stratum, ``[..., strata]``; zeros if nothing is left.
    """
    import numpy as np

    def block(hunts: bool) -> NDArray[np.int64]:
        rows = map(tuple, taken.reshape(-1, len(given)).tolist())
        return np.array([_block(tuple(given), row, most, hunts) for row in rows]).reshape(taken.shape)

    failed, even = bets[Outcome.FAILED], block(False)
    ahead = failed.log > bets[Outcome.PASSED].log
    if not ahead.any():
        return even
    hard = block(True)
    hunts = ahead & (failed.gain(hard.astype(float)) > failed.gain(even.astype(float)))
    return np.where(hunts[..., None], hard, even)


@lru_cache(maxsize=4096)
def _block(given: tuple[int, ...], taken: tuple[int, ...], most: int, hunts: bool) -> tuple[int, ...]:
    return tuple(next_block(given, taken, most - sum(taken), hunts=hunts))


def _with_mean(scores: Array, weights: Array, mean: Array) -> Array:
    """Rates, ``[..., slopes, strata]``, whose log odds rise with the scores by each slope, with a weighted mean."""
    import numpy as np

    rising = np.array(list(_SLOPES))[:, None] * scores
    low = np.full((*np.broadcast_shapes(weights.shape[:-1], mean.shape[:-1]), len(_SLOPES), 1), -60.0)
    high = -low
    for _ in range(60):
        middle = (low + high) / 2
        rates = 1 / (1 + np.exp(-middle - rising))
        above = (rates * weights[..., None, :]).sum(-1, keepdims=True) > mean[..., None, :]
        low, high = np.where(above, low, middle), np.where(above, middle, high)
    return rates


def sequential_tail(failing: float, tested: float, limit: float, against: Evidence | None = None) -> Tail:
    """Test a failure rate against a limit at one interim analysis of a sequential test.

    Args:
        failing: The number of failing examples.
        tested: The number of tested examples.
        limit: The limit, in [0, 1]; 0 tolerates no failing example, 1 is never exceeded.
        against: The function that computes the evidence for clusters (dependent examples); None if all examples are
            independent.

    Returns:
        The likelier side of the limit, and a p-value that is valid at any time: 1 over the evidence, at most 1.
    """
    if limit <= 0 and failing:
        return Tail(Outcome.FAILED, 0.0)
    if limit >= 1:
        return Tail(Outcome.PASSED, 0.0)
    if limit <= 0:  # no failure so far is not none at all: the last example may still fail
        return Tail(Outcome.INCONCLUSIVE, 1.0)
    side = Outcome.FAILED if failing > limit * tested else Outcome.PASSED
    log = evidence(failing, tested, limit, side) if against is None else against(limit, side)
    return Tail(side, math.exp(-max(0.0, log)))


def end_of(against: Evidence, rate: float, side: Outcome) -> float:
    """Find an end of a confidence interval from the evidence against each limit.

    Args:
        against: Returns the logarithm of the evidence that the rate lies on one side of a limit.
        rate: The rate, in [0, 1].
        side: FAILED for the lower end, PASSED for the upper one.

    Returns:
        The limit nearest to the rate that is rejected at 2.5 %, to 1e-13.
    """
    from scipy.optimize import brentq

    end = 0.0 if side is Outcome.FAILED else 1.0
    inside, outside = (rate + (end - rate) * part for part in (_BESIDE, 1 - _BESIDE))

    def surplus(limit: float) -> float:
        return against(limit, side) + math.log(LEVEL)

    return end if rate == end or surplus(outside) < 0 else float(brentq(surplus, inside, outside, xtol=_BESIDE))


def stratified_sequence(
    sizes: Sequence[int], blocks: Sequence[Array], *, of_file: bool, alike: float
) -> Interval | None:
    """Return the 95 % interval of a failure rate at any time of a sequential test with strata.

    The interval contains the limits that no :class:`Martingale` of either side rejects at 2.5 %, to 1e-5.

    Args:
        sizes: Examples of the data in each stratum, the hardest first.
        blocks: Drawn, tested and failing examples of each block, each ``[3, strata]``.
        of_file: Whether the rate is wanted for the data alone, not for the population.
        alike: The mean size of an example's cluster (group of dependent examples) in the data; 1 if all are
            independent.

    Returns:
        Lower and upper end, each in [0, 1]; None if nothing was tested.
    """
    import numpy as np

    if not sum(float(block[1].sum()) for block in blocks):
        return None

    def rejected(limits: Array, side: Outcome) -> NDArray[np.bool_]:
        martingale = Martingale(sizes, limits, side, of_file=of_file, alike=alike)
        for block in blocks:
            evidence_of = martingale.take(*block)
        return np.asarray(evidence_of >= -math.log(LEVEL))

    low = last_rejected(partial(rejected, side=Outcome.FAILED), 0.0, 1.0, among=_GRID)
    return low, last_rejected(partial(rejected, side=Outcome.PASSED), 1.0, 0.0, among=_GRID)


@lru_cache(maxsize=64)
def stratified_budget(strata: tuple[Stratum, ...], limit: float, level: float, power: float = POWER) -> int | None:
    """Find, by simulation, how many examples a sequential test with strata needs for a verdict with a given power.

    Args:
        strata: The draw and counts of each stratum (part of the data) in a run, the hardest first; their rates are
            taken as true.
        limit: The limit, in (0, 1).
        level: The p-value that the verdict needs.
        power: The probability of a verdict, in (0, 1).

    Returns:
        The number of tested examples; None if four thousand are too few.
    """
    import numpy as np

    drawn, tested, failing = np.array([(stratum.drawn, stratum.tested, stratum.failing) for stratum in strata], float).T
    sizes = np.array([stratum.size for stratum in strata])
    testable, rates = tested / drawn, failing / np.maximum(tested, 1)
    weights = sizes * testable
    side = Outcome.FAILED if rates @ weights > limit * weights.sum() else Outcome.PASSED
    given = np.ceil(drawn * _LONG / drawn.sum()).astype(int).tolist()
    random, needed = np.random.default_rng(0), np.full(_RUNS, np.inf)
    alike = max(stratum.alike for stratum in strata)
    bets = {outcome: Martingale(sizes.tolist(), np.full(_RUNS, limit), outcome, alike=alike) for outcome in _SIDES}
    taken = np.zeros((_RUNS, len(given)), int)
    while taken.sum(-1).max() < _LONG and np.isinf(needed).mean() > 1 - power:
        block = deciding_block(bets, given, taken, _LONG)
        some = random.binomial(block, testable)
        counted = [part.astype(np.float64) for part in (block, some, random.binomial(some, rates))]
        taken = taken + block
        logs = {outcome: bet.take(*counted) for outcome, bet in bets.items()}
        needed = np.where(logs[side] >= -math.log(level), np.minimum(needed, taken @ testable), needed)
    found = float(np.quantile(needed, power, method="higher"))
    return math.ceil(found) if math.isfinite(found) else None


@dataclass
class Watch:
    """A sequential test of one failure rate against one limit, which may stop at any interim analysis.

    Attributes:
        limit: The limit, in [0, 1].
        level: The p-value that a verdict of failure needs: 0.025 divided by the number of checks.
        passes: The p-value that a pass needs: 0.025, unless the check is expected to fail.
        sizes: The number of data examples in each stratum, the hardest first; empty for a simple random sample.
        of_file: Whether the rate is wanted for the data alone, not for the population.
        alike: With strata, the mean size of an example's cluster (group of dependent examples).
        planned: The most examples that may be drawn in a simple random sample; 0 for a sample of clusters.
    """

    limit: float
    level: float = LEVEL
    passes: float = LEVEL
    sizes: tuple[int, ...] = ()
    of_file: bool = False
    alike: float = 1.0
    planned: int = 0
    _looks: list[tuple[int, int, int]] = field(default_factory=list)
    _tests: dict[Outcome, Spending] = field(default_factory=dict)
    _shares: dict[Outcome, float] = field(default_factory=dict)
    _blocks: list[Array] = field(default_factory=list)
    _bets: dict[Outcome, Martingale] = field(default_factory=dict)
    _strongest: dict[Outcome, float] = field(default_factory=dict)

    def look(self, failing: int, tested: int, against: Evidence | None = None, *, drawn: int | None = None) -> bool:
        """Do an interim test with the counts so far.

        Args:
            failing: Failing examples so far.
            tested: Tested examples so far.
            against: The function that computes the evidence for clusters (dependent examples); None if all examples are
                independent.
            drawn: Drawn examples so far; the tested ones by default.

        Returns:
            Whether the verdict is certain, so that the check can stop.
        """
        if self.planned and 0 < self.limit < 1:
            self._spend(tested if drawn is None else drawn, tested, failing)
        elif tested:
            found = sequential_tail(failing, tested, self.limit, against)
            self._strongest[found.side] = min(found.p_value, self._strongest.get(found.side, found.p_value))
        return self._certain

    def _spend(self, drawn: int, tested: int, failing: int) -> None:
        """Test both sides exactly, and note how near each is to its boundary."""
        import numpy as np
        from scipy.special import bdtr, bdtrc

        if drawn <= (self._looks[-1][0] if self._looks else 0):
            return
        self._looks.append((drawn, tested, failing))
        for side, level in ((Outcome.FAILED, self.level), (Outcome.PASSED, self.passes)):
            if side not in self._tests:
                self._tests[side] = Spending(self.limit, ladder(), side, self.planned)
            test = self._tests[side]
            bound = int(test.take(drawn, tested, failing)[int(np.argmax(ladder() <= level * (1 + 1e-9)))])
            self._strongest[side] = test.p_value
            if side is Outcome.FAILED:
                now, enough = (float(bdtrc(k - 1, tested, self.limit)) for k in (failing, bound))
            else:
                now, enough = (float(bdtr(max(0, k), tested, self.limit)) for k in (failing, bound))
            enough = min(level, enough) or level  # a boundary that no count reaches yet
            self._shares[side] = math.log(max(now, 1e-300)) / math.log(enough)

    def take(self, block: Array) -> bool:
        """Do an interim test after a further block of examples from strata (parts of the data).

        Args:
            block: Drawn, tested and failing examples of each stratum, ``[3, strata]``.

        Returns:
            Whether the verdict is certain, so that the check can stop.
        """
        self._blocks.append(block)
        if not 0 < self.limit < 1:
            tested, failing = (int(sum(part[row].sum() for part in self._blocks)) for row in (1, 2))
            return self.look(failing, tested)
        for side in _SIDES:
            if side not in self._bets:
                self._bets[side] = Martingale(self.sizes, self.limit, side, of_file=self.of_file, alike=self.alike)
            p_value = math.exp(-max(0.0, float(self._bets[side].take(*block))))
            self._strongest[side] = min(p_value, self._strongest.get(side, p_value))
        return self._certain

    def next_block(self, given: Sequence[int], taken: NDArray[np.int64], most: int) -> list[int]:
        """Return how many examples to draw next from each stratum (part of the data); see :func:`deciding_block`.

        Args:
            given: Examples drawn from each stratum of the data, the hardest first.
            taken: Drawn examples that earlier blocks took, ``[strata]``.
            most: The most examples that may be taken in all.
        """
        if not self._bets:
            return next_block(given, taken.tolist(), most - int(taken.sum()))
        block: list[int] = deciding_block(self._bets, given, taken, most).tolist()
        return block

    @property
    def interval(self) -> Interval | None:
        """The 95 % interval of the failure rate over all strata, valid at any time; None if nothing was tested."""
        if self._looks:
            return spending_interval(self._looks, self.planned)
        return stratified_sequence(self.sizes, self._blocks, of_file=self.of_file, alike=self.alike)

    @property
    def _certain(self) -> bool:
        found = self.tail
        return found.p_value <= (self.passes if found.side is Outcome.PASSED else self.level)

    @property
    def _best(self) -> tuple[Outcome, float]:
        """The side with the smallest p-value of all looks; INCONCLUSIVE, with 1, before the first."""
        side = min(self._strongest, key=lambda outcome: self._strongest[outcome], default=Outcome.INCONCLUSIVE)
        return side, self._strongest.get(side, 1.0)

    @property
    def evidence(self) -> tuple[Outcome, float]:
        """The side of the limit with the strongest evidence, and the evidence as a fraction of what a verdict needs.

        The fraction is in [0, 1], on a logarithmic scale. INCONCLUSIVE, and 0, if no side was ever favoured.
        """
        if self._shares and not self._certain:
            nearest = max(self._shares, key=lambda fraction: self._shares[fraction])
            return (nearest, min(0.99, self._shares[nearest])) if self._shares[nearest] else (Outcome.INCONCLUSIVE, 0.0)
        side, p_value = self._best
        if p_value >= 1:
            return Outcome.INCONCLUSIVE, 0.0
        level = self.passes if side is Outcome.PASSED else self.level
        return side, 1.0 if p_value <= level else math.log(p_value) / math.log(level)

    @property
    def tail(self) -> Tail:
        """The side of the limit with the strongest evidence so far, and a p-value that is valid at any time.

        INCONCLUSIVE, with a p-value of 1, if the evidence was never enough for a verdict without correction.
        """
        side, p_value = self._best
        return Tail(side, p_value) if p_value <= LEVEL else Tail(Outcome.INCONCLUSIVE, 1.0)


def still_needed(judged: int, share: float) -> float:
    """Estimate how many more perturbed texts a verdict needs, if the evidence keeps growing at the same pace.

    Args:
        judged: The number n of perturbed texts judged so far.
        share: The evidence e so far, as a fraction of the evidence needed, in [0, 1].

    Returns:
        n (1 − e) / e; without evidence, a number larger than with any evidence, which rises with n.
    """
    return judged * (1 - share) / max(share, 1e-9)
