import numpy as np
import pytest
from scipy.stats import beta, betabinom

from robustfim.statistics.stratified import Stratum, stratified_rate


def test_two_arms_are_weighted_by_what_they_stand_for() -> None:
    # 100 difficult examples, all tested, 60 fail; 50 of the other 900 drawn and tested, 5 fail.
    found = stratified_rate([Stratum(100, 100, 100, 60), Stratum(900, 50, 50, 5)])
    assert found is not None
    assert found[0] == pytest.approx((60 + 900 * 0.1) / 1000)
    assert found[1][0] < found[0] < found[1][1]


def test_a_census_has_no_interval() -> None:
    assert stratified_rate([Stratum(40, 40, 20, 5)]) == (0.25, (0.25, 0.25))


def test_a_small_sample_of_much_data_has_jeffreys_interval() -> None:
    found = stratified_rate([Stratum(10**9, 200, 200, 30)])
    assert found is not None
    assert found[1] == pytest.approx(beta(30.5, 170.5).ppf([0.025, 0.975]), abs=2e-3)


def test_clusters_widen_the_interval_to_that_of_what_they_are_worth() -> None:
    found = stratified_rate([Stratum(10**9, 200, 200, 30, effect=4.0)])
    assert found is not None
    assert found[0] == 0.15
    assert found[1] == pytest.approx(beta(8, 43).ppf([0.025, 0.975]), abs=8e-3)


def test_of_a_part_that_was_drawn_by_half_the_other_half_is_uncertain() -> None:
    # All can be tested: of 200 others F fail, and F is beta-binomial with the posterior of 30 of 200.
    found = stratified_rate([Stratum(400, 200, 200, 30)])
    expected = (30 + betabinom(200, 30.5, 170.5).ppf([0.025, 0.975])) / 400
    assert found is not None
    assert found[1] == pytest.approx(expected, abs=4e-3)


def test_where_all_that_was_tested_fails_the_interval_ends_at_1_unless_all_was_drawn() -> None:
    rates = [stratified_rate([Stratum(size, 10, 10, 10), Stratum(5, 5, 0, 0)]) for size in (10, 900)]
    assert [found and found[1][1] for found in rates] == [1.0, 1.0]
    assert [found and found[1][0] < 1 for found in rates] == [False, True]


def test_one_tested_example_tells_next_to_nothing_of_the_others() -> None:
    # The difficult arm is drawn whole and has one testable example, which fails; of 762 others nothing is known.
    found = stratified_rate([Stratum(100, 100, 1, 1), Stratum(962, 200, 0, 0)])
    assert found is not None
    rate, (low, high) = found
    assert (rate, high) == (1, 1)
    assert low < 0.3


def test_where_nothing_fails_the_interval_begins_at_0_and_says_how_little_was_tested() -> None:
    few, many = stratified_rate([Stratum(1000, 100, 5, 0)]), stratified_rate([Stratum(1000, 100, 90, 0)])
    assert few is not None
    assert many is not None
    assert few[1][0] == many[1][0] == 0
    assert few[1][1] > 5 * many[1][1]


def test_examples_that_cannot_be_tested_do_not_count() -> None:
    # In the difficult part half of the examples hold a name, in the other a tenth of the drawn.
    found = stratified_rate([Stratum(100, 100, 50, 50), Stratum(1000, 100, 10, 0)])
    assert found is not None
    assert found[0] == pytest.approx(50 / (50 + 100))


@pytest.mark.parametrize("strata", [[], [Stratum(10, 10, 0, 0)], [Stratum(10, 10, 10, 1), Stratum(90, 0, 0, 0)]])
def test_without_a_sample_of_every_part_there_is_no_estimate(strata: list[Stratum]) -> None:
    assert stratified_rate(strata) is None


def test_an_empty_part_of_the_data_changes_nothing() -> None:
    assert stratified_rate([Stratum(10, 10, 10, 1), Stratum(0, 0, 0, 0)]) == (0.1, (0.1, 0.1))


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
        drawn = difficult + generator.permutation(size - difficult)[:control]
        strata = [
            Stratum(difficult, difficult, int(can[:difficult].sum()), int(fails[:difficult].sum())),
            Stratum(size - difficult, control, int(can[drawn].sum()), int(fails[drawn].sum())),
        ]
        found = stratified_rate(strata)
        if found is not None:
            true = fails.sum() / can.sum()
            runs += 1
            below += bool(true < found[1][0])
            above += bool(true > found[1][1])
    assert (below + above) / runs <= 0.07
    # A side that misses its nominal 2.5 % of 200 runs does so in more than 12 with a probability of 0.2 % (binomial).
    assert max(below, above) / runs <= 0.06
