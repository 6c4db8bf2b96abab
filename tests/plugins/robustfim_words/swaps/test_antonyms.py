"""Opposites: which words turn, in what form, and with what the rest of a text says."""

from __future__ import annotations

import pytest

from robustfim_words.swaps.antonyms import Antonyms
from robustfim_words.swaps.turning import FALLS, LOWERS
from robustfim_words.swaps.word_swaps import POS, antonyms, better
from robustfim_words.text.lexicon import LEXICONS
from robustfim_words.text.tone import sided
from tests.plugins.robustfim_words.samples import texts
from tests.plugins.robustfim_words.swaps.labelled import edited


def test_the_first_word_of_a_pair_is_the_one_that_praises() -> None:
    entries = better(LEXICONS / "antonyms.tsv")
    assert {pos for _, pos in entries} == set(POS)
    wrong = [word for word, _ in entries if sided(word) is False]
    wrong += [word for entry in antonyms().keys() - entries if sided(word := entry[0]) is True]
    assert wrong == []


@pytest.mark.parametrize(
    ("text", "positive", "negative"),
    [
        ("A great start.", ["A terrible start."], []),
        ("A terrible end.", [], ["A great end."]),
        ("A great start, a terrible end.", [], []),
        ("It isn't good.", [], []),
    ],
)
def test_words_turn_that_speak_for_the_label_where_nothing_speaks_for_the_other(
    text: str, positive: list[str], negative: list[str]
) -> None:
    assert edited(Antonyms(), text, "positive") == positive
    assert edited(Antonyms(), text, "negative") == negative


@pytest.mark.parametrize("text", ['"Good Bad Boys" was on.', "Greatly moved, Best Buy opened."])
def test_names_and_titles_stay(text: str) -> None:
    assert all("Good Bad Boys" in each or "Best Buy" in each for each in edited(Antonyms(), text, "positive"))


def test_a_check_asks_that_the_label_does_not_gain_and_of_whole_texts_that_it_falls() -> None:
    assert Antonyms().contract.expects == LOWERS
    assert Antonyms(whole=True).contract.expects == FALLS


def test_all_words_of_a_short_text_turn_together_where_a_suite_says_so() -> None:
    whole = Antonyms(whole=True)
    assert texts(whole, "The pies were great and the staff was friendly.") == [
        "The pies were terrible and the staff was unfriendly."
    ]
    assert texts(whole, "The pies were great and the staff was a headache.") == []
    assert texts(whole, "The pies were great. " + "We drove home through the rain past the mill. " * 4) == []
