"""What a model knows, in an order that only the texts decide."""

from __future__ import annotations

import pytest

from robustfim.example import Example
from robustfim_reference.tokens import Token, tokenise
from robustfim_reference.vocabulary import UNKNOWN, UNKNOWN_PAIR, Vocabulary

TEXTS = [tokenise(Example({"text": text})) for text in ("b a c", "b a d", "a c", "e")]


def test_the_most_frequent_words_come_first_and_equal_ones_in_alphabetical_order() -> None:
    assert Vocabulary.count(TEXTS, largest=10).keys[3:] == ("a", "b", "c")
    assert Vocabulary.count(TEXTS, largest=1).keys[3:] == ("a",)
    assert Vocabulary.count(TEXTS, largest=10, least=1).keys[3:] == ("a", "b", "c", "d", "e")


def test_bigrams_come_after_the_words() -> None:
    assert Vocabulary.count(TEXTS, largest=1, pairs=9, least_pairs=2).keys[3:] == ("a", "a c", "b a")


def test_what_is_not_known_has_the_row_of_the_unknown_word_or_pair() -> None:
    vocabulary = Vocabulary.count(TEXTS, largest=10)
    assert vocabulary.rows_of(Token(key, None) for key in ("a", "c", "zebra", "", "a zebra")) == [
        3, 5, UNKNOWN, UNKNOWN, UNKNOWN_PAIR,
    ]  # fmt: skip


def test_a_vocabulary_is_read_as_it_was_written() -> None:
    vocabulary = Vocabulary.count(TEXTS, largest=10, pairs=5, least_pairs=1)
    assert Vocabulary.parse(str(vocabulary)) == vocabulary


def test_a_file_that_is_no_vocabulary_is_refused() -> None:
    with pytest.raises(ValueError, match="first lines are not <pad>"):
        Vocabulary.parse("the\na\n")
