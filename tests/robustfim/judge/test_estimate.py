"""An estimate is compared with its limit by its design, and says how many more examples would decide."""

from __future__ import annotations

import math
from collections.abc import Iterator

import pytest

from robustfim.judge.estimate import Estimate, ValidEstimate
from robustfim.outcome import Outcome
from robustfim.record import TailRecord
from robustfim.statistics import Rate, Tail, examples_to_decide, sequential, tail
from robustfim.statistics.sequential import stratified_budget
from robustfim.statistics.stratified import Stratum, design_effect, stratified_more, stratified_rate, stratified_tail
from robustfim.statistics.validity import ReviewCounts, valid_limit, valid_rate
from tests.present import present

LOOKS = TailRecord(side=Outcome.INCONCLUSIVE, p_value=0.4)
STRATA = (Stratum(200, 60, 50, 10), Stratum(1800, 60, 55, 2))


def plain(trials: float = 1.0, looks: TailRecord | None = None) -> Estimate:
    return Estimate(Rate(12, 100), looks=looks, trials=trials)


def over(strata: tuple[Stratum, ...], of_file: bool = False, looks: TailRecord | None = None) -> Estimate:
    rate, interval = present(stratified_rate(strata, of_file=of_file))
    return Estimate(Rate(12, 105, interval, rate), strata=strata, of_file=of_file, looks=looks)


def test_a_plain_estimate_is_its_counts() -> None:
    assert (plain().rate, plain().tail(0.1)) == (0.12, tail(12, 100, 0.1))
    assert plain().examples_to_decide(0.1) == examples_to_decide(0.12, 100, 0.1)
    assert plain().examples_to_decide(0.1, 3) == examples_to_decide(0.12, 100, 0.1, 3)
    assert plain().examples_to_decide(0.12) is None


def test_examples_of_a_cluster_are_as_many_trials_as_there_are_clusters() -> None:
    assert plain(0.25).examples_to_decide(0.1) == 4 * (examples_to_decide(0.12, 25, 0.1) or 0)


def test_with_a_budget_the_looks_decide_and_examples_are_counted_as_a_budget_draws_them() -> None:
    assert plain(looks=LOOKS).tail(0.1) == Tail(Outcome.INCONCLUSIVE, 0.4)
    assert plain(looks=LOOKS).examples_to_decide(0.1) == examples_to_decide(0.12, 100, 0.1, sequential=True)


@pytest.mark.parametrize("of_file", [False, True])
def test_the_estimate_over_strata_is_tested_as_that_of_all_they_represent(of_file: bool) -> None:
    estimate = over(STRATA, of_file)
    assert estimate.tail(0.05) == stratified_tail(STRATA, 0.05, of_file=of_file)
    for limit in (0.0, 1.0):
        assert estimate.tail(limit) == tail(12, 105, limit), "the counts alone decide"
        assert over(STRATA, of_file, LOOKS).examples_to_decide(limit) is None
    for comparisons in (1, 4):
        more = stratified_more(STRATA, 0.07, comparisons, of_file=of_file)
        assert estimate.examples_to_decide(0.07, comparisons) == more
    for none in (Stratum(0, 0, 0, 0), Stratum(9, 4, 0, 0)):
        untested = over((*STRATA, none), of_file)
        assert untested.examples_to_decide(0.07) == stratified_more(STRATA, 0.07, of_file=of_file)


def test_over_strata_with_a_budget_the_simulated_budget_less_the_tested_examples_decides() -> None:
    estimate = over(STRATA, looks=LOOKS)
    assert estimate.tail(0.15) == Tail(Outcome.INCONCLUSIVE, 0.4)
    for comparisons in (1, 5):
        needed = present(stratified_budget(STRATA, 0.15, 0.025 / comparisons))
        assert needed > 105
        assert estimate.examples_to_decide(0.15, comparisons) == needed - 105
    assert estimate.examples_to_decide(0.9) == 1
    needed = present(stratified_budget(STRATA, 0.15, 0.025))
    assert over(STRATA, True, LOOKS).examples_to_decide(0.15) == min(needed - 105, 140 + 1740)
    small = tuple(Stratum(stratum.drawn + 5, stratum.drawn, stratum.tested, stratum.failing) for stratum in STRATA)
    assert over(small, True, LOOKS).examples_to_decide(0.15) == 10


@pytest.fixture
def short_budgets(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Simulated budgets of at most 250 drawn examples."""
    monkeypatch.setattr(sequential, "_LONG", 250)
    stratified_budget.cache_clear()
    yield
    stratified_budget.cache_clear()


@pytest.mark.usefixtures("short_budgets")
def test_where_no_simulated_budget_decides_the_design_effect_of_the_strata_says_how_many_examples_do() -> None:
    near = round(over(STRATA).rate, 3) + 0.03
    assert stratified_budget(STRATA, near, 0.025) is None
    estimate, worth = over(STRATA, looks=LOOKS), 1 / design_effect(STRATA)
    more = present(examples_to_decide(estimate.rate, 105 * worth, near, sequential=True))
    assert estimate.examples_to_decide(near) == math.ceil(more / worth)


def test_an_estimate_of_valid_failures_is_what_answers_leave_and_asks_for_answers() -> None:
    part = ReviewCounts(40, valid=10, invalid=10, worth=0.5)
    estimate = ValidEstimate.of(40, 200, part)
    assert (estimate.rate, estimate.counts.interval) == valid_rate(200, part)
    assert estimate.tail(0.15) == valid_limit(200, part, 0.15)
    assert estimate.examples_to_decide(0.15) is None
    none = ValidEstimate.of(0, 200, ReviewCounts(0))
    assert none.rate == 0.0
    assert none.examples_to_decide(0.01) == examples_to_decide(0.0, 200, 0.01)
    assert ValidEstimate.of(40, 200, ReviewCounts(40)).rate == 0.2, "nobody reviewed a failure"
