from __future__ import annotations

import math
from collections import Counter
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from scipy.stats import beta, binom, binomtest

from robustfim.outcome import Outcome
from robustfim.statistics import Tail, tail
from robustfim.statistics.sequential import evidence
from robustfim.statistics.validity import ReviewCounts, valid_limit, valid_rate, valid_tail
from tests.present import present


def test_where_all_is_reviewed_the_interval_is_clopper_and_pearsons_at_half_the_level() -> None:
    found = present(valid_rate(200, ReviewCounts(40, valid=30, invalid=10)))
    assert found[0] == pytest.approx(0.15)
    assert found[1] == pytest.approx((beta.ppf(0.0125, 30, 171), beta.ppf(0.9875, 31, 170)), abs=1e-9)


def test_a_sample_stands_for_the_failures_that_nobody_looked_at() -> None:
    few = present(valid_rate(200, ReviewCounts(40, valid=6, invalid=2)))
    many = present(valid_rate(200, ReviewCounts(40, valid=30, invalid=10)))
    assert few[0] == many[0]
    assert few[1][0] < many[1][0] < many[1][1] < few[1][1]


def test_an_unsure_answer_widens_the_interval_on_both_sides() -> None:
    sure, unsure = (present(valid_rate(100, ReviewCounts(20, valid=5, invalid=5, unsure=each))) for each in (0, 4))
    assert unsure[0] == sure[0]
    assert unsure[1][0] < sure[1][0]
    assert unsure[1][1] > sure[1][1]


def test_a_rate_without_a_valid_failure_may_be_0() -> None:
    found = present(valid_rate(100, ReviewCounts(20, invalid=10)))
    assert found[1][0] == 0 == found[0]
    assert found[1][1] > 0


def test_failures_without_an_answer_have_no_corrected_rate() -> None:
    assert valid_rate(100, ReviewCounts(5)) is None
    assert valid_rate(0, ReviewCounts(0)) is None


def test_the_tails_are_those_of_the_interval() -> None:
    reviewed = ReviewCounts(40, valid=12, invalid=4)
    found = present(valid_rate(200, reviewed))
    assert valid_tail(200, reviewed, found[1][0])[0] == pytest.approx(0.025, abs=1e-9)
    assert valid_tail(200, reviewed, found[1][1])[1] == pytest.approx(0.025, abs=1e-9)


@pytest.mark.parametrize(
    ("part", "limit", "side"),
    [
        (ReviewCounts(40, valid=40), 0.1, Outcome.FAILED),
        (ReviewCounts(40, valid=4, invalid=36), 0.1, Outcome.PASSED),
        (ReviewCounts(40, valid=20, invalid=20), 0.1, Outcome.INCONCLUSIVE),
        (ReviewCounts(40, valid=10, invalid=10), 0.03, Outcome.FAILED),
        (ReviewCounts(40, valid=4, invalid=16, unsure=20), 0.1, Outcome.INCONCLUSIVE),
        (ReviewCounts(40), 0.1, Outcome.INCONCLUSIVE),
        (ReviewCounts(40), 0.5, Outcome.PASSED),
        (ReviewCounts(0), 0.1, Outcome.PASSED),
        (ReviewCounts(40, valid=1), 0.0, Outcome.FAILED),
        (ReviewCounts(40, invalid=39), 0.0, Outcome.INCONCLUSIVE),
        (ReviewCounts(40, invalid=40), 0.0, Outcome.PASSED),
        (ReviewCounts(40, valid=40), 1.0, Outcome.PASSED),
    ],
)
def test_a_limit_for_valid_failures_is_held_against_the_corrected_rate(
    part: ReviewCounts, limit: float, side: Outcome
) -> None:
    assert valid_limit(200, part, limit).side is side


def test_where_all_is_reviewed_the_p_value_is_twice_the_binomial_tests() -> None:
    above = valid_limit(200, ReviewCounts(40, valid=30, invalid=10), 0.09)
    assert above.p_value == pytest.approx(2 * binomtest(30, 200, 0.09, alternative="greater").pvalue, rel=1e-9)
    below = valid_limit(200, ReviewCounts(40, valid=10, invalid=30), 0.1)
    assert below.p_value == pytest.approx(2 * binomtest(10, 200, 0.1, alternative="less").pvalue, rel=1e-9)
    all_valid = valid_limit(200, ReviewCounts(40, valid=40), 0.01)
    assert all_valid.side is Outcome.FAILED
    assert all_valid.p_value == pytest.approx(2 * binomtest(40, 200, 0.01, alternative="greater").pvalue, rel=1e-9)


def test_what_needs_no_test_is_certain_or_open() -> None:
    assert valid_limit(200, ReviewCounts(40, valid=40), 1.0) == Tail(Outcome.PASSED, 0.0)
    assert valid_limit(200, ReviewCounts(40, invalid=40), 0.0) == Tail(Outcome.PASSED, 0.0)
    assert valid_limit(200, ReviewCounts(40, valid=1), 0.0) == Tail(Outcome.FAILED, 0.0)
    assert valid_limit(200, ReviewCounts(40, invalid=39), 0.0) == Tail(Outcome.INCONCLUSIVE, 1.0)


@pytest.mark.parametrize(("valid", "invalid", "failing"), [(6, 2, 40), (3, 3, 40), (1, 0, 9), (30, 20, 9000)])
@pytest.mark.parametrize("worth", [1.0, 0.5])
def test_the_tails_of_a_sample_are_the_sums_over_all_that_the_others_can_be(
    valid: int, invalid: int, failing: int, worth: float
) -> None:
    tested, looked = max(200, 2 * failing), valid + invalid
    counts = np.arange(failing - looked + 1)
    failures = valid + counts
    shares = np.linspace(0, 1, 201)

    def chances(side: Outcome) -> np.ndarray:
        """The chances of steps of q, whose p-values are 1 over the evidence, which is valid at any time."""
        logs = [evidence(valid, looked, share, side) for share in shares[1:-1].tolist()]
        p_values = np.exp(-np.maximum(0, [0.0, *logs, math.inf] if side is Outcome.PASSED else [math.inf, *logs, 0.0]))
        if side is Outcome.PASSED:
            return -np.diff(np.minimum.accumulate(p_values))
        return np.diff(np.maximum.accumulate(p_values))

    # A step counts as its end that is against the verdict.
    low, high = (binom.pmf(counts, failing - looked, ends[:, None]) for ends in (shares[:-1], shares[1:]))
    for limit in (0.5 * failing / tested, 0.9 * failing / tested):
        below = chances(Outcome.FAILED) @ low @ beta.cdf(limit, failures * worth, (tested - failures) * worth + 1)
        above = chances(Outcome.PASSED) @ high @ beta.sf(limit, failures * worth + 1, (tested - failures) * worth)
        assert valid_tail(tested, ReviewCounts(failing, valid, invalid, worth=worth), limit) == pytest.approx(
            (min(2 * below, 1.0), min(2 * above, beta.sf(limit, failing * worth + 1, (tested - failing) * worth))),
            abs=2e-5,
        )


@pytest.mark.slow
def test_who_stops_reviewing_at_a_verdict_is_seldom_wrong() -> None:
    # Of 400 tested examples 10 % fail, half of these validly. After every fourth answer someone looks at the verdict.
    random, limit, runs = np.random.default_rng(2), 0.1 * 0.5, 1000
    verdict = cache(lambda *counts: valid_limit(400, ReviewCounts(*counts), limit).side)
    first: Counter[Outcome] = Counter()
    for _ in range(runs):
        valid = np.cumsum(random.random(int(random.binomial(400, 0.1))) < 0.5).tolist()
        looks = [number for number in range(1, len(valid) + 1) if number % 4 == 0 or number == len(valid)]
        verdicts = (verdict(len(valid), valid[number - 1], number - valid[number - 1]) for number in looks)
        first[next((side for side in verdicts if side is not Outcome.INCONCLUSIVE), Outcome.INCONCLUSIVE)] += 1
    assert max(first[Outcome.PASSED], first[Outcome.FAILED]) <= 0.025 * runs


def test_a_review_never_takes_away_what_all_failures_prove() -> None:
    everything = tail(11, 200, 0.1)
    assert everything.side is Outcome.PASSED
    assert valid_limit(200, ReviewCounts(11, valid=1), 0.1).side is Outcome.PASSED


def test_a_rate_that_can_only_be_0_or_1_lies_at_that_limit() -> None:
    assert valid_tail(100, ReviewCounts(20, invalid=20), 0.0)[0] == 1.0
    assert valid_tail(20, ReviewCounts(20, valid=20), 1.0)[1] == 1.0
    assert valid_tail(100, ReviewCounts(20, invalid=20), 0.5) == pytest.approx((1.0, 2 * 0.5**100))


@pytest.mark.parametrize("worth", [1.0, 0.5])
def test_without_an_answer_or_a_failure_a_limit_is_passed_by_the_rate_of_all_failures(worth: float) -> None:
    for part, limit in ((ReviewCounts(0, worth=worth), 0.1), (ReviewCounts(10, worth=worth), 0.2)):
        found = valid_limit(200, part, limit)
        assert found == tail(part.failing * worth, 200 * worth, limit)
        assert found.side is Outcome.PASSED
    assert valid_limit(200, ReviewCounts(40, worth=worth), 0.1) == Tail(Outcome.INCONCLUSIVE, 1.0)


def test_a_verdict_changes_where_the_interval_ends() -> None:
    reviewed = ReviewCounts(40, valid=30, invalid=10)
    _, (low, high) = present(valid_rate(200, reviewed))
    for inside in (low + 1e-9, high - 1e-9):
        assert valid_limit(200, reviewed, inside) == Tail(Outcome.INCONCLUSIVE, 1.0)
    assert valid_limit(200, reviewed, low - 1e-9).side is Outcome.FAILED
    assert valid_limit(200, reviewed, high + 1e-9).side is Outcome.PASSED
    none = valid_limit(200, ReviewCounts(40, invalid=40), 0.1)
    assert none.side is Outcome.PASSED
    assert none.p_value == pytest.approx(2 * 0.9**200)


def test_who_is_unsure_was_asked_and_speaks_against_either_verdict() -> None:
    part = ReviewCounts(40, valid=10, invalid=20, unsure=10)
    assert part.looked == 40
    below, above = valid_tail(200, part, 0.1)
    assert below == valid_tail(200, ReviewCounts(40, valid=10, invalid=30), 0.1)[0]
    assert above == valid_tail(200, ReviewCounts(40, valid=20, invalid=20), 0.1)[1]
    nobody_can_tell = present(valid_rate(200, ReviewCounts(40, unsure=5)))
    assert nobody_can_tell[0] == 20 / 200


def test_clustered_examples_count_what_they_are_worth() -> None:
    half = present(valid_rate(200, ReviewCounts(40, valid=30, invalid=10, worth=0.5)))
    assert half[0] == 0.15
    assert half[1] == pytest.approx((beta.ppf(0.0125, 15, 86), beta.ppf(0.9875, 16, 85)), abs=1e-9)
    part = ReviewCounts(40, valid=10, invalid=30)
    assert valid_limit(200, part, 0.1).side is Outcome.PASSED
    assert valid_limit(200, replace(part, worth=0.5), 0.1).side is Outcome.INCONCLUSIVE


@pytest.mark.slow
@pytest.mark.parametrize("valid", [0.02, 0.05, 0.98])
@pytest.mark.parametrize("answers", [20, 60])
def test_a_rate_of_valid_failures_at_its_limit_seldom_passes_or_fails(valid: float, answers: int) -> None:
    tested, failing = 300, 0.3
    random, found = np.random.default_rng(1), Counter[Outcome]()
    decided = cache(lambda *of: valid_limit(tested, ReviewCounts(*of), failing * valid).side)
    for _ in range(1500):
        count = int(random.binomial(tested, failing))
        looked = min(answers, count)
        kept = int(random.binomial(looked, valid))
        found[decided(count, kept, looked - kept)] += 1
    # 3 % of 1,500 with two standard errors.
    assert max(found[Outcome.PASSED], found[Outcome.FAILED]) <= 58
