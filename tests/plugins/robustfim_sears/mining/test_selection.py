from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations
from math import e

import pytest
from hypothesis import given
from hypothesis import strategies as st

from robustfim_sears.mining.selection import Cover, gain, select

COVERS = st.lists(
    st.dictionaries(st.integers(0, 6), st.sampled_from([0.125, 0.25, 0.5, 0.75, 1.0]), max_size=5), max_size=6
)
"""Scores that binary fractions hold exactly: sums do not depend on their order."""


def best(covers: list[dict[int, float]], number: int) -> float:
    """The value of the best rules, by trying all sets."""
    sets = (chosen for size in range(number + 1) for chosen in combinations(covers, size))
    return max(literal(chosen) for chosen in sets)


def literal(covers: Iterable[Cover]) -> float:
    """Σ_x max_r S(x, r(x)), as the formula is written."""
    listed = list(covers)
    return sum(max((cover.get(text, 0.0) for cover in listed), default=0.0) for text in range(7))


def greedy(covers: list[dict[int, float]], number: int, chosen: list[int], refused: list[int]) -> list[int]:
    """Plain greedy search: every gain is computed again in each step."""
    found = [*chosen]
    while len(found) < number:
        now = literal(covers[each] for each in found)
        gains = [
            (literal(covers[each] for each in (*found, index)) - now, -index)
            for index in range(len(covers))
            if index not in found and index not in refused
        ]
        if not gains or max(gains)[0] <= 0:
            break
        found.append(-max(gains)[1])
    return found


@given(COVERS, st.integers(0, 4))
def test_the_selection_is_that_of_plain_greedy_search_and_near_the_best(
    covers: list[dict[int, float]], number: int
) -> None:
    found = select(covers, number)
    assert found == greedy(covers, number, [], [])
    assert literal(covers[index] for index in found) >= (1 - 1 / e) * best(covers, number)


@given(COVERS, st.integers(0, 4), st.integers(0, 5), st.integers(0, 5))
def test_chosen_rules_stay_and_refused_ones_do_not_come(
    covers: list[dict[int, float]], number: int, chosen: int, refused: int
) -> None:
    kept = [chosen] if chosen < len(covers) and number else []
    out = [refused] if refused != chosen else []
    found = select(covers, number, chosen=kept, refused=out)
    assert found == greedy(covers, number, kept, out)
    assert found[: len(kept)] == kept
    assert not set(found) & set(out)


def test_greedy_search_is_not_always_best_and_the_bound_holds() -> None:
    covers = [{0: 1.0, 1: 1.0, 2: 1.0, 3: 1.0}, {0: 1.0, 1: 1.0, 4: 1.0}, {2: 1.0, 3: 1.0, 5: 1.0}]
    assert select(covers, 2) == [0, 1]
    assert (literal([covers[0], covers[1]]), best(covers, 2)) == (5.0, 6.0)


def test_a_gain_counts_what_is_better_than_before() -> None:
    assert gain({0: 0.5, 1: 1.0}, {0: 0.75, 1: 0.25}) == pytest.approx(0.75)
    assert select([{0: 0.5}, {0: 0.5}], 2) == [0]
