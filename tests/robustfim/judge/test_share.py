"""A share is compared with its limit as what its examples are worth, and says how many more would decide."""

from __future__ import annotations

import math
from collections.abc import Iterator

import pytest

from robustfim.judge.share import Share, StratifiedShare, ValidShare
from robustfim.outcome import Outcome
from robustfim.record import TailRecord
from robustfim.statistics import Tail, examples_to_decide, sequential, tail
from robustfim.statistics.sequential import stratified_budget
from robustfim.statistics.stratified import Stratum, design_effect, stratified_more, stratified_rate, stratified_tail
from robustfim.statistics.validity import ReviewCounts, valid_limit, valid_rate
from tests.present import present

LOOKS = TailRecord(side=Outcome.INCONCLUSIVE, p_value=0.4)
STRATA = (Stratum(200, 60, 50, 10), Stratum(1800, 60, 55, 2))


def test_a_plain_share_is_its_counts() -> None:
    share = Share(12, 100)
    assert (share.estimate, share.rate) == (None, 0.12)
    assert share.tail(0.1) == tail(12, 100, 0.1)
    assert share.examples_to_decide(0.1) == examples_to_decide(0.12, 100, 0.1)
    assert share.examples_to_decide(0.1, 3) == examples_to_decide(0.12, 100, 0.1, 3)
    assert share.examples_to_decide(0.12) is None


def test_clustered_examples_count_as_what_they_are_worth_and_so_do_those_that_are_asked_for() -> None:
    share = Share(12, 100, 0.25)
    assert (share.rate, share.tail(0.1)) == (0.12, tail(3, 25, 0.1))
    assert share.examples_to_decide(0.1) == 4 * (examples_to_decide(0.12, 25, 0.1) or 0)


def test_with_a_budget_the_looks_decide_and_examples_are_counted_as_a_budget_draws_them() -> None:
    share = Share(12, 100, looks=LOOKS)
    assert share.tail(0.1) == Tail(Outcome.INCONCLUSIVE, 0.4)
    assert share.examples_to_decide(0.1) == examples_to_decide(0.12, 100, 0.1, sequential=True)


@pytest.mark.parametrize("of_file", [False, True])
def test_the_share_of_strata_is_that_of_all_they_stand_for(of_file: bool) -> None:
    share = StratifiedShare(12, 105, strata=STRATA, of_file=of_file)
    found = present(stratified_rate(STRATA, of_file=of_file))
    assert (share.estimate, share.rate) == (found, found[0])
    assert share.tail(0.05) == stratified_tail(STRATA, 0.05, of_file=of_file)
    for limit in (0.0, 1.0):
        assert share.tail(limit) == tail(12, 105, limit), "the counts alone tell"
    for comparisons in (1, 4):
        more = stratified_more(STRATA, 0.07, comparisons, of_file=of_file)
        assert share.examples_to_decide(0.07, comparisons) == more
    for none in (Stratum(0, 0, 0, 0), Stratum(9, 4, 0, 0)):
        untested = StratifiedShare(12, 105, strata=(*STRATA, none), of_file=of_file)
        assert untested.examples_to_decide(0.07) == stratified_more(STRATA, 0.07, of_file=of_file)


def test_without_strata_that_were_tested_a_share_is_its_counts() -> None:
    for looks in (None, LOOKS):
        plain, none = Share(12, 100, 0.5, looks), StratifiedShare(12, 100, 0.5, looks)
        assert (none.estimate, none.rate) == (None, 0.12)
        for limit in (0.0, 0.1, 1.0):
            assert none.examples_to_decide(limit) == plain.examples_to_decide(limit)


@pytest.mark.parametrize("looks", [None, LOOKS])
def test_no_number_of_examples_decides_a_limit_of_nothing_or_everything(looks: TailRecord | None) -> None:
    for limit in (0.0, 1.0):
        assert StratifiedShare(12, 105, looks=looks, strata=STRATA).examples_to_decide(limit) is None


def test_a_share_of_strata_is_of_the_population_unless_said_otherwise() -> None:
    assert StratifiedShare(12, 105, strata=STRATA).estimate == stratified_rate(STRATA)


def test_over_strata_with_a_budget_the_simulated_one_is_told_less_what_was_tested() -> None:
    share = StratifiedShare(12, 105, looks=LOOKS, strata=STRATA, sequence=(0.01, 0.2))
    assert share.estimate == (share.rate, (0.01, 0.2))
    assert share.tail(0.15) == Tail(Outcome.INCONCLUSIVE, 0.4)
    for comparisons in (1, 5):
        needed = present(stratified_budget(STRATA, 0.15, 0.025 / comparisons))
        assert needed > 105
        assert share.examples_to_decide(0.15, comparisons) == needed - 105
    assert StratifiedShare(12, 105, looks=LOOKS, strata=STRATA).examples_to_decide(0.9) == 1
    file = StratifiedShare(12, 105, looks=LOOKS, strata=STRATA, of_file=True)
    assert file.examples_to_decide(0.15) == min((stratified_budget(STRATA, 0.15, 0.025) or 0) - 105, 140 + 1740)
    small = tuple(Stratum(each.drawn + 5, each.drawn, each.tested, each.failing) for each in STRATA)
    assert StratifiedShare(12, 105, looks=LOOKS, strata=small, of_file=True).examples_to_decide(0.15) == 10


@pytest.fixture
def short_budgets(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Simulated budgets of at most 250 drawn examples."""
    monkeypatch.setattr(sequential, "_LONG", 250)
    stratified_budget.cache_clear()
    yield
    stratified_budget.cache_clear()


@pytest.mark.usefixtures("short_budgets")
def test_where_no_simulated_budget_decides_a_plain_one_is_told_at_what_the_strata_are_worth() -> None:
    near = round(StratifiedShare(12, 105, strata=STRATA).rate, 3) + 0.03
    assert stratified_budget(STRATA, near, 0.025) is None
    share = StratifiedShare(12, 105, looks=LOOKS, strata=STRATA)
    worth = 1 / design_effect(STRATA)
    plain = present(examples_to_decide(share.rate, 105 * worth, near, sequential=True))
    assert share.examples_to_decide(near) == math.ceil(plain / worth)


def test_a_share_of_valid_failures_is_what_answers_leave_and_asks_for_answers() -> None:
    part = ReviewCounts(40, valid=10, invalid=10)
    share = ValidShare(40, 200, 0.5, reviewed=part)
    assert share.estimate == valid_rate(200, part, 0.5)
    assert share.rate == 0.1
    assert share.tail(0.15) == valid_limit(200, part, 0.15, 0.5)
    assert share.examples_to_decide(0.15) is None
    none = ValidShare(0, 200, reviewed=ReviewCounts(0))
    assert (none.estimate, none.rate) == (None, 0.0)
    assert none.examples_to_decide(0.01) == examples_to_decide(0.0, 200, 0.01)
    unseen = ValidShare(40, 200, reviewed=ReviewCounts(40))
    assert (unseen.estimate, unseen.rate) == (None, 0.2)
