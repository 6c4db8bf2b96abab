from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from robustfim.words import first_words, last_words, shared_ends, word_spans


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


@given(text=st.text(alphabet="ab \n", max_size=60), most=st.integers(1, 60))
def test_a_cut_leaves_whole_words_but_of_a_long_one_and_never_nothing(text: str, most: int) -> None:
    for cut, rest in (
        (first_words(text, most), text[len(first_words(text, most)) :]),
        (last_words(text, most)[::-1], text[: len(text) - len(last_words(text, most))][::-1]),
    ):
        assert len(cut) <= most
        assert bool(cut) == bool(text)
        assert cut + rest in (text, text[::-1])
        inside = rest and not cut[-1].isspace() and not rest[0].isspace()
        assert not inside or len(cut) == most, "a word is cut where it is longer than the room, and nowhere else"
        if inside and (blank := max(cut.rfind(" "), cut.rfind("\n"))) >= 0:
            assert len(cut) - blank > 20 or not cut[:blank].strip()


TEXTS = st.text(alphabet="ab🙂", max_size=6)


@given(TEXTS, TEXTS)
def test_the_beginning_goes_as_far_as_it_can_and_the_end_beyond_it(before: str, after: str) -> None:
    shorter = min(len(before), len(after))
    head = max(n for n in range(shorter + 1) if before[:n] == after[:n])
    tail = max(n for n in range(shorter - head + 1) if before[len(before) - n :] == after[len(after) - n :])
    assert shared_ends(before, after) == (head, tail)


def test_words_are_compared_whole() -> None:
    assert shared_ends(["a", "good", "film"], ["a", "fine", "film"]) == (1, 1)
