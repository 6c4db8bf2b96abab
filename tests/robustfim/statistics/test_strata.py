import math

import numpy as np
import pytest
from scipy.stats import norm

from robustfim.statistics.strata import STRATA, allocation, next_block


@pytest.mark.parametrize(
    ("number", "wanted"), [(4000, 200), (200, 150), (100_000, 400), (480, 60), (50, 400), (7, 6), (63, 63), (1, 60)]
)
def test_strata_part_the_data_and_as_many_are_drawn_as_wanted_or_there_are(number: int, wanted: int) -> None:
    parts = allocation(number, wanted)
    assert sum(size for size, _ in parts) == number
    assert sum(drawn for _, drawn in parts) == min(number, wanted)
    assert all(0 < drawn <= size for size, drawn in parts)


def test_each_stratum_is_twice_as_large_as_the_one_before_and_drawn_by_the_power_of_two_thirds() -> None:
    parts = allocation(63_000, 2000)
    assert [size for size, _ in parts] == [1000, 2000, 4000, 8000, 16_000, 32_000]
    shares = [size ** (2 / 3) for size, _ in parts]
    assert [drawn for _, drawn in parts] == pytest.approx([2000 * fraction / sum(shares) for fraction in shares], abs=2)


def test_what_a_small_stratum_does_not_hold_is_drawn_from_the_others() -> None:
    assert allocation(200, 190)[:3] == [(3, 3), (7, 7), (12, 12)]


@pytest.mark.parametrize(
    ("base", "auroc", "most"),
    [(0.02, 0.9, 1.12), (0.1, 0.85, 1.05), (0.1, 0.9, 1.08), (0.3, 0.8, 1.05), (0.1, 0.6, 1.05), (0.1, 0.5, 1.06)],
)
def test_the_error_of_the_estimate_is_close_to_that_of_neymans_allocation(
    base: float, auroc: float, most: float
) -> None:
    random = np.random.default_rng(1)
    fails = random.random(400_000) < base
    score = random.normal(size=len(fails)) + math.sqrt(2) * norm.ppf(auroc) * fails
    sizes, drawn = (np.array(each) for each in zip(*allocation(len(fails), 6000), strict=True))
    rates = [part.mean() for part in np.split(fails[np.argsort(-score)], np.cumsum(sizes)[:-1])]
    weights, spread = sizes / len(fails), np.sqrt(np.multiply(rates, np.subtract(1, rates)))
    ours = math.sqrt(float(np.sum((weights * spread) ** 2 / (drawn / drawn.sum()))))
    assert len(sizes) == STRATA
    assert ours / float(np.sum(weights * spread)) <= most


def test_blocks_are_in_proportion_to_the_draw_hold_some_of_each_and_end_with_it() -> None:
    drawn, taken = [12, 18, 30, 47, 75, 118], [0] * 6
    blocks = []
    while sum(taken) < sum(drawn):
        block = next_block(drawn, taken, 300 - sum(taken))
        taken = [gone + part for gone, part in zip(taken, block, strict=True)]
        blocks.append(block)
    assert taken == drawn
    assert all(min(block) >= 1 and 32 <= sum(block) <= 34 for block in blocks)
    assert blocks[0] == [1, 2, 4, 5, 9, 13]


def test_a_small_stratum_makes_blocks_larger_and_a_budget_ends_them() -> None:
    block = next_block([2, 60, 100], [0, 0, 0], 100)
    assert sum(block) == 50
    assert block[0] == 1
    assert next_block([2, 60, 100], [2, 60, 100], 10) == [0, 0, 0]
    assert sum(next_block([2, 60, 100], [0, 0, 0], 7)) == 7
    assert next_block([2, 60, 100], [0, 0, 0], 2) == [0, 0, 0]
    assert next_block([297, 593, 1978], [0, 0, 0], 3) == [1, 1, 1], "never more than the budget allows"


def test_failures_are_hunted_in_all_but_the_easiest_stratum_while_a_quarter_of_each_stays() -> None:
    drawn, taken = [12, 18, 30, 47, 75, 118], [0] * 6
    for _ in range(3):
        block = next_block(drawn, taken, 300, hunts=True)
        assert block == [3, 3, 3, 3, 4, 0]
        taken = [gone + part for gone, part in zip(taken, block, strict=True)]
    assert next_block(drawn, taken, 300, hunts=True)[-1] > 0, "the hardest has three of twelve left"
    assert next_block([500], [0], 300, hunts=True) == [34]


@pytest.mark.parametrize("hunts", [False, True])
def test_a_block_takes_no_more_of_a_stratum_than_is_left_of_it_and_ends_with_all(hunts: bool) -> None:
    random = np.random.default_rng(4)
    for _ in range(200):
        drawn = random.integers(0, 60, int(random.integers(1, 7))).tolist()
        taken = [0] * len(drawn)
        while sum(taken) < sum(drawn):
            block = next_block(drawn, taken, 1000, hunts=hunts)
            assert sum(block) > 0
            taken = [gone + part for gone, part in zip(taken, block, strict=True)]
            assert all(gone <= number for gone, number in zip(taken, drawn, strict=True))
        assert next_block(drawn, taken, 1000, hunts=hunts) == [0] * len(drawn)
