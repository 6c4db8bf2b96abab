from collections.abc import Callable, Mapping
from functools import partial
from random import Random

import numpy as np
import pytest

from robustfim.outcome import Outcome
from robustfim.select.draw import Budget, Draw, TestedExample
from robustfim.statistics import Rate
from robustfim.statistics.mean import Mean
from robustfim.statistics.sequential import Evidence
from tests.present import present
from tests.robustfim.toys import Bench, Swap, check, example, prediction

ALPHA = 0.025


def many(number: int, arm: str = "all") -> list[TestedExample]:
    return [TestedExample(example(f"a film {arm} {i}"), prediction("a film"), arm) for i in range(number)]


def test_without_a_budget_every_example_comes_in_order() -> None:
    tested = many(600)
    draw = Draw(tested, 0.1, None, Random(0))
    blocks = list(draw.blocks(lambda arm: (0, 0)))
    assert [tested_example for block in blocks for tested_example in block] == tested
    assert draw.record(10) is None


def test_a_budget_draws_in_a_random_order_that_its_seed_decides() -> None:
    tested = many(100)

    def drawn(seed: int) -> list[str]:
        draw = Draw(tested, 0.1, Budget(50, ALPHA, ALPHA), Random(seed))
        list(draw.blocks(lambda arm: (0, 0)))
        return [tested_example.example.id for tested_example in draw.drawn]

    assert drawn(0) == drawn(0) != drawn(1)
    assert len(set(drawn(0))) == 50
    assert drawn(0) != [tested_example.example.id for tested_example in tested[:50]]


def test_it_stops_when_the_verdict_is_certain() -> None:
    draw = Draw(many(1000), 0.1, Budget(1000, ALPHA, ALPHA), Random(0))
    list(draw.blocks(lambda arm: (len(draw.drawn), len(draw.drawn))))  # every example fails
    assert len(draw.drawn) == 32
    record = present(draw.record(64))
    assert (record.most, record.drawn, record.saved) == (1000, 32, 2 * 968)
    assert record.tails[""].side is Outcome.FAILED


@pytest.mark.parametrize(("of_file", "size"), [(False, 1), (True, 1), (False, 2)])
def test_a_budget_draws_until_a_pass_stays_one_if_all_examples_without_an_answer_fail(of_file: bool, size: int) -> None:
    tested, numbers = many(1000), []
    clusters = {each.example.id: f"c{row // size}" for row, each in enumerate(tested)} if size > 1 else {}
    for unanswered in (0.0, 0.03):
        budget = Budget(1000, ALPHA, ALPHA, {"all": 4000}, of_file, unanswered=unanswered)
        draw = Draw(tested, 0.1, budget, Random(0), clusters)

        def mean(draw: Draw = draw) -> Mean:
            return Mean.of({each.example.id: 0.0 for each in draw.drawn}, clusters, size)

        def evidence(arm: str, mean: Callable[[], Mean] = mean) -> Evidence | None:
            return mean().evidence if clusters else None

        for _ in draw.blocks(lambda arm, draw=draw: (len(draw.drawn), 0), evidence):  # type: ignore[misc]  # bound early
            pass
        number, lost = len(draw.drawn), unanswered * len(draw.drawn)
        ends = mean().interval if clusters else draw.interval("") or present(draw.record(0)).interval
        assert present(ends)[1] * number + lost <= 0.1 * (number + lost)
        numbers.append(number)
    assert numbers[0] < numbers[1] < 300


def test_an_arm_that_is_certain_is_drawn_no_further() -> None:
    draw = Draw(
        many(300, "difficult") + many(300, "control"),
        {"difficult": 0.1, "control": 0.5},
        Budget(600, ALPHA, ALPHA),
        Random(0),
    )

    def counts(arm: str) -> tuple[int, int]:
        drawn = sum(tested_example.arm == arm for tested_example in draw.drawn)
        return drawn, 0 if arm == "difficult" else drawn // 2  # far below, and at the limit itself

    list(draw.blocks(counts))
    arms = [tested_example.arm for tested_example in draw.drawn]
    assert arms.count("difficult") < 100
    assert arms.count("control") == 300


def test_the_arm_that_looks_likeliest_to_fail_comes_next_and_decides_the_check() -> None:
    draw = Draw(
        many(100, "difficult") + many(400, "control"),
        {"difficult": 0.3, "control": 0.5},
        Budget(500, ALPHA / 10, ALPHA),
        Random(0),
    )

    def counts(arm: str) -> tuple[int, int]:
        drawn = sum(tested_example.arm == arm for tested_example in draw.drawn)
        return drawn, drawn * 11 // 20 if arm == "difficult" else drawn * 2 // 5

    blocks = list(draw.blocks(counts))
    assert {tested_example.arm for tested_example in blocks[0]} == {"difficult", "control"}
    assert all({tested_example.arm for tested_example in block} == {"difficult"} for block in blocks[1:])
    assert len(draw.drawn) < 130
    record = present(draw.record(len(draw.drawn)))
    assert {arm: tail.side for arm, tail in record.tails.items()} == {
        "difficult": Outcome.FAILED,
        "control": Outcome.INCONCLUSIVE,
    }


def none_failing(draw: Draw, arm: str) -> tuple[int, int]:
    return sum(arm in ("", tested_example.arm) for tested_example in draw.drawn), 0


def test_all_of_the_data_are_a_plain_sample_whatever_arms_they_were_parted_into() -> None:
    tested = many(20, "difficult") + many(80, "control")
    for sizes, plain in (({"difficult": 20, "control": 80}, True), ({"difficult": 20, "control": 800}, False)):
        draw = Draw(tested, 0.1, Budget(100, ALPHA, ALPHA, sizes), Random(0))
        list(draw.blocks(partial(none_failing, draw)))
        record = present(draw.record(0))
        assert (record.interval is None) is plain


def test_a_check_with_a_budget_tests_less_and_ends_alike() -> None:
    bench = Bench([example(f"a good film {i}") for i in range(300)])
    swap = check(Swap({"good": ["bad"]}), limit=0.2)
    everything, _ = bench.run(swap)
    some, failures = bench.run(swap, budget=Budget(300, ALPHA, ALPHA))
    assert everything.tested == 300
    assert some.tested == len(failures) == 32
    assert some.budget is not None
    assert some.budget.saved == 268
    assert some.arms["all"].drawn == 32
    assert some.interval is not None
    assert some.interval[0] > 0.2


@pytest.mark.parametrize(("most", "drawn"), [(10, 10), (5000, 40)])
def test_a_budget_is_no_more_than_there_is(most: int, drawn: int) -> None:
    draw = Draw(many(40), 0.5, Budget(most, ALPHA, ALPHA), Random(0))
    list(draw.blocks(lambda arm: (len(draw.drawn), len(draw.drawn) // 2)))
    assert len(draw.drawn) == drawn


def test_clusters_are_drawn_whole_and_each_is_one_trial() -> None:
    tested = many(200)
    clusters = {tested_example.example.id: f"c{index % 20}" for index, tested_example in enumerate(tested)}
    draw = Draw(tested, 0.5, Budget(200, ALPHA, ALPHA), Random(0), clusters)
    seen = []
    for block in draw.blocks(lambda arm: (len(draw.drawn), len(draw.drawn) // 2)):
        seen.append(len(block))
        drawn = [clusters[tested_example.example.id] for tested_example in draw.drawn]
        assert all(drawn.count(name) == 10 for name in set(drawn))
        assert draw.largest("") == 10
    assert seen[0] == 40
    assert Draw(tested, 0.5, Budget(200, ALPHA, ALPHA), Random(0)).largest("") == 1


def test_a_cluster_that_fails_whole_is_one_failure_to_a_budget() -> None:
    tested = many(1000)
    clusters = {tested_example.example.id: f"c{index // 100}" for index, tested_example in enumerate(tested)}
    draw = Draw(tested, 0.1, Budget(1000, ALPHA / 10, ALPHA), Random(0), clusters)

    def against(arm: str) -> Evidence:
        return Mean.of(
            {tested_example.example.id: 1.0 for tested_example in draw.drawn}, clusters, draw.largest(arm)
        ).evidence

    list(draw.blocks(lambda arm: (len(draw.drawn), len(draw.drawn)), against))
    assert len(draw.drawn) > 200, "without clusters, 32 failing examples are enough"


def test_a_check_draws_until_so_many_examples_could_be_tested_or_the_data_end() -> None:
    bench = Bench([example(f"a {'good' if i % 4 == 0 else 'long'} film {i}") for i in range(400)])
    arms = dict.fromkeys((bench_example.id for bench_example in bench.examples), "control")
    swap = check(Swap({"good": ["bad"]}), limit=0.2)
    some, _ = bench.run(swap, arms, testable=20)
    assert 20 <= some.tested < 28, "blocks of 32, of which a quarter can be tested"
    assert some.arms["control"].drawn == 96
    everything, _ = bench.run(swap, arms, testable=101)
    assert (everything.tested, everything.arms["control"].drawn) == (100, 400)


def test_other_arms_are_drawn_whole_whatever_number_of_testable_examples_is_wanted() -> None:
    draw = Draw(many(300, "difficult") + many(300, "control"), 0.1, None, Random(0), testable=10)
    list(draw.blocks(lambda arm: (sum(tested_example.arm == arm for tested_example in draw.drawn),) * 2))
    arms = [tested_example.arm for tested_example in draw.drawn]
    assert (arms.count("difficult"), arms.count("control")) == (300, 32 - 300 % 32)


def test_drawing_until_enough_are_testable_leaves_the_rate_unbiased_and_covered() -> None:
    generator = np.random.default_rng(0)
    pool, covered = many(1000, "control"), 0
    rates: list[float] = []
    for _ in range(400):
        testable = dict(
            zip((tested_example.example.id for tested_example in pool), generator.random(1000) < 0.15, strict=True)
        )
        fails = dict(zip(testable, generator.random(1000) < 0.2, strict=True))
        draw = Draw(pool, 0.1, None, Random(0), testable=60)

        def counts(arm: str, draw: Draw = draw, testable: Mapping[str, bool] = testable) -> tuple[int, int]:
            return sum(testable[tested_example.example.id] for tested_example in draw.drawn), 0

        list(draw.blocks(counts))
        tested = [tested_example.example.id for tested_example in draw.drawn if testable[tested_example.example.id]]
        rate = Rate(sum(fails[each] for each in tested), len(tested))
        assert rate.interval is not None
        assert rate.rate is not None
        rates.append(rate.rate)
        covered += rate.interval[0] <= 0.2 <= rate.interval[1]
    assert np.mean(rates) == pytest.approx(0.2, abs=4 * 0.05 / 400**0.5)
    assert covered / 400 >= 0.93


def drawn_from(sizes: Mapping[str, int], fails: Mapping[str, float], seed: int = 0) -> Draw:
    tested = [one for name in sizes for one in many(100, name)]
    draw = Draw(tested, 0.1, Budget(250, ALPHA, ALPHA, sizes), Random(seed))

    def counts(arm: str) -> tuple[int, int]:
        drawn = sum(one.arm == arm for one in draw.drawn)
        return drawn, round(drawn * fails[arm])

    for _ in draw.blocks(counts):
        pass
    return draw


STRATA = {"stratum 1": 100, "stratum 2": 300, "stratum 3": 900}


def test_a_budget_over_strata_asks_some_of_each_in_an_order_that_its_seed_decides() -> None:
    near = {"stratum 1": 0.3, "stratum 2": 0.1, "stratum 3": 0.07}
    draws = [drawn_from(STRATA, near, seed) for seed in (0, 0, 1)]
    ids = [[one.example.id for one in draw.drawn] for draw in draws]
    assert ids[0] == ids[1] != ids[2]
    assert len(set(ids[0])) == len(ids[0]) == draws[0].planned == 250
    assert {one.arm for one in draws[0].drawn[:32]} == set(STRATA)
    assert draws[0].towards.endswith("% of the evidence for passed") or draws[0].towards == ""


def test_where_the_hardest_fail_the_next_blocks_ask_them_until_that_is_certain() -> None:
    draw = drawn_from(STRATA, {"stratum 1": 0.9, "stratum 2": 0.5, "stratum 3": 0.0})
    record = present(draw.record(100))
    assert record.tails[""].side is Outcome.FAILED
    assert record.drawn < 150
    easy = sum(one.arm == "stratum 3" for one in draw.drawn)
    assert easy < record.drawn / 3, "the second block leaves the easiest stratum out"
    assert record.interval is not None
    assert record.interval[0] > 0.1
    assert draw.towards == "100 % of the evidence for failed"
