"""The excess says of the same examples what a gap says of different ones."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import binomtest, norm

from robustfim.outcome import Outcome
from robustfim.statistics.excess import Excess
from robustfim.statistics.paired import Paired


def test_the_side_is_that_on_which_the_whole_interval_lies() -> None:
    excess = Excess(Paired(40, 10, 200))
    assert excess.rate == pytest.approx(0.15)
    low, high = excess.interval
    assert excess.tail(low - 1e-6).side is Outcome.FAILED
    assert excess.tail(low + 1e-6).side is excess.tail(high - 1e-6).side is Outcome.INCONCLUSIVE
    assert excess.tail(high + 1e-6).side is Outcome.PASSED


def test_the_p_value_is_that_of_the_score_and_not_below_the_exact_one() -> None:
    excess = Excess(Paired(40, 10, 200))
    assert excess.tail(0.05).p_value == pytest.approx(norm.sf(excess.paired.score(0.05)))
    assert excess.tail(0.3).p_value == pytest.approx(norm.cdf(excess.paired.score(0.3)))
    few = Excess(Paired(4, 0, 300)).tail(0.0)
    assert few.p_value == pytest.approx(binomtest(4, 4, alternative="greater").pvalue)
    assert few.side is Outcome.FAILED


def test_a_limit_of_one_is_never_exceeded() -> None:
    assert Excess(Paired(9, 0, 9)).tail(1.0).side is Outcome.PASSED


@pytest.mark.parametrize(("broken", "fixed", "limit"), [(30, 10, 0.05), (22, 20, 0.05), (6, 5, 0.04)])
def test_so_many_more_examples_decide_in_four_of_five_cases(broken: int, fixed: int, limit: float) -> None:
    excess = Excess(Paired(broken, fixed, 200))
    more = excess.examples_to_decide(limit)
    assert more is not None
    shares = [broken / 200, fixed / 200, 1 - (broken + fixed) / 200]
    draws = np.random.default_rng(0).multinomial(200 + more, shares, 400)
    sides = [Excess(Paired(int(one), int(two), 200 + more)).tail(limit).side for one, two, _ in draws]
    assert sum(side is not Outcome.INCONCLUSIVE for side in sides) / 400 == pytest.approx(0.8, abs=0.09)


def test_no_number_of_examples_decides_where_the_excess_is_the_limit() -> None:
    assert Excess(Paired(20, 10, 100)).examples_to_decide(0.1) is None
