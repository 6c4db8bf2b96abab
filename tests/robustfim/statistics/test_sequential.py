import itertools
import math
from collections.abc import Callable, Sequence
from functools import cache, partial

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.optimize import brentq
from scipy.special import expit, logit
from scipy.stats import binom, hypergeom, lognorm, norm

from robustfim.outcome import Outcome
from robustfim.statistics import Tail, wilson
from robustfim.statistics.sequential import (
    Martingale,
    Watch,
    deciding_block,
    end_of,
    evidence,
    sequential_tail,
    still_needed,
    stratified_budget,
    stratified_sequence,
)
from robustfim.statistics.spending import Spending
from robustfim.statistics.strata import allocation, next_block
from robustfim.statistics.stratified import Stratum
from robustfim.statistics.tails import corrected
from tests.present import present


@pytest.mark.parametrize(("failing", "tested", "limit"), [(3, 20, 0.1), (0, 15, 0.3), (12, 40, 0.2), (7, 7, 0.5)])
@pytest.mark.parametrize("side", [Outcome.FAILED, Outcome.PASSED])
def test_the_evidence_is_the_integral_it_is_said_to_be(failing: int, tested: int, limit: float, side: Outcome) -> None:
    prior = lognorm(0.6, scale=math.log(2.5))

    def ratio(theta: float) -> float:
        rate = expit(logit(limit) + (theta if side is Outcome.FAILED else -theta))
        return float((rate / limit) ** failing * ((1 - rate) / (1 - limit)) ** (tested - failing))

    found = quad(lambda theta: prior.pdf(theta) * ratio(theta), 0, 40, limit=500, points=(0.5, 1, 2, 5))[0]
    assert evidence(failing, tested, limit, side) == pytest.approx(math.log(found), abs=2e-3)


def test_no_example_is_no_evidence() -> None:
    assert evidence(0, 0, 0.1, Outcome.FAILED) == pytest.approx(0)


@pytest.mark.parametrize("side", [Outcome.FAILED, Outcome.PASSED])
@pytest.mark.parametrize("limit", [0.05, 0.3])
def test_at_the_limit_the_evidence_is_a_martingale(side: Outcome, limit: float) -> None:
    for failing, tested in [(0, 0), (1, 8), (6, 30)]:
        now = math.exp(evidence(failing, tested, limit, side))
        fails = math.exp(evidence(failing + 1, tested + 1, limit, side))
        passes = math.exp(evidence(failing, tested + 1, limit, side))
        assert limit * fails + (1 - limit) * passes == pytest.approx(now)


def test_a_limit_of_nothing_fails_at_the_first_failure_and_of_everything_never() -> None:
    assert sequential_tail(1, 50, 0.0) == Tail(Outcome.FAILED, 0.0)
    assert sequential_tail(0, 50, 0.0) == Tail(Outcome.INCONCLUSIVE, 1.0)
    assert sequential_tail(50, 50, 1.0) == Tail(Outcome.PASSED, 0.0)


def test_a_rate_at_its_limit_is_not_above_it_and_proves_nothing() -> None:
    assert sequential_tail(2, 20, 0.1) == Tail(Outcome.PASSED, 1.0)
    assert sequential_tail(3, 20, 0.1) == Tail(Outcome.FAILED, 1.0)
    assert evidence(0, 100_000, 0.5, Outcome.FAILED) < -3_000


def confidence_sequence(failing: int, tested: int) -> tuple[float, float]:
    """That of so many independent examples."""

    def against(limit: float, side: Outcome) -> float:
        return evidence(failing, tested, limit, side)

    rate = failing / tested
    return end_of(against, rate, Outcome.FAILED), end_of(against, rate, Outcome.PASSED)


@pytest.mark.parametrize("limit", [0.0, 1.0])
def test_a_limit_of_nothing_or_everything_is_one_of_examples_however_they_lie(limit: float) -> None:
    assert sequential_tail(1, 5, limit, lambda *_: 0.0) == sequential_tail(1, 5, limit)


@pytest.mark.parametrize(("failing", "tested"), [(5, 60), (33, 40)])
def test_the_ends_of_the_confidence_sequence_are_where_the_evidence_is_40_to_1(failing: int, tested: int) -> None:
    low, high = confidence_sequence(failing, tested)
    for end, side in ((low, Outcome.FAILED), (high, Outcome.PASSED)):
        assert evidence(failing, tested, end, side) == pytest.approx(math.log(40), abs=1e-6)


def test_nothing_failing_and_everything_failing_end_at_the_edge() -> None:
    low, high = confidence_sequence(0, 30)
    assert list(confidence_sequence(30, 30)) == pytest.approx([1 - high, 1 - low])
    assert low == 0.0


def test_a_watch_keeps_the_strongest_evidence() -> None:
    watch = Watch(0.1)
    assert watch.look(20, 40)
    strongest = watch.tail.p_value
    assert strongest == sequential_tail(20, 40, 0.1).p_value
    assert watch.look(20, 400)
    assert (watch.tail.side, watch.tail.p_value) == (Outcome.FAILED, strongest)


def test_weak_evidence_names_no_side() -> None:
    watch = Watch(0.05)
    watch.look(1, 10)
    assert (watch.tail.side, watch.tail.p_value) == (Outcome.INCONCLUSIVE, 1.0)
    none = Watch(0.1)
    none.look(2, 20)
    assert none.evidence == (Outcome.INCONCLUSIVE, 0.0)


def test_the_evidence_of_a_watch_is_a_share_of_what_makes_its_side_certain() -> None:
    watch = Watch(0.02, level=0.025 / 10)
    assert watch.evidence == (Outcome.INCONCLUSIVE, 0.0)
    for tested in (100, 200):
        watch.look(0, tested)
        expected = evidence(0, tested, 0.02, Outcome.PASSED) / math.log(40)
        assert watch.evidence[0] is Outcome.PASSED
        assert watch.evidence[1] == pytest.approx(expected)
    assert watch.evidence[1] < 1
    assert watch.look(0, 300)
    assert watch.evidence == (Outcome.PASSED, 1.0)
    failing = Watch(0.02, level=0.025 / 10)
    failing.look(5, 50)
    expected = evidence(5, 50, 0.02, Outcome.FAILED) / math.log(400)
    assert failing.evidence[0] is Outcome.FAILED
    assert failing.evidence[1] == pytest.approx(expected)


def test_a_side_is_named_from_40_to_1_on_and_certain_at_the_level_of_its_suite() -> None:
    p_values = {count: sequential_tail(count, 60, 0.1).p_value for count in range(7, 40)}
    least = min(count for count, p_value in p_values.items() if p_value <= 0.025)
    for count, side in ((least, Outcome.FAILED), (least - 1, Outcome.INCONCLUSIVE)):
        watch = Watch(0.1)
        assert watch.look(count, 60) == (side is Outcome.FAILED)
        assert watch.tail.side is side
    assert Watch(0.1, level=p_values[20]).look(20, 60)
    assert not Watch(0.1, level=p_values[20]).look(19, 60)


def test_before_the_first_look_nothing_is_certain() -> None:
    assert not Watch(0.1).look(0, 0)
    assert Watch(0.1).tail.side is Outcome.INCONCLUSIVE


def test_with_every_rate_at_its_limit_few_suites_are_ever_wrong_however_often_one_looks() -> None:
    generator = np.random.default_rng(0)
    limits, most, runs = [0.05, 0.1, 0.2, 0.5, 0.1, 0.3], 240, 300
    wrong = wrong_failed = 0
    for _ in range(runs):
        watches = []
        for limit in limits:
            watch = Watch(limit, 0.025 / len(limits))
            counts = np.cumsum(generator.random(most) < limit).tolist()
            for tested in range(8, most + 1, 8):
                if watch.look(counts[tested - 1], tested):
                    break
            watches.append(watch)
        sides = [tail.side for tail in corrected([watch.tail for watch in watches])]
        wrong_failed += Outcome.FAILED in sides
        wrong += sides.count(Outcome.PASSED)
    assert wrong_failed / runs <= 0.04  # 2.5 %, and what 300 runs may miss it by
    assert wrong / runs / len(limits) <= 0.035  # the same of each check


def test_a_rate_far_from_its_limit_is_decided_early_and_on_the_right_side() -> None:
    generator = np.random.default_rng(1)
    for rate, side in ((0.5, Outcome.FAILED), (0.01, Outcome.PASSED)):
        needed = []
        for _ in range(40):
            watch, failing = Watch(0.2, 0.025 / 10), 0
            for tested in range(1, 401):
                failing += int(generator.random() < rate)
                if watch.look(failing, tested):
                    break
            assert watch.tail.side is side
            needed.append(tested)
        assert np.mean(needed) < 70


@pytest.mark.parametrize("rate", [0.02, pytest.param(0.3, marks=pytest.mark.slow)])
def test_the_confidence_sequence_holds_the_rate_at_every_look_in_most_runs(rate: float) -> None:
    generator, covered, interval = np.random.default_rng(2), 0, cache(confidence_sequence)  # few counts come once
    for _ in range(100):
        counts = np.cumsum(generator.random(120) < rate).tolist()
        ends = [interval(counts[n - 1], n) for n in range(10, 121, 10)]
        covered += all(low <= rate <= high for low, high in ends)
    assert covered >= 91


def test_the_confidence_sequence_is_wider_than_an_interval_for_one_look() -> None:
    for failing, tested in [(0, 30), (5, 60), (60, 60), (90, 300)]:
        low, high = confidence_sequence(failing, tested)
        narrow = present(wilson(failing, tested))
        assert low <= failing / tested <= high
        assert high - low > narrow[1] - narrow[0]


# ---- strata ----------------------------------------------------------------------------------------------

FAILED, PASSED = Outcome.FAILED, Outcome.PASSED
SIZES = (60, 140, 400)
NODES = sum(math.exp(-node * node / 2) for node in np.arange(-18, 19) / 4)


def counted(*parts: tuple[int, int, int]) -> np.ndarray:
    """A block: drawn, tested and failing examples of each stratum."""
    return np.array(parts, float).T


def predicted(slope: float, limit: float, target: float, strata: dict[int, tuple[float, float]]) -> dict[int, float]:
    """Rates of strata with scores and weights, whose weighted sum over the limit is the target; none where none is."""

    def rates(start: float) -> dict[int, float]:
        return {place: float(expit(start + slope * score)) for place, (score, _) in strata.items()}

    def off(start: float) -> float:
        return sum(strata[place][1] * (rate - limit) for place, rate in rates(start).items()) - target

    return rates(brentq(off, -60, 60, xtol=1e-13)) if off(-60) < 0 < off(60) else {}


def literal(
    sizes: Sequence[int], blocks: Sequence[np.ndarray], limit: float, side: Outcome, *, of_file: bool, alike: float
) -> float:
    """The evidence as one who bets example by example, in each of the hypotheses, would count it."""
    passes, whole, total = side is Outcome.PASSED, sum(sizes), 0.0
    starts = [sum(sizes[:place]) + size / 2 for place, size in enumerate(sizes)]
    scores = [norm.ppf(1 - start / whole) for start in starts]
    for slope, slope_weight in ((0.0, 0.2), (1.0, 0.2), (2.5, 0.6)):
        for node in np.arange(-18, 19) / 4:
            times = math.exp(math.log(math.log(2.5)) + 0.6 * node) * (-1 if passes else 1)
            rate = float(expit(logit(limit) + times))
            node_weight = math.exp(-node * node / 2) / sum(
                math.exp(-each * each / 2) for each in np.arange(-18, 19) / 4
            )
            wealth, drift = slope_weight * node_weight, 0.0
            drawn, tested, failing = ([0.0] * len(sizes) for _ in range(3))
            for block in blocks:
                number = block[0].sum()
                strata = [place for place in range(len(sizes)) if block[0][place]]
                left = [size - gone if of_file else size for size, gone in zip(sizes, drawn, strict=True)]
                part = [each / sum(left) for each in left]
                share = [(some + 1) / (every + 1) for some, every in zip(tested, drawn, strict=True)]
                target = -(sum(failing) - limit * sum(tested)) / sum(left) if of_file else 0.0
                for place in set(range(len(sizes))) - set(strata):
                    target += part[place] * (limit - 1 if passes else limit)
                weight = {place: part[place] * number / block[0][place] for place in strata}

                rates = predicted(
                    slope, limit, target, {place: (scores[place], part[place] * share[place]) for place in strata}
                )
                if rates:
                    g = {place: share[place] * (rates[place] - limit) for place in strata}
                    variance = sum(
                        part[place] * weight[place] * (
                            share[place] * rates[place] * (1 - limit - g[place]) ** 2
                            + share[place] * (1 - rates[place]) * (-limit - g[place]) ** 2
                            + (1 - share[place]) * g[place] ** 2
                        )
                        for place in strata
                    )  # fmt: skip
                    stake = (limit - rate) * sum(one * other for one, other in zip(part, share, strict=True)) / variance
                    most = max(
                        weight[place] * (1 - limit - g[place] if passes else limit + g[place]) for place in strata
                    )
                    stake = (
                        max(-1 / most, min(stake, 1 / most))
                        if abs(stake) * most < 1
                        else math.copysign(1 - 1e-9, stake) / most
                    )
                    for place in strata:
                        some, every, bad = block[1][place], block[0][place], block[2][place]
                        for x, times in ((1 - limit, bad), (-limit, some - bad), (0.0, every - some)):
                            for _ in range(int(times)):
                                wealth *= 1 + stake * weight[place] * (g[place] - x)
                    if not of_file:
                        off = sum(part[place] * g[place] ** 2 for place in strata)
                        off += sum(limit * (1 - limit) * (alike - 1) * p * t for p, t in zip(part, share, strict=True))
                        drift += stake * number * math.sqrt(off / whole)
                for place in range(len(sizes)):
                    drawn[place] += block[0][place]
                    tested[place] += block[1][place]
                    failing[place] += block[2][place]
            total += wealth * math.exp(-drift * drift / 2)
    return math.log(total)


BLOCKS = (
    counted((4, 4, 2), (6, 5, 1), (20, 14, 0)),
    counted((8, 8, 3), (8, 7, 1), (0, 0, 0)),
    counted((3, 3, 1), (6, 6, 0), (24, 20, 1)),
)


SINGLY = (counted((1, 1, 1), (1, 1, 0), (9, 7, 0)), counted((1, 0, 0), (2, 2, 1), (1, 1, 0)))
"""Blocks of strata of which some give one example alone."""


@pytest.mark.parametrize("side", [Outcome.FAILED, Outcome.PASSED])
@pytest.mark.parametrize("blocks", [BLOCKS, SINGLY])
@pytest.mark.parametrize(("of_file", "limit", "alike"), [(False, 0.05, 1.0), (False, 0.1, 2.5), (True, 0.3, 4.0)])
def test_the_evidence_of_strata_is_that_of_bets_one_by_one(
    side: Outcome, blocks: Sequence[np.ndarray], of_file: bool, limit: float, alike: float
) -> None:
    bets = Martingale(SIZES, limit, side, of_file=of_file, alike=alike)
    found = [float(bets.take(*block)) for block in blocks][-1]
    assert found == pytest.approx(literal(SIZES, blocks, limit, side, of_file=of_file, alike=alike), abs=1e-6)


@pytest.mark.parametrize("side", [Outcome.FAILED, Outcome.PASSED])
def test_of_one_stratum_of_a_population_it_is_the_evidence_of_a_plain_sample(side: Outcome) -> None:
    bets = Martingale((500,), 0.1, side)
    bets.take(*counted((30, 28, 1)))
    assert float(bets.take(*counted((32, 20, 4)))) == pytest.approx(evidence(5, 48, 0.1, side))


def all_blocks(
    plan: Sequence[Sequence[int]], chance: Callable[[np.ndarray, np.ndarray, np.ndarray], np.ndarray]
) -> tuple[list[np.ndarray], np.ndarray]:
    """Failing counts of all ways in which blocks can come out, and how likely each is by (counts, numbers, before)."""
    ways = [[np.array(found) for found in itertools.product(*(range(most + 1) for most in part))] for part in plan]
    failing = [np.array(block) for block in zip(*itertools.product(*ways), strict=True)]
    likely, before = np.ones(len(failing[0])), np.zeros_like(failing[0])
    for block, part in zip(failing, plan, strict=True):
        likely *= chance(block, np.array(part), before).prod(axis=1)
        before = before + block
    return failing, likely


def independent(rates: np.ndarray, count: np.ndarray, number: np.ndarray, _: np.ndarray) -> np.ndarray:
    """How likely so many examples fail, each stratum by its rate."""
    return np.asarray(binom.pmf(count, number, rates))


def mean_wealth(
    bets: Martingale, plan: Sequence[Sequence[int]], failing: list[np.ndarray], likely: np.ndarray
) -> float:
    """The mean of the evidence over all that blocks can find."""
    for numbers, block in zip(plan, failing, strict=True):
        drawn = np.broadcast_to(np.array(numbers, float), block.shape)
        found = bets.take(drawn, drawn, block.astype(float))
    return float(likely @ np.exp(found))


@pytest.mark.parametrize(("side", "sign"), [(Outcome.PASSED, 1), (Outcome.FAILED, -1)])
@pytest.mark.parametrize(
    "shape", [(1, 1, 1), *(pytest.param(each, marks=pytest.mark.slow) for each in ((6, 2, 0), (0, 0, 1.5)))]
)
def test_whatever_strata_fail_bets_at_the_limit_win_nothing_in_the_mean(
    side: Outcome, sign: int, shape: tuple[float, ...]
) -> None:
    limit = 0.1
    weights = np.array(SIZES) / sum(SIZES)
    rates = np.array(shape) * limit / float(weights @ shape)
    beyond = np.clip(rates * (1 + 0.5 * sign), 0, 1)
    plan = [(1, 2, 3), (2, 2, 0), (1, 1, 2)]
    for true in (rates, beyond):
        failing, likely = all_blocks(plan, partial(independent, true))
        bets = Martingale(SIZES, np.full(len(likely), limit), side)
        assert mean_wealth(bets, plan, failing, likely) <= 1 + 1e-9


@pytest.mark.parametrize(("held", "side"), [((1, 1, 2), Outcome.FAILED), ((2, 1, 1), Outcome.PASSED)])
def test_of_a_file_bets_win_nothing_in_the_mean_over_all_draws_without_replacement(
    held: tuple[int, ...], side: Outcome
) -> None:
    sizes, plan = (4, 6, 10), [(1, 1, 2), (1, 2, 1), (2, 1, 3)]
    gone = iter(np.cumsum([(0, 0, 0), *plan], axis=0))

    def chance(count: np.ndarray, number: np.ndarray, before: np.ndarray) -> np.ndarray:
        return np.asarray(hypergeom.pmf(count, np.array(sizes) - next(gone), np.array(held) - before, number))

    failing, likely = all_blocks(plan, chance)
    failing, likely = [block[likely > 0] for block in failing], likely[likely > 0]
    limit = 0.2 if side is Outcome.FAILED else 0.2 - 1e-12  # 4 of 20 fail, which is within 20 %
    bets = Martingale(sizes, np.full(len(likely), limit), side, of_file=True)
    assert likely.sum() == pytest.approx(1)
    assert mean_wealth(bets, plan, failing, likely) <= 1 + 1e-9


def test_a_file_is_certain_once_what_is_left_cannot_change_the_verdict() -> None:
    failed = Martingale((10, 10), 0.2, Outcome.FAILED, of_file=True)
    assert float(failed.take(*counted((5, 5, 4), (1, 1, 0)))) < math.inf
    assert float(failed.take(*counted((2, 2, 1), (0, 0, 0)))) == math.inf
    passed = Martingale((10, 10), 0.2, Outcome.PASSED, of_file=True)
    assert float(passed.take(*counted((10, 10, 4), (9, 9, 0)))) < math.inf
    assert float(passed.take(*counted((0, 0, 0), (1, 1, 0)))) == math.inf  # the limit itself is within it
    early = Martingale((10, 10), 0.5, Outcome.PASSED, of_file=True)
    assert float(early.take(*counted((5, 5, 0), (4, 4, 0)))) < math.inf  # eleven are left, and might all fail
    assert float(early.take(*counted((1, 1, 0), (0, 0, 0)))) == math.inf


def test_a_watch_of_strata_is_certain_where_a_martingale_is_and_has_its_confidence_sequence() -> None:
    watch = Watch(0.02, sizes=SIZES)
    assert watch.interval is None
    bets, blocks = Martingale(SIZES, 0.02, Outcome.PASSED), 0
    while not watch.take(counted((3, 3, 0), (7, 7, 0), (22, 22, 0))):
        blocks += 1
        assert watch.tail.side is Outcome.INCONCLUSIVE
        bets.take(*counted((3, 3, 0), (7, 7, 0), (22, 22, 0)))
    strongest = float(bets.take(*counted((3, 3, 0), (7, 7, 0), (22, 22, 0))))
    assert watch.tail.side is Outcome.PASSED
    assert watch.tail.p_value == pytest.approx(math.exp(-strongest))
    assert 5 < blocks < 12
    low, high = watch.interval or (1.0, 0.0)
    assert low == 0
    assert 0.01 < high < 0.02


@pytest.mark.parametrize("of_file", [False, True])
def test_the_ends_of_the_confidence_sequence_of_strata_are_where_the_evidence_is_40_to_1(of_file: bool) -> None:
    low, high = stratified_sequence(SIZES, BLOCKS, of_file=of_file, alike=2.0) or (1.0, 0.0)
    assert 0 < low < high < 1
    for end, side in ((low, Outcome.FAILED), (high, Outcome.PASSED)):
        bets = Martingale(SIZES, np.array([end - 1e-5, end + 1e-5]), side, of_file=of_file, alike=2.0)
        below, above = [bets.take(*block) for block in BLOCKS][-1]
        assert (below >= math.log(40), above >= math.log(40)) == (
            (True, False) if side is Outcome.FAILED else (False, True)
        )


GIVEN = [300, 600, 2000]


def test_a_block_holds_no_more_than_the_budget_leaves() -> None:
    bets = {side: Martingale(SIZES, 0.02, side) for side in (Outcome.FAILED, Outcome.PASSED)}
    for left in (20, 10):
        assert deciding_block(bets, GIVEN, np.array([3, 7, 22]), 32 + left).sum() == left


def test_failures_that_the_hardest_strata_show_are_looked_for_there() -> None:
    watch, taken = Watch(0.02, sizes=SIZES), np.array([3, 7, 22])
    even = next_block(GIVEN, taken.tolist(), 9967)
    assert watch.next_block(GIVEN, np.zeros(3, int), 9999) == next_block(GIVEN, [0, 0, 0], 9999)
    watch.take(counted((3, 3, 2), (7, 7, 1), (22, 22, 0)))
    hard = watch.next_block(GIVEN, taken, 9999)
    assert hard[-1] == 0 < even[-1]
    flat = Watch(0.02, sizes=SIZES)
    flat.take(counted((3, 3, 0), (7, 7, 1), (22, 22, 3)))
    assert flat.next_block(GIVEN, taken, 9999) == even, "the easiest fail as well"
    passes = Watch(0.5, sizes=SIZES)
    passes.take(counted((3, 3, 2), (7, 7, 1), (22, 22, 0)))
    assert passes.next_block(GIVEN, taken, 9999) == even, "nothing is shown to fail"


@pytest.mark.parametrize("side", [Outcome.FAILED, Outcome.PASSED])
def test_the_gain_of_a_block_is_what_evidence_rises_by_where_strata_fail_as_before(side: Outcome) -> None:
    bets = Martingale(SIZES, 0.1, side)
    assert float(bets.log) == pytest.approx(0.0)
    bets.take(*counted((4, 4, 2), (8, 6, 1), (20, 20, 0)))
    whole = (3 + 0.1) / 31
    drawn = np.array([3.0, 6.0, 24.0])
    tested = drawn * np.array([5 / 5, 7 / 9, 21 / 21])
    failing = tested * (np.array([2, 1, 0]) + whole) / np.array([5, 7, 21])
    before, gain = float(bets.log), float(bets.gain(drawn))
    assert float(bets.log) == before, "a look ahead bets nothing"
    assert gain == pytest.approx((float(bets.take(drawn, tested, failing)) - before) / 33)


@pytest.mark.parametrize(
    ("rates", "least", "most"),
    [((0.57, 0.46, 0.38, 0.3, 0.23, 0.13), 0.8, 1.15), ((0.9, 0.6, 0.3, 0.08, 0.01, 0.001), 0.0, 0.85)],
)
def test_the_hardest_strata_are_asked_alone_where_that_shows_a_failure_sooner(
    rates: tuple[float, ...], least: float, most: float
) -> None:
    given, sizes, runs = [95, 151, 239, 379, 603, 957], [159, 317, 635, 1270, 2540, 5079], 60
    limit = 0.67 * float(np.average(rates, weights=sizes))
    needed = {}
    for deciding in (False, True):
        random, taken = np.random.default_rng(5), np.zeros((runs, 6), int)
        bets = {side: Martingale(sizes, np.full(runs, limit), side) for side in (Outcome.FAILED, Outcome.PASSED)}
        tested = np.full(runs, 1200)
        while taken.sum(-1).max() < 1200:
            block = (
                deciding_block(bets, given, taken, sum(given))
                if deciding
                else np.array([next_block(given, row, sum(given) - sum(row)) for row in taken.tolist()])
            )
            taken = taken + block
            counts = [part.astype(float) for part in (block, block, random.binomial(block, rates))]
            logs = {side: bet.take(*counts) for side, bet in bets.items()}
            certain = logs[Outcome.FAILED] >= math.log(40)
            tested = np.where(certain, np.minimum(tested, taken.sum(-1)), tested)
        needed[deciding] = tested.mean()
    assert least < needed[True] / needed[False] < most


@pytest.mark.parametrize(("rates", "side"), [((0.03, 0.005, 0.0), Outcome.PASSED), ((0.6, 0.3, 0.06), Outcome.FAILED)])
def test_the_budget_over_strata_is_that_after_which_so_many_watches_are_certain(
    rates: tuple[float, ...], side: Outcome
) -> None:
    sizes, drawn = (400, 1600, 6000), (100, 200, 500)
    strata = tuple(
        Stratum(size, number, number, round(rate * number))
        for size, number, rate in zip(sizes, drawn, rates, strict=True)
    )
    found = present(stratified_budget(strata, 0.04, 0.025))
    random, certain, given = np.random.default_rng(11), 0, [500, 1000, 2500]
    for _ in range(30):
        watch, taken = Watch(0.04, sizes=sizes), np.zeros(3, int)
        while taken.sum() < found:
            block = np.array(watch.next_block(given, taken, sum(given)))
            taken = taken + block
            if watch.take(np.array([block, block, random.binomial(block, rates)], float)):
                break
        certain += watch.tail.side is side
    assert certain / 30 == pytest.approx(0.8, abs=0.22)
    half = present(stratified_budget(strata, 0.04, 0.025, 0.5))
    assert half <= found


@pytest.mark.slow
def test_a_rate_near_its_limit_has_no_budget_over_strata() -> None:
    strata = (Stratum(1000, 100, 100, 10), Stratum(4000, 200, 200, 8))
    assert stratified_budget(strata, 0.0525, 0.025) is None


def certain_over_clusters(
    runs: int, number: int, cluster: int, rate: float, limit: float, *, told: bool = True
) -> tuple[float, float, float]:
    """How often bets over strata of clusters that fail whole fail and pass, and how many examples they take."""
    sizes, given = ([pair[place] for pair in allocation(number, round(0.7 * number))] for place in (0, 1))
    random, held = np.random.default_rng(4), np.zeros((runs, len(sizes)), int)
    for run in range(runs):
        fails = np.repeat(random.random(number // cluster) < rate, cluster)
        ranked = fails[np.argsort(-(random.normal(size=number) + fails))]
        held[run] = [part.sum() for part in np.split(ranked, np.cumsum(sizes)[:-1])]
    alike = float(cluster) if told else 1.0
    bets = {side: Martingale(sizes, np.full(runs, limit), side, alike=alike) for side in (FAILED, PASSED)}
    taken, certain = np.zeros_like(held), dict.fromkeys(bets, np.zeros(runs, bool))
    while True:
        open_ = ~(certain[FAILED] | certain[PASSED])
        block = deciding_block(bets, given, taken, sum(given)) * open_[:, None]
        if not block.any():
            return float(certain[FAILED].mean()), float(certain[PASSED].mean()), float(taken.sum(1).mean())
        found = random.hypergeometric(held, np.array(sizes) - taken - held, block)
        held, taken, drawn = held - found, taken + block, block.astype(float)
        logs = {side: bet.take(drawn, drawn, found.astype(float)) for side, bet in bets.items()}
        certain = {side: certain[side] | open_ & (log >= math.log(40)) for side, log in logs.items()}


@pytest.mark.parametrize(
    ("cluster", "runs"), [(20, 60), *(pytest.param(each, 400, marks=pytest.mark.slow) for each in (5, 20, 50))]
)
def test_over_strata_of_clusters_bets_are_wrong_as_seldom_as_they_say_where_those_that_ignore_them_are_not(
    cluster: int, runs: int
) -> None:
    failed, passed, _ = certain_over_clusters(runs, 1000, cluster, 0.2, 0.2)
    assert max(failed, passed) <= 0.05  # of 60 runs at 2.5 %, more than 3 come with a probability of 7 %
    failed, passed, _ = certain_over_clusters(runs, 1000, cluster, 0.2, 0.2, told=False)
    assert failed + passed >= 0.1


def test_bets_over_strata_of_clusters_still_decide() -> None:
    _, passed, tested = certain_over_clusters(60, 4000, 4, 0.05, 0.12)
    assert passed >= 0.95
    assert tested < 2 * certain_over_clusters(60, 4000, 4, 0.05, 0.12, told=False)[2]


def test_what_has_no_evidence_waits_behind_all_that_has() -> None:
    assert still_needed(100, 0.25) == 300
    assert still_needed(100, 1) == 0
    assert still_needed(200, 0) > still_needed(100, 0) > still_needed(10**6, 0.01)


# ---- a planned number of examples --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("failing", "tested", "nearest"),
    [
        (9, 60, Outcome.FAILED), (2, 60, Outcome.PASSED), (0, 20, Outcome.PASSED), (1, 4, Outcome.FAILED),
        (1, 1, Outcome.FAILED),
    ],
)  # fmt: skip
def test_the_evidence_of_a_planned_budget_is_the_share_of_the_way_to_its_boundary(
    failing: int, tested: int, nearest: Outcome
) -> None:
    watch = Watch(0.1, planned=320)
    assert not watch.look(failing, tested, drawn=64)
    shares = {}
    for side in (Outcome.FAILED, Outcome.PASSED):
        bound = int(Spending(0.1, np.array([0.025]), side, 320).take(64, tested, failing)[0])
        # How rare a count as far is at the limit, by the logarithm, over that of the boundary.
        now, there = (
            binom.sf(k - 1, tested, 0.1) if side is Outcome.FAILED else binom.cdf(k, tested, 0.1)
            for k in (failing, bound)
        )
        assert now > there
        there = there or 0.025  # a boundary that so few examples cannot reach
        shares[side] = math.log(now) / math.log(there)
    assert shares[nearest] == max(shares.values())
    assert watch.evidence[0] is nearest
    assert watch.evidence[1] == pytest.approx(shares[nearest])


def test_what_one_look_would_prove_is_nearly_certain_before_its_turn() -> None:
    watch = Watch(0.1, planned=3200)
    assert binom.cdf(0, 40, 0.1) < 0.025
    assert not watch.look(0, 40)
    assert watch.evidence == (Outcome.PASSED, 0.99)


@pytest.mark.parametrize("limit", [0.0, 1.0])
@pytest.mark.parametrize("failing", [0, 5])
def test_a_limit_of_nothing_or_everything_is_watched_by_its_counts_alone(limit: float, failing: int) -> None:
    expected = sequential_tail(failing, 20, limit)
    sides = {"planned": Watch(limit, planned=320), "plain": Watch(limit), "strata": Watch(limit, sizes=SIZES)}
    certain = {
        "planned": sides["planned"].look(failing, 20, drawn=32),
        "plain": sides["plain"].look(failing, 20),
        "strata": sides["strata"].take(counted((3, 2, failing), (7, 6, 0), (22, 12, 0))),
    }
    assert set(certain.values()) == {expected.side is not Outcome.INCONCLUSIVE}
    assert {name: watch.tail for name, watch in sides.items()} == dict.fromkeys(sides, expected)


def test_a_watch_of_strata_keeps_the_strongest_evidence_of_each_block() -> None:
    watch, bets = Watch(0.1, sizes=SIZES), Martingale(SIZES, 0.1, Outcome.FAILED)
    logs = []
    for block in (counted((3, 3, 2), (7, 7, 2), (22, 22, 2)), counted((3, 3, 0), (7, 7, 0), (22, 22, 0))):
        logs.append(float(bets.take(*block)))
        assert not watch.take(block)
        assert watch.evidence[0] is Outcome.FAILED
        assert watch.evidence[1] == pytest.approx(logs[0] / math.log(40))
    assert logs[1] < 0 < logs[0] < 1


def test_a_stratum_without_an_example_changes_nothing() -> None:
    whole, parts = Martingale((500,), 0.1, Outcome.FAILED), Martingale((0, 500, 0), 0.1, Outcome.FAILED)
    alone = float(whole.take(*counted((30, 28, 6))))
    assert float(parts.take(*counted((0, 0, 0), (30, 28, 6), (0, 0, 0)))) == pytest.approx(alone)


def test_a_look_in_which_nothing_could_be_tested_favours_no_side() -> None:
    watch = Watch(0.1, planned=320)
    assert not watch.look(0, 0, drawn=32)
    assert watch.evidence == (Outcome.INCONCLUSIVE, 0.0)


def test_a_look_at_no_more_than_was_drawn_before_is_none() -> None:
    watch = Watch(0.1, planned=320)
    assert not watch.look(4, 40, drawn=64)
    before = watch.tail, watch.evidence, watch.interval
    for drawn in (64, 50):
        assert not watch.look(30, 45, drawn=drawn)
        assert (watch.tail, watch.evidence, watch.interval) == before
    assert watch.look(30, 45, drawn=65)
