from __future__ import annotations

import pytest

from robustfim.words import word_spans


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
