"""Tests of one odds ratio in all sources, against the enumeration of all tables and Fisher's test in scipy."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import comb

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import fisher_exact

from robustfim_cues.sources.heterogeneity import Table, p_value, shortcuts


@st.composite
def tables(draw: st.DrawFn) -> Table:
    size = draw(st.integers(2, 9))
    cue, label = draw(st.integers(1, size)), draw(st.integers(0, size))
    both = draw(st.integers(max(0, cue + label - size), min(cue, label)))
    return both, cue, label, size


def ways(table: Table) -> dict[int, int]:
    """In how many ways each number of examples has both, of these margins."""
    _, cue, label, size = table
    low, high = max(0, cue + label - size), min(cue, label)
    return {both: comb(label, both) * comb(size - label, cue - both) for both in range(low, high + 1)}


def enumerated(here: Table, others: list[Table]) -> Fraction:
    """The share of all sets of tables with these margins and this sum that are no likelier than the one seen."""
    together = here[0] + sum(each[0] for each in others)
    found: dict[int, int] = {}
    for own, *rest in product(ways(here).items(), *(ways(each).items() for each in others)):
        if own[0] + sum(both for both, _ in rest) == together:
            number = own[1]
            for _, way in rest:
                number *= way
            found[own[0]] = found.get(own[0], 0) + number
    return Fraction(sum(n for n in found.values() if n <= found[here[0]]), sum(found.values()))


@settings(max_examples=150, deadline=None)
@given(tables(), st.lists(tables(), min_size=1, max_size=3))
def test_the_p_value_is_that_of_all_tables_with_one_odds_ratio(here: Table, others: list[Table]) -> None:
    assert p_value(here, others) == pytest.approx(float(enumerated(here, others)), abs=1e-6)


@given(tables())
def test_without_other_sources_it_is_fishers(here: Table) -> None:
    both, cue, label, size = here
    table = [[both, cue - both], [label - both, size - cue - label + both]]
    assert p_value(here, []) == pytest.approx(float(fisher_exact(table).pvalue), abs=1e-6)


def test_of_one_odds_ratio_few_p_values_are_small() -> None:
    generator = np.random.default_rng(4)
    small = 0
    for _ in range(600):
        drawn = []
        for size, share, rate in ((80, 0.5, 0.3), (120, 0.3, 0.2), (60, 0.7, 0.4)):
            label = round(size * share)
            odds = rate / (1 - rate) * np.array([3.0, 1.0])
            both, only = generator.binomial([label, size - label], odds / (1 + odds))
            drawn.append((int(both), int(both + only), label, size))
        small += p_value(drawn[0], drawn[1:]) <= 0.05
    assert small / 600 <= 0.05 + 3 * (0.05 * 0.95 / 600) ** 0.5


def counted(*of_cues: tuple[tuple[int, int], ...]) -> np.ndarray[tuple[int, ...], np.dtype[np.int64]]:
    return np.array(of_cues, dtype=np.int64)


def test_a_cue_is_told_with_its_source_label_and_productivity() -> None:
    counts = counted(((30, 0), (8, 9)), ((10, 11), (9, 10)), ((0, 20), (0, 0)))
    found = shortcuts(["here", "nowhere", "alone"], counts, np.array([[100, 100], [100, 100]]))
    here, alone = sorted(found.found, key=lambda each: each.alone)
    assert found.cues == 3
    assert (here.cue, here.source, here.label) == ("here", 0, 0)
    assert (here.here, here.elsewhere) == ((30, 30, 100, 200), (8, 17, 100, 200))
    assert (here.productivity, here.productivity_elsewhere) == (1.0, 8 / 17)
    assert (alone.cue, alone.source, alone.label, alone.productivity) == ("alone", 0, 1, 1.0)
    assert alone.productivity_elsewhere is None
    assert here.p_value == pytest.approx(p_value((30, 30, 100, 200), [(8, 17, 100, 200)]))
    assert here.p_value <= here.adjusted <= 0.05


def test_rare_cues_are_not_tested_and_of_three_sources_each_is_asked() -> None:
    rare = shortcuts(["rare"], counted(((2, 2), (1, 1))), np.array([[50, 50], [50, 50]]))
    assert (rare.cues, rare.found) == (0, ())
    counts = counted(((20, 20), (22, 19), (40, 2)))
    (found,) = shortcuts(["third"], counts, np.array([[100, 100]] * 3)).found
    assert (found.source, found.label) == (2, 0)
    raw = min(
        p_value((20, 40, 100, 200), [(22, 41, 100, 200), (40, 42, 100, 200)]),
        p_value((22, 41, 100, 200), [(20, 40, 100, 200), (40, 42, 100, 200)]),
        p_value((40, 42, 100, 200), [(20, 40, 100, 200), (22, 41, 100, 200)]),
    )
    assert found.p_value == pytest.approx(min(1, 3 * raw))
