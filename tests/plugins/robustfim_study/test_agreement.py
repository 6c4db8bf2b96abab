"""``study agreement``: rank correlation and shared examples against closed forms."""

from __future__ import annotations

import numpy as np
import pytest

from robustfim_study.agreement import SHARES, _answer, agree

RANDOM = np.random.default_rng(0)
NUMBERS = RANDOM.permutation(100).astype(np.float64)


def test_a_model_agrees_with_itself_whatever_the_scale() -> None:
    found = agree(("a", "b"), NUMBERS, np.exp(NUMBERS / 10))
    assert found.rho.value == pytest.approx(1)
    assert [(part, both) for part, both, _, _ in found.overlaps] == [(5, 5), (10, 10), (20, 20)]


def test_opposite_difficulties_share_nothing() -> None:
    found = agree(("a", "b"), NUMBERS, -NUMBERS)
    assert found.rho.value == pytest.approx(-1)
    assert [both for _, both, _, _ in found.overlaps] == [0, 0, 0]
    assert all(p == pytest.approx(1) for _, _, _, p in found.overlaps)


def test_the_jaccard_overlap_is_that_of_the_sets() -> None:
    found = agree(("a", "b"), NUMBERS, np.roll(NUMBERS, 1))
    for (part, _, _, _), jaccard in zip(found.overlaps, found.jaccard, strict=True):
        first, second = (set(np.argsort(-values)[:part]) for values in (NUMBERS, np.roll(NUMBERS, 1)))
        assert jaccard == len(first & second) / len(first | second)
    assert agree(("a", "b"), NUMBERS, NUMBERS).jaccard == (1, 1, 1)


def test_chance_is_that_of_draws() -> None:
    share = SHARES[1]
    found = agree(("a", "b"), NUMBERS, np.roll(NUMBERS, 1))
    part, both, chance, p = found.overlaps[1]
    first = set(np.argsort(-NUMBERS)[:part])
    drawn = [len(first & set(RANDOM.permutation(100)[:part])) for _ in range(20_000)]
    assert part == round(share * 100)
    assert chance == pytest.approx(np.mean(drawn), abs=0.03)
    assert p == pytest.approx(np.mean(np.array(drawn) >= both), abs=0.02)


def test_examples_without_a_score_are_left_out() -> None:
    first = np.where(np.arange(100) < 98, NUMBERS, np.nan)
    assert agree(("a", "b"), first, NUMBERS).examples == 98
    assert agree(("a", "b"), first[96:], NUMBERS[96:]).overlaps == ()


@pytest.mark.parametrize(("examples", "told"), [(9, "What is hard for a tends to be hard for b "), (3, "do not show")])
def test_equal_orders_agree_surely_where_chance_would_not_make_them(examples: int, told: str) -> None:
    hard = np.arange(float(examples))
    assert told in _answer([agree(("a", "b"), hard, 2 * hard)])
    assert "tends to be easy" in _answer([agree(("a", "b"), np.arange(9.0), -np.arange(9.0))])
