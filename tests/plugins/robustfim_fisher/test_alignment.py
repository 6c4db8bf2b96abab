"""Which tokens of a candidate stand for which of its source."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest

from robustfim.candidate import Candidate, Edit
from robustfim.example import Example
from robustfim.roles import Span
from robustfim_fisher.alignment import align


def words(example: Example, pattern: str = r"\S+") -> list[Span]:
    return [
        (name, match.start(), match.end())
        for name, text in example.fields.items()
        for match in re.finditer(pattern, text)
    ]


def candidate(text: str, *edits: tuple[str, str]) -> Candidate:
    """Edit the first place of each ``before``."""
    source = Example({"text": text})
    found = [Edit("text", text.index(old), text.index(old) + len(old), old, new) for old, new in edits]
    return Candidate(source, tuple(found))


@pytest.mark.parametrize(
    ("edits", "pairs", "groups"),
    [
        ([("b", "x")], [(0, 0), (2, 2), (3, 3)], [([1], [1], [0, 2])]),
        ([("b", "x y")], [(0, 0), (2, 3), (3, 4)], [([1], [1, 2], [0, 2])]),
        ([("b c", "x")], [(0, 0), (3, 2)], [([1, 2], [1], [0, 3])]),
        ([("b ", "")], [(0, 0), (2, 1), (3, 2)], [([1], [], [0, 2])]),
        ([("c", "y c")], [(0, 0), (1, 1), (3, 4)], [([2], [2, 3], [1, 3])]),
        ([(" c", " y c")], [(0, 0), (1, 1), (3, 4)], [([2], [2, 3], [1, 3])]),
        ([("a", "x y"), ("d", "z")], [(1, 2), (2, 3)], [([0], [0, 1], [1]), ([3], [4], [2])]),
        ([("a", "x y"), ("c ", "")], [(1, 2), (3, 3)], [([0], [0, 1], [1]), ([2], [], [1, 3])]),
        ([("d", "d e")], [(0, 0), (1, 1), (2, 2)], [([3], [3, 4], [2])]),
        ([(" d", "")], [(0, 0), (1, 1), (2, 2)], [([3], [], [2])]),
    ],
)
def test_tokens_outside_the_edits_pair_up(
    edits: list[tuple[str, str]],
    pairs: list[tuple[int, int]],
    groups: list[tuple[list[int], list[int], list[int]]],
) -> None:
    changed = candidate("a b c d", *edits)
    found = align(words(changed.source), words(changed.example), changed)
    assert found.pairs == pairs
    assert found.groups == groups


def test_an_insertion_between_two_tokens_touches_neither() -> None:
    source = Example({"text": "a b"})
    changed = Candidate(source, (Edit("text", 2, 2, "", "x y "),))
    found = align(words(source), words(changed.example), changed)
    assert found.pairs == [(0, 0), (1, 3)]
    assert found.groups == [([], [1, 2], [0, 1])]


def test_pieces_of_an_edited_word_fall_into_one_group() -> None:
    changed = candidate("we played well", ("ed", "ing"))
    pieces = r"play(?!i)|[^ ]+"  # "play" "ed", but "playing"
    found = align(words(changed.source, pieces), words(changed.example, pieces), changed)
    assert found.pairs == [(0, 0), (3, 2)]
    assert found.groups == [([1, 2], [1], [0, 3])]


def test_fields_are_aligned_apart_and_special_tokens_left_out() -> None:
    source = Example({"premise": "a b", "hypothesis": "a b"})
    changed = Candidate(source, (Edit("hypothesis", 0, 1, "a", "x y"),))
    before: list[Span] = [None, *words(source)[:2], None, *words(source)[2:], None]
    after: list[Span] = [None, *words(changed.example)[:2], None, *words(changed.example)[2:], None]
    found = align(before, after, changed)
    assert found.pairs == [(1, 1), (2, 2), (5, 6)]
    assert found.groups == [([4], [4, 5], [5])]


def test_bigrams_after_the_words_pair_up_too() -> None:
    def with_bigrams(example: Example) -> list[Span]:
        single = [span for span in words(example) if span]
        return [*single, *(("text", a[1], b[2]) for a, b in pairwise(single))]

    changed = candidate("a b c d", ("b ", ""))
    found = align(with_bigrams(changed.source), with_bigrams(changed.example), changed)
    assert found.pairs == [(0, 0), (2, 1), (3, 2), (6, 4)]
    assert found.groups == [([1], [], [0, 2]), ([4, 5], [3], [3, 6])]


def test_a_text_that_is_cut_off_loses_its_last_tokens() -> None:
    changed = candidate("a b c d", ("a", "x y z"))
    found = align(words(changed.source), words(changed.example)[:4], changed)
    assert found.pairs == [(1, 3)]
    assert found.groups == [([0], [0, 1, 2], [1]), ([2, 3], [], [1])]
