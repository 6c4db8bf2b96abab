"""``study contrast``: pairs are found, and compared as written down by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.stats import norm

from robustfim.errors import DataError
from robustfim.example import Example
from robustfim_study import contrast
from robustfim_study.contrast import difference, overlap, paired

ROWS = [("a", "original"), ("a", "edit"), ("b", "edit"), ("b", "original"), ("b", "edit"), ("c", "original")]
EXAMPLES = [
    Example({"text": f"text {row}"}, meta={"pair": pair, "role": role}) for row, (pair, role) in enumerate(ROWS)
]


def test_the_first_row_of_a_pair_is_its_original_where_no_column_tells() -> None:
    assert paired(EXAMPLES, "pair", None, None) == ([(0, 1), (2, 3), (2, 4)], 1)


def test_a_column_can_tell_the_original() -> None:
    assert paired(EXAMPLES, "pair", "role", "original") == ([(0, 1), (3, 2), (3, 4)], 1)


@pytest.mark.parametrize(
    ("pair", "role", "original", "told"),
    [
        ("pairs", None, None, "no column 'pairs'. Did you mean 'pair'"),
        ("pair", "rolle", "original", "no column 'rolle'. Did you mean 'role'"),
        ("pair", "role", "first", "whose 'role' is 'first'"),
    ],
)
def test_what_makes_no_pairs_is_refused(pair: str, role: str | None, original: str | None, told: str) -> None:
    with pytest.raises(DataError, match=told):
        paired(EXAMPLES, pair, role, original)
    with pytest.raises(DataError, match="text and label only"):
        paired([Example({"text": "a"})], pair, role, original)


def test_the_overlap_of_two_normal_densities_is_that_of_the_closed_form() -> None:
    # Two unit normals a distance d apart overlap by 2 Φ(−d/2); the kernel widens each a little.
    values = norm.ppf((np.arange(4000) + 0.5) / 4000)
    for distance in (0.0, 1.0, 3.0):
        assert overlap(values, values + distance) == pytest.approx(2 * norm.cdf(-distance / 2), abs=0.02)
    assert math.isnan(overlap(np.ones(9), values))


def test_a_difference_is_that_of_the_numbers() -> None:
    before, after = np.array([1.0, 2.0, 3.0, np.nan]), np.array([2.0, 2.0, 7.0, 1.0])
    found = difference("Δ", before, after, 1)
    assert (found.pairs, found.changed, found.harder) == (3, 2, 2)
    assert found.mean.value == pytest.approx(5 / 3)
    assert found.deviation == pytest.approx(np.std([1, 0, 4], ddof=1))
    assert difference("Δ", before, after, -1).harder == 0
    assert difference("Δ", before[3:], after[3:], 1).pairs == 0


@pytest.mark.parametrize("pairs", [8, 40])
def test_the_answer_is_yes_or_no_where_the_p_value_beside_it_is_below_a_twentieth(pairs: int) -> None:
    answers = set()
    for harder in range(pairs + 1):
        after = np.where(np.arange(pairs) < harder, 9.0, -0.1)
        found = difference("Δ", np.zeros(pairs), after, 1)
        shown = not contrast._answer(found).startswith("The pairs do not show it")
        assert shown is (found.p_value < 0.05)
        answers.add(shown)
    assert answers == {True, False}


def test_pairs_of_one_score_speak_for_neither_side() -> None:
    found = difference("Δ", np.zeros(30), np.repeat([1.0, 0.0], [6, 24]), 1)
    assert (found.harder, found.changed) == (6, 6)
    assert contrast._answer(found).startswith("Mostly yes: 100 %")
    same = difference("Δ", np.zeros(3), np.zeros(3), 1)
    assert contrast._answer(same) == "No pair has two scores that differ (Δ), so that nothing can be said."
