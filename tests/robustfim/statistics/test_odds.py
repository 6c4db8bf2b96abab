"""The exact test of odds agrees with a literal sum, and without a factor with Fisher's test."""

from __future__ import annotations

from fractions import Fraction
from math import comb

import pytest

from robustfim.statistics.odds import odds_tail


def literal(inside: tuple[int, int], elsewhere: tuple[int, int], odds: int) -> float:
    (x, n), (y, m) = inside, elsewhere
    terms = {
        number: Fraction(comb(n, number) * comb(m, x + y - number) * odds**number)
        for number in range(x + y + 1)
        if number <= n and x + y - number <= m
    }
    return float(sum(value for number, value in terms.items() if number >= x) / sum(terms.values()))


@pytest.mark.parametrize("odds", [1, 2, 5])
@pytest.mark.parametrize("table", [((6, 28), (0, 470)), ((0, 3), (2, 4)), ((5, 5), (9, 40)), ((3, 50), (30, 60))])
def test_the_tail_is_the_literal_sum_over_all_tables_with_the_same_margins(
    table: tuple[tuple[int, int], tuple[int, int]], odds: int
) -> None:
    assert odds_tail(*table, odds) == pytest.approx(literal(*table, odds), rel=1e-9)


def test_without_a_factor_it_is_fishers_exact_test() -> None:
    from scipy.stats import fisher_exact

    expected = fisher_exact([[6, 22], [4, 96]], alternative="greater").pvalue
    assert odds_tail((6, 28), (4, 100)) == pytest.approx(expected, rel=1e-9)


def test_where_nothing_breaks_nothing_is_shown() -> None:
    assert odds_tail((0, 10), (0, 10), 2.0) == pytest.approx(1.0)
