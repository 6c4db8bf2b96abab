"""Words and n-grams."""

from __future__ import annotations

from robustfim_cues.choices.tokens import ngrams, words


def test_words_are_lower_case_and_keep_their_apostrophe() -> None:
    assert words("“He DIDN’T go” — the dogs' café_2!") == ["he", "didn't", "go", "the", "dogs", "café", "2"]


def test_ngrams_of_every_length_up_to_the_longest() -> None:
    assert ngrams("He went away", 2) == ["he", "went", "away", "he went", "went away"]
    assert ngrams("", 3) == []
    assert ngrams("one", 3) == ["one"]
