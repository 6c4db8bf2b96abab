import math

import numpy as np
import pytest
from scipy.special import bdtr, bdtrc
from scipy.stats import binom

from robustfim.outcome import Outcome
from robustfim.statistics import Tail, exact_tails, tail
from robustfim.statistics import power as planned
from robustfim.statistics.power import (
    Aim,
    examples_for,
    examples_to_decide,
    limit_power,
    sequential_examples,
)
from robustfim.statistics.sequential import Watch
from robustfim.statistics.spending import chance_to_decide
from tests.present import present


def decided(found: Tail, aim: Aim) -> bool:
    return found.side is (Outcome.FAILED if aim.rate > aim.limit else Outcome.PASSED)


def test_a_p_value_of_the_level_itself_decides() -> None:
    above, below = Aim(0.2, 0.1), Aim(0.05, 0.1)
    for count in (20, 21):
        assert limit_power(above, 100, float(exact_tails(count, 100, 0.1)[0])) == bdtrc(count - 1, 100, 0.2)
    for count in (2, 3):
        assert limit_power(below, 100, float(exact_tails(count, 100, 0.1)[1])) == bdtr(count, 100, 0.05)


def test_so_many_examples_have_the_power_and_one_less_has_not() -> None:
    aim = Aim(0.05, 0.1)
    number = present(examples_for(lambda n: limit_power(aim, n), 0.8))
    assert limit_power(aim, number) >= 0.8 > limit_power(aim, number - 1)
    assert examples_for(lambda _: 0.5, 0.8) is None


@pytest.mark.parametrize("number", [1, 2, 15, 16, 17, 80, 600_000, 1_000_000])
def test_the_number_is_the_first_that_has_the_power_up_to_a_million(number: int) -> None:
    assert examples_for(lambda n: 0.8 if n >= number else 0.79, 0.8) == number
    assert examples_for(lambda n: float(n > 1_000_000), 0.8) is None


def test_a_check_with_a_budget_is_certain_as_often_as_planned() -> None:
    aim, comparisons = Aim(0.2, 0.1), 10
    number = present(sequential_examples(aim, (0.8,), comparisons)[0.8])
    random, stopped, runs = np.random.default_rng(9), 0, 100
    for _ in range(runs):
        watch, failing, before = Watch(aim.limit, 0.025 / comparisons, planned=number), 0, 0
        for tested in [*range(32, number, 32), number]:
            failing += int(random.binomial(tested - before, aim.rate))
            before = tested
            if watch.look(failing, tested):
                stopped += 1
                break
    assert stopped / runs == pytest.approx(0.8, abs=0.12)


def test_a_budget_of_a_rate_near_its_limit_has_no_number() -> None:
    assert sequential_examples(Aim(0.101, 0.1), (0.8, 0.9)) == {0.8: None, 0.9: None}


@pytest.mark.parametrize(
    ("once", "needed", "found"),
    [
        (1_000, 820, 820), (1_000, 821, 840), (1_000, 1_005, 1_020), (1_000, 1_300, 1_300), (1_010, 840, 849),
        (10_000, 10_300, 10_400), (10_001, 10_300, None),
    ],
)  # fmt: skip
def test_a_budget_grows_by_a_fiftieth_of_what_one_look_takes_which_is_ten_thousand_at_most(
    once: int, needed: int, found: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(planned, "limit_power", lambda aim, number, level: float(number >= once))
    monkeypatch.setattr(planned, "chance_to_decide", lambda rate, limit, level, number: float(number >= needed))
    assert sequential_examples(Aim(0.2, 0.1), [0.5]) == {0.5: found}


def test_only_a_failure_has_to_be_certain_whatever_the_other_comparisons_say() -> None:
    fails, passes = Aim(0.2, 0.1), Aim(0.04, 0.1)
    assert sequential_examples(passes, [0.8], 10) == sequential_examples(passes, [0.8]) == sequential_examples(
        passes, [0.8], 1
    )  # fmt: skip
    alone, among = (sequential_examples(fails, [0.8], number)[0.8] for number in (1, 10))
    assert sequential_examples(fails, [0.8]) == {0.8: alone}
    assert alone is not None
    assert among is not None
    assert among > alone
    assert not Aim(0.1, 0.1).fails


# ---- the examples that would decide --------------------------------------------------------------------


@pytest.mark.parametrize("comparisons", [1, 10])
@pytest.mark.parametrize("tested", [20, 60, 200])
@pytest.mark.parametrize("limit", [0.02, 0.05, 0.1, 0.3])
def test_the_examples_that_are_said_to_decide_do_so_in_four_of_five_cases(
    limit: float, tested: int, comparisons: int
) -> None:
    for failing in range(0, math.ceil(2.5 * limit * tested) + 1):
        rate = failing / tested
        found = tail(failing, tested, limit)
        if rate == limit or found.p_value <= 0.025 / comparisons:
            continue
        more = present(examples_to_decide(rate, tested, limit, comparisons))
        if tested + more > 5_000:  # exact all the same, but long to sum literally
            continue
        # Literally: every count that so many examples can have, and whether the verdict is then certain.
        counts = np.arange(tested + more + 1)
        likely = binom.pmf(counts, tested + more, rate)
        verdicts = [tail(int(each), tested + more, limit) for each in counts[likely > 1e-9]]
        sure = [
            verdict.side is not Outcome.INCONCLUSIVE and verdict.p_value <= 0.025 / comparisons for verdict in verdicts
        ]
        assert float(likely[likely > 1e-9][sure].sum()) >= 0.78


def test_they_are_those_of_one_comparison_at_one_look_unless_said_otherwise() -> None:
    more = present(examples_to_decide(0.14, 100, 0.1))
    assert limit_power(Aim(0.14, 0.1), 100 + more) >= 0.8 > limit_power(Aim(0.14, 0.1), 100 + more - 1)
    assert examples_to_decide(0.14, 99.5, 0.1) == more + 1, "a half is a whole one"


def test_at_the_limit_itself_no_number_decides_and_more_comparisons_need_more() -> None:
    assert [examples_to_decide(limit, 100, limit) for limit in (0.1, 0.29, 0.0, 1.0)] == [None] * 4
    assert [examples_to_decide(0.3, 100, limit) for limit in (0.0, 1.0)] == [None, None]
    assert examples_to_decide(0.1 + 1e-5, 100, 0.1) is None  # a million are too few
    numbers = [examples_to_decide(0.14, 100, 0.1, comparisons) or 0 for comparisons in (1, 2, 5, 20)]
    assert numbers == sorted(set(numbers))
    assert examples_to_decide(0.3, 1_000, 0.1) == 1


@pytest.mark.parametrize(("rate", "limit"), [(0.02, 0.1), (0.2, 0.1), (0.0, 0.05)])
def test_with_a_budget_they_are_the_examples_that_such_a_run_draws(rate: float, limit: float) -> None:
    more = present(examples_to_decide(rate, 20, limit, sequential=True))
    runs = np.random.default_rng(7)
    certain = 0
    for _ in range(100):
        watch, counts = Watch(limit, planned=20 + more), runs.random(20 + more) < rate
        looks = [*range(32, 20 + more, 32), 20 + more]
        certain += any(watch.look(int(counts[:n].sum()), n) for n in looks)
    assert certain / 100 >= 0.8 - 3 * np.sqrt(0.8 * 0.2 / 100)
    assert more <= 1.1 * (examples_to_decide(rate, 20, limit) or 0)


@pytest.mark.parametrize("aim", [Aim(0.15, 0.1), Aim(0.06, 0.1)])
def test_a_budget_is_the_least_with_its_power_to_two_percent(aim: Aim) -> None:
    for power, number in sequential_examples(aim, (0.8, 0.95)).items():
        assert number is not None
        assert chance_to_decide(aim.rate, aim.limit, 0.025, number) >= power
        assert chance_to_decide(aim.rate, aim.limit, 0.025, round(number * 0.96)) < power


@pytest.mark.parametrize(
    ("rate", "limit"),
    [
        (0.95, 0.9), (0.6, 0.5), (0.1, 0.02), (0.01, 0.03), (0.4, 0.5), (0.8, 0.9), (0.2, 0.1), (0.04, 0.1),
        (0.0, 0.05), (1.0, 0.9),
    ],
)  # fmt: skip
def test_the_power_is_the_sum_over_all_counts_whatever_their_number(rate: float, limit: float) -> None:
    aim = Aim(rate, limit)
    for tested in [*range(1, 40), 90, 140, 200]:
        found = [tail(count, tested, limit) for count in range(tested + 1)]
        chances = binom.pmf(np.arange(tested + 1), tested, rate)
        for level in (0.025, 0.01, 0.004):
            sure = [decided(each, aim) and each.p_value <= level for each in found]
            assert limit_power(aim, tested, level) == pytest.approx(float(chances[sure].sum()), abs=1e-12)


@pytest.mark.parametrize(
    ("aim", "tested"),
    [(Aim(0.98, 0.95), 72), (Aim(0.02, 0.05), 72), (Aim(0.995, 0.98), 277), (Aim(0.01, 0.02), 277)],
)
def test_where_wilsons_interval_is_stricter_than_the_p_value_it_decides(aim: Aim, tested: int) -> None:
    found = [tail(count, tested, aim.limit) for count in range(tested + 1)]
    rare = (
        bdtrc(np.arange(-1, tested), tested, aim.limit) if aim.fails else bdtr(np.arange(tested + 1), tested, aim.limit)
    )
    sure = np.array([decided(each, aim) for each in found])
    assert (rare[~sure] <= 0.025).any()
    chances = binom.pmf(np.arange(tested + 1), tested, aim.rate)
    assert limit_power(aim, tested) == pytest.approx(float(chances[sure & (rare <= 0.025)].sum()), abs=1e-12)
