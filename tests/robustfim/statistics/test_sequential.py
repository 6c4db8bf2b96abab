import math

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.special import expit, logit
from scipy.stats import lognorm

from robustfim.outcome import Outcome
from robustfim.statistics import Tail, wilson
from robustfim.statistics.sequential import (
    Trials,
    Watch,
    confidence_sequence,
    evidence,
    sequential_limit,
    sequential_tail,
)
from robustfim.statistics.tails import corrected


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


def test_clusters_count_as_the_trials_they_are() -> None:
    clusters, limit = [(2, 4), (0, 3), (4, 4), (1, 1)], 0.2  # failing of tested
    sums = sum(limit + (failing - limit * tested) / 4 for failing, tested in clusters)
    found = Trials(4, 4).counts(7, 12, limit)
    assert list(found) == pytest.approx([sums, 4])
    assert sequential_limit(7, 12, limit, Trials(4, 4)) == sequential_tail(*found, limit)
    assert sequential_limit(7, 12, limit) == sequential_tail(7, 12, limit)
    assert Trials(3, 2).counts(0, 6, limit) == (0.0, 3)
    assert Trials(3, 2).counts(6, 6, limit) == (3.0, 3)


@pytest.mark.parametrize("limit", [0.0, 1.0])
def test_a_limit_of_nothing_or_everything_is_one_of_examples_however_they_lie(limit: float) -> None:
    assert sequential_limit(1, 5, limit, Trials(2, 3)) == sequential_tail(1, 5, limit)


@pytest.mark.parametrize(("failing", "tested", "trials"), [(5, 60, None), (33, 40, None), (9, 60, Trials(25, 4))])
def test_the_ends_of_the_confidence_sequence_are_where_the_evidence_is_40_to_1(
    failing: int, tested: int, trials: Trials | None
) -> None:
    low, high = confidence_sequence(failing, tested, trials) or (2.0, 2.0)
    for end, side in ((low, Outcome.FAILED), (high, Outcome.PASSED)):
        at, of = (failing, tested) if trials is None else trials.counts(failing, tested, end)
        assert evidence(at, of, end, side) == pytest.approx(math.log(40), abs=1e-6)


def test_nothing_failing_and_everything_failing_end_at_the_edge() -> None:
    low, high = confidence_sequence(0, 30) or (2.0, 2.0)
    assert list(confidence_sequence(30, 30) or ()) == pytest.approx([1 - high, 1 - low])
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
        sides = [each.side for each in corrected([watch.tail for watch in watches])]
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


@pytest.mark.parametrize("rate", [0.02, 0.3])
def test_the_confidence_sequence_holds_the_rate_at_every_look_in_most_runs(rate: float) -> None:
    generator, covered = np.random.default_rng(2), 0
    for _ in range(100):
        counts = np.cumsum(generator.random(120) < rate).tolist()
        ends = [confidence_sequence(counts[n - 1], n) for n in range(10, 121, 10)]
        covered += all(low <= rate <= high for low, high in filter(None, ends))
    assert covered >= 91


def test_the_confidence_sequence_is_wider_than_an_interval_for_one_look() -> None:
    for failing, tested in [(0, 30), (5, 60), (60, 60), (90, 300)]:
        low, high = confidence_sequence(failing, tested) or (2, 2)
        narrow = wilson(failing, tested)
        assert narrow is not None
        assert low <= failing / tested <= high
        assert high - low > narrow[1] - narrow[0]
    assert confidence_sequence(0, 0) is None
