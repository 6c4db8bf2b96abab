from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from robustfim.words import shared_ends, word_spans


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("A slow, sad film.", ["A", "slow", "sad", "film"]),
        ("It isn't well-made – at all", ["It", "isn't", "well-made", "at", "all"]),
        ("10/10 für Zoë’s film", ["10", "10", "für", "Zoë’s", "film"]),
        ("  … !", []),
        ("", []),
    ],
)
def test_words_are_runs_of_letters_with_apostrophes_and_hyphens_inside(text: str, words: list[str]) -> None:
    assert [text[start:end] for start, end in word_spans(text)] == words


TEXTS = st.text(alphabet="ab🙂", max_size=6)


@given(TEXTS, TEXTS)
def test_the_beginning_goes_as_far_as_it_can_and_the_end_beyond_it(before: str, after: str) -> None:
    shorter = min(len(before), len(after))
    head = max(n for n in range(shorter + 1) if before[:n] == after[:n])
    tail = max(n for n in range(shorter - head + 1) if before[len(before) - n :] == after[len(after) - n :])
    assert shared_ends(before, after) == (head, tail)


def test_words_are_compared_whole() -> None:
    assert shared_ends(["a", "good", "film"], ["a", "fine", "film"]) == (1, 1)
