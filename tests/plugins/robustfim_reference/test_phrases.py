from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from robustfim_reference.phrases import phrases, sentences, stem


def found(text: str, kind: str) -> list[str]:
    return [text[phrase.start : phrase.end] for phrase in phrases(text, 0, len(text)) if phrase.kind == kind]


@pytest.mark.parametrize(
    ("kind", "text", "expected"),
    [
        ("name", "The tower was built by Amelia Thorne in Sund.", ["Amelia Thorne", "Sund"]),
        ("year", "Built in 1871, sold for 3,200 in 2004.", ["1871", "2004"]),
        ("date", "Shut from May to June, it may open at four o'clock.", ["from May to June", "four o'clock"]),
        ("clause", "It begins when the tide turns, not before.", ["when the tide turns"]),
        ("number", "Two hundred, 25 sacks, 3.6 metres, forty-two men", ["Two hundred", "25", "3.6", "forty-two"]),
        ("measure", "It rises every ten minutes.", ["every ten minutes"]),
        ("place", "They met in the village of Oru.", ["the village of Oru"]),
        ("colour", "It was painted red, not redder.", ["red"]),
        ("reason", "They fly because the hive is dark, and slow.", ["because the hive is dark"]),
        ("way", "They crossed by ferry.", ["by ferry"]),
        ("thing", "A stone lion guards it.", ["A stone lion guards"]),
    ],
)
def test_a_kind_of_phrase_is_found(kind: str, text: str, expected: list[str]) -> None:
    assert found(text, kind) == expected


@given(st.text(max_size=80))
def test_phrases_and_sentences_stand_in_their_text(text: str) -> None:
    for start, end in sentences(text):
        assert 0 <= start < end <= len(text)
        for phrase in phrases(text, start, end):
            assert start <= phrase.start < phrase.end <= end


def test_a_sentence_ends_at_a_mark_with_a_blank_behind_it() -> None:
    text = "It cost 3.6 pounds. Who paid? He did!"
    assert [text[start:end] for start, end in sentences(text)] == ["It cost 3.6 pounds.", "Who paid?", "He did!"]


@pytest.mark.parametrize(
    ("word", "other"),
    [("climbs", "climb"), ("Climbed", "climb"), ("tower's", "tower"), ("bees", "bee"), ("washed", "wash")],
)
def test_endings_do_not_matter(word: str, other: str) -> None:
    assert stem(word) == stem(other)
