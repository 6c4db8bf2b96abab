"""What two sequences share at their ends, against a search through all splits."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from robustfim.shared_ends import shared_ends

TEXTS = st.text(alphabet="ab🙂", max_size=6)


@given(TEXTS, TEXTS)
def test_the_beginning_goes_as_far_as_it_can_and_the_end_beyond_it(before: str, after: str) -> None:
    shorter = min(len(before), len(after))
    head = max(n for n in range(shorter + 1) if before[:n] == after[:n])
    tail = max(n for n in range(shorter - head + 1) if before[len(before) - n :] == after[len(after) - n :])
    assert shared_ends(before, after) == (head, tail)


def test_words_are_compared_whole() -> None:
    assert shared_ends(["a", "good", "film"], ["a", "fine", "film"]) == (1, 1)
