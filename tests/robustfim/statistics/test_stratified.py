from random import Random

import numpy as np
import pytest
from scipy.stats import beta, hypergeom, norm

from robustfim.outcome import Outcome
from robustfim.statistics import Tail, tail, wilson
from robustfim.statistics.strata import allocation
from robustfim.statistics.stratified import Stratum, design_effect, stratified_more, stratified_rate, stratified_tail
from tests.present import present


def test_two_arms_are_weighted_by_what_they_stand_for() -> None:
    # 100 difficult examples, all tested, 60 fail; 50 of the other 900 drawn and tested, 5 fail.
    found = present(stratified_rate([Stratum(100, 100, 100, 60), Stratum(900, 50, 50, 5)]))
    assert found[0] == pytest.approx((60 + 900 * 0.1) / 1000)
    assert found[1][0] < found[0] < found[1][1]


def test_a_census_leaves_no_doubt_of_the_file_and_the_usual_one_of_the_population() -> None:
    census = [Stratum(40, 40, 40, 5)]
    assert stratified_rate(census, of_file=True) == (0.125, (0.125, 0.125))
    found = present(stratified_rate(census))
    assert found[1] == pytest.approx((beta(5, 36).ppf(0.025), beta(6, 35).ppf(0.975)), abs=3e-3)


@pytest.mark.parametrize("size", [200, 400, 10**9])
def test_the_interval_of_the_population_is_clopper_and_pearsons_however_large_the_data_are(size: int) -> None:
    found = present(stratified_rate([Stratum(size, 200, 200, 30)]))
    assert found[1] == pytest.approx((beta(30, 171).ppf(0.025), beta(31, 170).ppf(0.975)), abs=2e-3)


def test_of_a_part_that_was_drawn_by_half_the_interval_of_the_file_is_the_hypergeometric_one() -> None:
    # Its ends are the numbers of failing ones among 400 with which 30 or more, or 30 or fewer, of 200 are too rare.
    found = present(stratified_rate([Stratum(400, 200, 200, 30)], of_file=True))
    held = [each for each in range(30, 231) if hypergeom(400, each, 200).sf(29) > 0.025]
    held = [each for each in held if hypergeom(400, each, 200).cdf(30) > 0.025]
    assert found[1] == pytest.approx((held[0] / 400, held[-1] / 400), abs=3e-3)


@pytest.mark.parametrize(("failing", "limit"), [(30, 0.1), (30, 0.25), (30, 0.15), (0, 0.03), (50, 0.9)])
def test_the_verdict_on_one_part_is_the_exact_one(failing: int, limit: float) -> None:
    found, exact = stratified_tail([Stratum(900, 50, 50, failing)], limit), tail(failing, 50, limit)
    assert found.side is exact.side
    assert found.p_value == pytest.approx(exact.p_value, abs=2e-3)


def test_a_rate_of_the_file_that_equals_its_limit_is_within_it_and_one_example_more_is_not() -> None:
    within, above = (stratified_tail([Stratum(480, 480, 480, each)], 0.05, of_file=True) for each in (24, 25))
    assert (within.side, within.p_value, above.side, above.p_value) == (Outcome.PASSED, 0, Outcome.FAILED, 0)


def test_a_difficult_arm_that_fails_often_does_not_fail_the_population() -> None:
    # 31 of 200 tested examples fail, 15.5 %, and 3.6 % of the 1,000 that they stand for.
    arms = [Stratum(100, 100, 100, 30), Stratum(900, 100, 100, 1)]
    found = present(stratified_rate(arms))
    assert found[0] == pytest.approx(0.039)
    assert stratified_tail(arms, 0.05).side is Outcome.INCONCLUSIVE
    assert tail(31, 200, 0.05).side is Outcome.FAILED


def test_where_all_that_was_tested_fails_the_interval_ends_at_1_and_begins_there_if_all_was_drawn() -> None:
    rates = [stratified_rate([Stratum(size, 10, 10, 10), Stratum(5, 5, 0, 0)], of_file=True) for size in (10, 900)]
    assert [found and found[1][1] for found in rates] == [1.0, 1.0]
    assert [found and found[1][0] < 1 for found in rates] == [False, True]


def test_one_tested_example_tells_next_to_nothing_of_the_others() -> None:
    # The difficult arm is drawn whole and has one testable example, which fails; of 762 others nothing is known.
    found = present(stratified_rate([Stratum(100, 100, 1, 1), Stratum(962, 200, 0, 0)]))
    rate, (low, high) = found
    assert (rate, high) == (1, 1)
    assert low < 0.3


def test_where_nothing_fails_the_interval_begins_at_0_and_says_how_little_was_tested() -> None:
    few, many = (present(stratified_rate([Stratum(1000, 100, tested, 0)])) for tested in (5, 90))
    assert few[1][0] == many[1][0] == 0
    assert few[1][1] > 5 * many[1][1]


def test_examples_that_cannot_be_tested_do_not_count() -> None:
    # In the difficult part half of the examples hold a name, in the other a tenth of the drawn.
    found = present(stratified_rate([Stratum(100, 100, 50, 50), Stratum(1000, 100, 10, 0)]))
    assert found[0] == pytest.approx(50 / (50 + 100))


def test_an_empty_part_of_the_data_changes_nothing() -> None:
    assert stratified_rate([Stratum(10, 10, 10, 1), Stratum(0, 0, 0, 0)], of_file=True) == (0.1, (0.1, 0.1))


def two_arms(
    can: np.ndarray, fails: np.ndarray, difficult: int, control: int, generator: np.random.Generator
) -> list[Stratum]:
    """The first examples, and so many of the others, of which some can be tested and some of these fail."""
    arms = [np.arange(difficult), difficult + generator.permutation(len(can) - difficult)[:control]]
    sizes = (difficult, len(can) - difficult)
    return [
        Stratum(size, len(drawn), int(can[drawn].sum()), int(fails[drawn].sum()))
        for size, drawn in zip(sizes, arms, strict=True)
    ]


@pytest.mark.slow  # a simulation
@pytest.mark.parametrize(
    ("easy", "hard", "testable"),
    [
        (0.1, 0.5, 0.5),
        (0.01, 0.02, 0.3),  # failures are rare
        *(
            pytest.param(*each, marks=pytest.mark.slow)
            for each in [
                (0.02, 0.6, 1.0),
                (0.3, 0.9, 0.8),
                (0.005, 0.02, 1.0),
                (0.05, 0.3, 0.02),  # few examples can be tested
                (0.3, 0.9, 0.01),
            ]
        ),
    ],
)
@pytest.mark.usefixtures("few_draws")
def test_the_interval_holds_the_rate_of_all_the_data_in_at_least_93_of_100_runs_and_misses_on_both_sides(
    easy: float, hard: float, testable: float
) -> None:
    generator, size, difficult, control = np.random.default_rng(0), 1000, 100, 200
    below = above = runs = 0
    for _ in range(200):
        # The harder an example looks, the likelier it fails; the score is what selects.
        score = np.sort(generator.random(size))[::-1]
        can = generator.random(size) < testable
        fails = can & (generator.random(size) < easy + (hard - easy) * score**4)
        strata = two_arms(can, fails, difficult, control, generator)
        found = stratified_rate(strata, of_file=True)
        if found is not None:
            true = fails.sum() / can.sum()
            runs += 1
            below += bool(true < found[1][0])
            above += bool(true > found[1][1])
    assert (below + above) / runs <= 0.07
    # A side that misses its nominal 2.5 % of 200 runs does so in more than 12 with a probability of 0.2 % (binomial).
    assert max(below, above) / runs <= 0.06


@pytest.mark.parametrize(
    ("size", "difficult", "control", "hard", "easy", "testable"),
    [
        (1000, 100, 100, 0.3, 0.01, (1.0, 1.0)),
        *(
            pytest.param(*each, marks=pytest.mark.slow)
            for each in [
                (1000, 500, 100, 0.2, 0.05, (1.0, 1.0)),
                (5000, 100, 100, 0.5, 0.05, (1.0, 1.0)),
                (1000, 100, 400, 0.3, 0.02, (1.0, 1.0)),
                (1000, 100, 100, 0.6, 0.1, (0.5, 0.3)),
                (600, 100, 100, 0.15, 0.005, (1.0, 1.0)),
                (1000, 100, 100, 0.3, 0.05, (0.8, 0.1)),
            ]
        ),
    ],
)
@pytest.mark.usefixtures("few_draws")
def test_a_limit_that_is_just_the_populations_rate_is_passed_or_failed_in_at_most_25_of_1000_runs_each(
    size: int, difficult: int, control: int, hard: float, easy: float, testable: tuple[float, float]
) -> None:
    generator, runs = np.random.default_rng(0), 400
    share = difficult / size
    whole = share * testable[0] + (1 - share) * testable[1]
    limit = (share * testable[0] * hard + (1 - share) * testable[1] * easy) / whole
    wrong = dict.fromkeys(Outcome, 0)
    for _ in range(runs):
        # So many of the data are of the hard kind; the difficult arm takes as many as there are, or all of it is hard.
        kind = np.arange(size) < generator.binomial(size, share)
        rate = np.where(kind, hard, easy)
        can = generator.random(size) < np.where(kind, *testable)
        fails = can & (generator.random(size) < rate)
        strata = two_arms(can, fails, difficult, control, generator)
        wrong[stratified_tail(strata, limit).side] += 1
    # With 2.5 % of 400, more than 18 come with a probability of 0.6 %.
    assert max(wrong[Outcome.FAILED], wrong[Outcome.PASSED]) <= 18


def decided(limit: float, side: Outcome, runs: int, part: float = 1.0) -> float:
    """How often an outcome is decided after a part of what is said to be needed more."""
    more = present(stratified_more((Stratum(500, 50, 50, 15), Stratum(4500, 50, 50, 1)), limit))
    times, random, found = part * (1 + more / 100), np.random.default_rng(0), 0
    drawn, whole = round(50 * times), round(5000 * times)
    for _ in range(runs):
        difficult = int(random.binomial(whole, 0.1))
        counts = [int(random.binomial(drawn, each)) for each in (0.3, 0.02)]
        sizes = (difficult, whole - difficult)
        strata = [Stratum(size, drawn, drawn, failing) for size, failing in zip(sizes, counts, strict=True)]
        found += stratified_tail(strata, limit).side is side
    return found / runs


@pytest.mark.usefixtures("few_draws")
def test_so_many_more_examples_in_two_arms_decide_in_four_of_five_cases_and_hardly_more_are_needed() -> None:
    assert decided(0.1, Outcome.PASSED, 300) >= 0.78 - 2 * 0.024  # two standard errors of 300 runs
    assert decided(0.03, Outcome.FAILED, 200) >= 0.78 - 2 * 0.03  # of 200 runs
    assert decided(0.03, Outcome.FAILED, 200, part=0.5) <= 0.6


def test_of_the_file_alone_all_of_it_decides() -> None:
    few = (Stratum(100, 50, 50, 6), Stratum(100, 50, 50, 4))
    assert stratified_more(few, 0.102, of_file=True) == 100
    assert (stratified_more(few, 0.102) or 1e9) > 10_000


def test_the_design_effect_is_the_variance_of_the_estimate_to_that_of_a_plain_draw_in_simulation() -> None:
    sizes, drawn, rates, random = (200, 1800), (100, 100), (0.4, 0.05), np.random.default_rng(7)
    told = design_effect(
        [
            Stratum(size, number, number, round(rate * number))
            for size, number, rate in zip(sizes, drawn, rates, strict=True)
        ]
    )
    share = sizes[0] / sum(sizes)
    parts, shares = (
        random.binomial(drawn, rates, size=(200_000, 2)) / drawn,
        random.binomial(2000, share, 200_000) / 2000,
    )
    ours = float(np.var(shares * parts[:, 0] + (1 - shares) * parts[:, 1]))  # the data are a sample, too
    rate = share * rates[0] + (1 - share) * rates[1]
    plain = float(np.var(random.binomial(sum(drawn), rate, size=200_000) / sum(drawn)))
    assert told == pytest.approx(ours / plain, rel=0.05)


def test_over_many_parts_the_interval_is_wilsons_at_what_the_parts_are_worth() -> None:
    strata = [Stratum(100, 20, 16, 8), Stratum(300, 30, 30, 3), Stratum(600, 40, 36, 0)]
    totals = np.array([100 * 16 / 20, 300.0, 600 * 36 / 40])
    weights = totals / totals.sum()
    near = np.array([8.5 / 17, 3.5 / 31, 0.5 / 37])
    mean = weights @ near
    variance = (weights**2) @ (near * (1 - near) / [16, 30, 36])
    variance += (weights**2) @ ((near - mean) ** 2 * [(1 - 0.8) / (0.8 * 20), 0, (1 - 0.9) / (0.9 * 40)])
    variance += weights @ (near - mean) ** 2 / totals.sum()
    worth = mean * (1 - mean) / variance
    rate = float(weights @ [8 / 16, 3 / 30, 0])
    found = present(stratified_rate(strata))
    assert found[0] == pytest.approx(rate)
    assert found[1] == pytest.approx(wilson(rate * worth, worth))
    for limit, side in ((0.02, Outcome.FAILED), (0.5, Outcome.PASSED), (0.08, Outcome.INCONCLUSIVE)):
        assert stratified_tail(strata, limit).side is side
    z = (0.5 - rate) / np.sqrt(0.5 * 0.5 / worth)
    assert stratified_tail(strata, 0.5).p_value == pytest.approx(norm.sf(z))


@pytest.mark.parametrize(("base", "drawn"), [(0.01, 100), (0.01, 300), (0.02, 300)])
def test_over_many_parts_a_rate_at_its_limit_seldom_fails_at_the_level_of_ten_checks(base: float, drawn: int) -> None:
    sizes, draws = (np.array(each) for each in zip(*allocation(4000, drawn), strict=True))
    rates = np.minimum(1.0, base * np.array([14, 8, 4, 2, 1, 0.1]))
    rates = rates * base / (sizes @ rates / 4000)
    random = np.random.default_rng(2)
    held = random.binomial(sizes, rates, size=(1500, 6))
    found = random.hypergeometric(held, sizes - held, draws)
    kinds, times = np.unique(found, axis=0, return_counts=True)
    strata = [[Stratum(*map(int, each)) for each in zip(sizes, draws, draws, row, strict=True)] for row in kinds]
    tails = [stratified_tail(stratum, base) for stratum in strata]
    wrong = np.array([each.side is Outcome.FAILED and each.p_value <= 0.025 / 10 for each in tails])
    assert wrong @ times / 1500 <= 0.0025 + 3 * np.sqrt(0.0025 / 1500)


@pytest.mark.parametrize("limit", [0.04, 0.05, 0.06])
def test_over_many_parts_the_p_value_of_failed_is_the_chance_of_a_rate_within_the_limit(limit: float) -> None:
    strata = [Stratum(100, 44, 40, 12), Stratum(300, 60, 60, 9), Stratum(600, 90, 80, 7)]
    random, within, draws = Random(7), 0, 40_000
    for _ in range(draws):
        failing = testable = 0.0
        for stratum in strata:
            left = stratum.drawn - stratum.tested
            size = random.gammavariate(stratum.size, 1) * random.betavariate(stratum.tested + 0.5, left + 0.5)
            failing += size * random.betavariate(stratum.failing, stratum.tested - stratum.failing + 1)
            testable += size
        within += failing <= limit * testable
    found = stratified_tail(strata, limit)
    literal = within / draws
    assert found.side is Outcome.FAILED
    assert found.p_value == pytest.approx(literal, abs=4 * (literal / 13_000) ** 0.5 + 1e-4), (
        "of 20,000 and 40,000 draws"
    )


def test_many_parts_that_were_drawn_whole_leave_no_doubt_of_the_file() -> None:
    strata = [Stratum(10, 10, 10, 5), Stratum(20, 20, 20, 2), Stratum(40, 40, 40, 0)]
    found = present(stratified_rate(strata, of_file=True))
    assert found[0] == found[1][0] == found[1][1] == pytest.approx(0.1)
    assert stratified_tail(strata, 0.1, of_file=True).side is Outcome.PASSED
    assert stratified_tail(strata, 0.09, of_file=True).side is Outcome.FAILED
    assert stratified_tail(strata, 0.1).side is Outcome.INCONCLUSIVE


@pytest.mark.parametrize(("base", "auroc", "drawn"), [(0.1, 0.9, 200), (0.3, 0.85, 100), (0.02, 0.9, 400)])
def test_a_limit_that_is_the_rate_is_seldom_passed_or_failed_by_a_draw_from_strata(
    base: float, auroc: float, drawn: int
) -> None:
    random, runs, number = np.random.default_rng(5), 4000, 4000
    fails = random.random(400_000) < base
    order = np.argsort(-(random.normal(size=len(fails)) + np.sqrt(2) * norm.ppf(auroc) * fails))
    sizes, draws = zip(*allocation(number, drawn), strict=True)
    ends = np.cumsum(sizes)[:-1] * len(fails) // number
    rates = [part.mean() for part in np.split(fails[order], ends)]
    rate = float(np.dot(rates, sizes) / number)
    held = random.binomial(sizes, rates, size=(runs, len(sizes)))
    failing = random.hypergeometric(held, np.subtract(sizes, held), draws)
    tails = [
        stratified_tail(tuple(Stratum(*each) for each in zip(sizes, draws, draws, map(int, row), strict=True)), rate)
        for row in failing
    ]
    sides = [each.side if each.p_value <= 0.025 else Outcome.INCONCLUSIVE for each in tails]
    # 2.5 % on each side, of 4,000 runs: one standard error is 0.25 points.
    assert sides.count(Outcome.PASSED) / runs <= 0.033
    assert sides.count(Outcome.FAILED) / runs <= 0.033
    assert sides.count(Outcome.INCONCLUSIVE) / runs <= 0.985


@pytest.mark.parametrize(
    "strata",
    [
        [],
        [Stratum(10, 10, 0, 0)],
        *([Stratum(10, 10, 10, failing), Stratum(90, 0, 0, 0)] for failing in (1, 9)),
        [Stratum(10, 10, 0, 0)] * 3,
    ],
)
def test_without_a_sample_of_every_part_there_is_no_estimate_and_nothing_is_proved(strata: list[Stratum]) -> None:
    assert stratified_rate(strata) is None
    assert stratified_tail(strata, 0.1) == Tail(Outcome.INCONCLUSIVE, 1.0)


@pytest.mark.parametrize(
    "parts",
    [
        [(400, 6, 2, 1), (100, 5, 4, 1)],
        [(30, 30, 9, 2), (300, 8, 5, 0)],
        [(60, 9, 3, 3)],
        [(50, 10, 10, 5), (500, 9, 0, 0)],
    ],
)
@pytest.mark.parametrize("of_file", [False, True])
def test_of_few_examples_the_interval_is_that_of_the_distributions_that_are_said(
    parts: list[tuple[int, int, int, int]], of_file: bool
) -> None:
    random, number, ends = np.random.default_rng(8), 200_000, []
    for upper in (0, 1):
        weights = random.dirichlet([size for size, *_ in parts], number).T
        failing, testable = np.zeros(number), np.zeros(number)
        for weight, (size, drawn, tested, bad) in zip(weights, parts, strict=True):
            share = random.beta(tested + 0.5, drawn - tested + 0.5, number)
            shape = bad + upper, tested - bad + 1 - upper
            rate = random.beta(*shape, number) if min(shape) else np.full(number, upper)
            more = random.binomial(size - drawn, share)
            testable += tested + more if of_file else weight * share
            failing += bad + random.binomial(more, rate) if of_file else weight * share * rate
        ends.append(float(np.quantile(failing / testable, 0.975 if upper else 0.025)))
    found = present(stratified_rate([Stratum(*part) for part in parts], of_file=of_file))
    assert found[1] == pytest.approx((min(ends[0], found[0]), max(ends[1], found[0])), abs=0.012)


@pytest.mark.slow
@pytest.mark.parametrize(("limit", "number"), [(0.1, 60), (0.05, 300)])
def test_a_limit_that_is_the_rate_seldom_passes_where_the_hardest_stratum_fails_whole(
    limit: float, number: int
) -> None:
    sizes, drawn = (np.array(each) for each in zip(*allocation(4000, number), strict=True))
    weights, runs = sizes / sizes.sum(), 20_000
    rates = np.full(len(sizes), (limit - weights[0]) / weights[1:].sum())
    rates[0] = 1.0
    assert weights @ rates == pytest.approx(limit)
    draws = np.random.default_rng(5).binomial(drawn, rates, size=(runs, len(sizes)))
    passed = 0
    for row, times in zip(*np.unique(draws, axis=0, return_counts=True), strict=True):
        if (weights * row / drawn).sum() < limit:
            strata = [Stratum(*map(int, each)) for each in zip(sizes, drawn, drawn, row, strict=True)]
            passed += int(times) * (stratified_tail(strata, limit).side is Outcome.PASSED)
    assert passed / runs <= 0.025, "the plain score test: 3.0 and 2.8 %"
