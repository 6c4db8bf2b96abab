from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations, islice, product
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chisquare

from robustfim.candidate import Candidate, Edit
from robustfim.example import Example
from robustfim.propose.composition import characters_to_change, compose_guided, compose_random, words_to_change

EXAMPLE = Example({"text": "a b c d e f"})


def alternatives(counts: Sequence[int]) -> list[Edit]:
    """So many alternatives for each word of the example, none of which overlaps another word's."""
    return [
        Edit("text", 2 * i, 2 * i + 1, "abcdef"[i], f"{i}.{j}") for i, count in enumerate(counts) for j in range(count)
    ]


counts = st.lists(st.integers(1, 3), min_size=1, max_size=4)


@st.composite
def any_edits(draw: st.DrawFn) -> list[Edit]:
    """Edits of any spans, which may overlap."""
    text = EXAMPLE.text
    spans = draw(st.lists(st.tuples(st.integers(0, 8), st.integers(1, 3)), min_size=1, max_size=8))
    return [
        Edit("text", start, start + length, text[start : start + length], f"<{i}>")
        for i, (start, length) in enumerate(spans)
    ]


def keys(candidates: Sequence[Candidate]) -> list[tuple[Edit, ...]]:
    return [candidate.edits for candidate in candidates]


@given(any_edits(), st.integers(1, 4), st.integers(0, 99))
def test_random_combinations_are_distinct_and_do_not_overlap(edits: list[Edit], words: int, seed: int) -> None:
    found = keys(list(islice(compose_random(EXAMPLE, edits, words, Random(seed)), 200)))
    assert len(set(found)) == len(found) > 0
    for combination in found:
        assert 1 <= len(combination) <= words
        assert not any(first.overlaps(second) for first, second in combinations(combination, 2))
        assert set(combination) <= set(edits)


@given(counts, st.integers(0, 99))
def test_single_words_use_every_edit_once(given_counts: list[int], seed: int) -> None:
    edits = alternatives(given_counts)
    found = keys(list(compose_random(EXAMPLE, edits, 1, Random(seed))))
    assert sorted(found) == [(edit,) for edit in edits]


@given(counts, st.integers(0, 99))
def test_single_words_visit_every_place_before_any_place_again(given_counts: list[int], seed: int) -> None:
    found = keys(list(compose_random(EXAMPLE, alternatives(given_counts), 1, Random(seed))))
    first_round = [edit.start for (edit,) in found[: len(given_counts)]]
    assert len(set(first_round)) == len(given_counts)


@given(counts, st.integers(2, 4), st.integers(0, 99))
def test_several_words_change_exactly_so_many_places_where_there_are_enough(
    given_counts: list[int], words: int, seed: int
) -> None:
    found = list(islice(compose_random(EXAMPLE, alternatives(given_counts), words, Random(seed)), 30))
    assert {len(candidate.edits) for candidate in found} == {min(words, len(given_counts))}


def test_the_same_generator_composes_the_same() -> None:
    edits = alternatives([3, 3, 3])
    first, second = (keys(list(compose_random(EXAMPLE, edits, 2, Random(5)))) for _ in range(2))
    assert first == second


@pytest.mark.parametrize("words", [1, 2])
def test_a_place_with_many_alternatives_is_no_likelier_than_one_with_few(words: int) -> None:
    edits = alternatives([1, 2, 4, 8, 16])
    seen: Counter[int] = Counter()
    for seed in range(2000):
        (candidate,) = islice(compose_random(EXAMPLE, edits, words, Random(seed)), 1)
        seen.update(edit.start for edit in candidate.edits)
    assert len(seen) == 5
    assert chisquare(list(seen.values())).pvalue > 0.001


def test_alternatives_of_a_place_are_equally_likely() -> None:
    edits = alternatives([6, 1, 1])
    seen: Counter[str] = Counter()
    for seed in range(2000):
        for candidate in islice(compose_random(EXAMPLE, edits, 2, Random(seed)), 1):
            seen.update(edit.after for edit in candidate.edits if edit.start == 0)
    assert len(seen) == 6
    assert chisquare(list(seen.values())).pvalue > 0.001


@pytest.mark.parametrize("compose", [compose_random, compose_guided])
@pytest.mark.parametrize("words", [1, 3])
def test_without_edits_there_are_no_candidates(compose: object, words: int) -> None:
    if compose is compose_random:
        assert list(compose_random(EXAMPLE, [], words, Random(0))) == []
    else:
        assert list(compose_guided(EXAMPLE, [], words, [])) == []


def test_an_edit_listed_twice_is_one() -> None:
    (edit,) = alternatives([1])
    assert len(list(compose_random(EXAMPLE, [edit, edit], 1, Random(0)))) == 1
    assert len(list(compose_guided(EXAMPLE, [edit, edit], 1, [1.0, 1.0]))) == 1


# ---- guided -------------------------------------------------------------------------------------------


def brute_force(edits: Sequence[Edit], words: int, worth: dict[Edit, float]) -> list[float]:
    """The summed effects of every combination of ``words`` places, best first."""
    places: dict[int, list[Edit]] = {}
    for edit in edits:
        places.setdefault(edit.start, []).append(edit)
    chosen = combinations(places.values(), min(words, len(places)))
    return sorted((sum(worth[e] for e in each) for group in chosen for each in product(*group)), reverse=True)


effects = st.lists(st.floats(-10, 10), min_size=12, max_size=12)


@given(counts, st.integers(1, 4), effects)
def test_guided_candidates_come_in_the_order_of_all_combinations(
    given_counts: list[int], words: int, numbers: list[float]
) -> None:
    edits = alternatives(given_counts)
    worth = dict(zip(edits, numbers, strict=False))
    found = keys(list(compose_guided(EXAMPLE, edits, words, [worth[edit] for edit in edits])))
    sums = [sum(worth[edit] for edit in combination) for combination in found]
    assert len(set(found)) == len(found)
    assert sums == pytest.approx(brute_force(edits, words, worth))


@given(any_edits(), st.integers(1, 4), effects)
def test_guided_candidates_are_distinct_and_do_not_overlap(edits: list[Edit], words: int, numbers: list[float]) -> None:
    edits = list(dict.fromkeys(edits))
    found = keys(list(islice(compose_guided(EXAMPLE, edits, words, numbers[: len(edits)]), 200)))
    assert len(set(found)) == len(found) > 0
    for combination in found:
        assert 1 <= len(combination) <= words
        assert not any(first.overlaps(second) for first, second in combinations(combination, 2))


@given(any_edits(), effects)
def test_single_guided_words_are_all_edits_best_first(edits: list[Edit], numbers: list[float]) -> None:
    worth = dict(zip(edits, numbers, strict=False))
    found = [edit for (edit,) in keys(list(compose_guided(EXAMPLE, edits, 1, [worth[edit] for edit in edits])))]
    assert set(found) == set(edits)
    assert [worth[edit] for edit in found] == sorted((worth[edit] for edit in set(edits)), reverse=True)


def test_harmless_edits_are_still_taken_where_no_better_are_left() -> None:
    edits = alternatives([1, 1])
    (candidate,) = compose_guided(EXAMPLE, edits, 2, [1.0, -5.0])
    assert len(candidate.edits) == 2


# ---- how many words -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "words", "expected"),
    [
        ("one two three four five six seven eight nine ten", 0.3, 3),
        ("one two three four five six seven eight nine ten", 1.0, 10),
        ("one two three", 0.1, 1),
        ("one two three", 5, 5),
        ("don't re-enter, o’clock!", 1.0, 3),
        ("... !", 0.5, 1),
        ("", 1.0, 1),
    ],
)
def test_a_count_stays_and_a_share_becomes_at_least_one(text: str, words: float | int, expected: int) -> None:
    assert words_to_change(Example({"text": text}), words) == expected


def test_a_share_counts_only_the_fields_that_may_change() -> None:
    example = Example({"premise": "one two three four", "hypothesis": "one two"})
    assert words_to_change(example, 0.5) == 3
    assert words_to_change(example, 0.5, ["hypothesis"]) == 1


def test_a_rate_for_each_character_is_a_count_of_at_least_one() -> None:
    source = Example({"text": "x" * 100, "other": "y" * 50})
    assert characters_to_change(source, 0.03) == round(0.03 * 150)
    assert characters_to_change(source, 0.03, ["text"]) == 3
    assert characters_to_change(source, 0.001) == 1
