"""Near duplicates, against every pair of texts and the definition of Jaccard's similarity."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from robustfim_cues.sources.duplicates import clusters, jaccard, near_duplicates, shingles

texts = st.lists(st.lists(st.sampled_from("abcd"), max_size=9).map(" ".join), min_size=1, max_size=12)


@given(texts, st.sampled_from([0.2, 0.5, 0.7, 1.0]))
def test_all_pairs_are_found_that_are_so_much_alike_and_no_others(written: list[str], alike: float) -> None:
    sets = [shingles(text) for text in written]
    expected = [
        (first, second)
        for first, second in combinations(range(len(written)), 2)
        if sets[first] | sets[second] and len(sets[first] & sets[second]) / len(sets[first] | sets[second]) >= alike
    ]
    found = near_duplicates(written, alike)
    assert [(each.first, each.second) for each in found] == expected
    assert all(each.jaccard == jaccard(sets[each.first], sets[each.second]) for each in found)


def test_case_and_punctuation_do_not_count_and_short_texts_are_one_shingle() -> None:
    assert shingles("A film, and more.") == shingles("a FILM and more") == {"a film and", "film and more"}
    assert shingles("Fine!") == {"fine"}
    assert shingles("...") == frozenset()
    (pair,) = near_duplicates(["Fine!", "fine", "...", "!!!"])
    assert (pair.first, pair.second, pair.jaccard) == (0, 1, 1.0)


def test_a_cluster_holds_what_is_linked_through_others() -> None:
    pairs = near_duplicates(["a b c d e f", "a b c d e f g", "b c d e f g h", "x y z"], 0.5)
    first, second, third, alone = clusters(4, pairs)
    assert first == second == third != alone
    assert len(set(clusters(3, []))) == 3
    assert jaccard(frozenset("ab"), frozenset("bc")) == pytest.approx(1 / 3)
