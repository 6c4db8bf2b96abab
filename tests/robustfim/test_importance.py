"""Values of tokens become values of words, and nothing of their sum is lost."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from robustfim.example import Example
from robustfim.importance import WordImportance, gather_words

Token = tuple[str, int, int, float]


def gathered(fields: dict[str, str], *tokens: Token | None) -> list[tuple[str, float]]:
    """The words and other tokens as text, with their values."""
    spans = [token and token[:3] for token in tokens]
    found = gather_words(Example(fields), spans, [token[3] if token else 9.0 for token in tokens])
    return [(fields[importance.field][importance.start : importance.end], importance.value) for importance in found]


def test_pieces_of_a_word_add_up_and_a_word_without_a_token_has_nothing() -> None:
    tokens = [("text", 0, 2, 1.0), ("text", 2, 6, 0.5), ("text", 6, 7, -0.25)]
    assert gathered({"text": "joyful, really"}, *tokens) == [("joyful", 1.5), (",", -0.25), ("really", 0.0)]


def test_a_token_of_several_words_is_shared_among_them() -> None:
    assert gathered({"text": "not a film"}, ("text", 0, 5, 3.0), ("text", 6, 10, 1.0)) == [
        ("not", 1.5), ("a", 1.5), ("film", 1.0),
    ]  # fmt: skip


def test_a_token_that_holds_a_word_and_its_full_stop_is_the_words() -> None:
    assert gathered({"text": "a film."}, ("text", 2, 7, 2.0)) == [("a", 0.0), ("film", 2.0)]


def test_overlapping_tokens_that_are_no_words_stand_together() -> None:
    assert gathered({"text": "🙂!"}, ("text", 0, 1, 1.0), ("text", 0, 1, 2.0), ("text", 1, 2, 4.0)) == [
        ("🙂", 3.0), ("!", 4.0),
    ]  # fmt: skip


def test_fields_are_kept_apart_and_tokens_without_a_place_left_out() -> None:
    fields = {"premise": "rain", "hypothesis": "rain"}
    assert gathered(fields, None, ("hypothesis", 0, 4, 1.0)) == [("rain", 0.0), ("rain", 1.0)]
    assert gather_words(Example(fields), [("premise", 0, 4)], [2.0]) == (
        WordImportance("premise", 0, 4, 2.0),
        WordImportance("hypothesis", 0, 4, 0.0),
    )


@given(
    text=st.text("ab .'", max_size=12),
    tokens=st.lists(st.tuples(st.integers(0, 11), st.integers(1, 4), st.integers(-8, 8)), max_size=6),
)
def test_the_values_sum_to_those_of_the_tokens_and_the_places_are_apart(
    text: str, tokens: list[tuple[int, int, int]]
) -> None:
    placed = [(start, min(start + size, len(text)), value) for start, size, value in tokens if start < len(text)]
    found = gather_words(
        Example({"text": text}), [("text", start, end) for start, end, _ in placed], [float(v) for *_, v in placed]
    )
    assert sum(importance.value for importance in found) == pytest.approx(sum(value for *_, value in placed))
    ends = [0, *(importance.end for importance in found)]
    assert all(importance.start >= end for importance, end in zip(found, ends, strict=False))
