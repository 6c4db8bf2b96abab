from __future__ import annotations

import re

import pytest

from robustfim.errors import UsageError
from robustfim.seeds import random_for
from robustfim_words.text.numerals import near, ordinal_suffix, ordinal_value, spell, spell_ordinal, value
from robustfim_words.things.numbers import Numbers
from tests.plugins.robustfim_words.samples import texts


def test_a_year_moves_by_one_to_three() -> None:
    found = {changed for seed in range(60) for changed in texts(Numbers(), "It came out in 1994.", seed)}
    assert found == {f"It came out in {year}." for year in (1991, 1992, 1993, 1995, 1996, 1997)}


def test_numbers_can_be_spelled_out_and_back() -> None:
    assert texts(Numbers(to="words"), "An 8 part film of 90 minutes, 1994, 8/10.") == [
        "An eight part film of 90 minutes, 1994, 8/10.",
        "An 8 part film of ninety minutes, 1994, 8/10.",
    ]
    assert texts(Numbers(to="digits"), "Seven friends, twenty-one songs.") == [
        "7 friends, twenty-one songs.",
        "Seven friends, 21 songs.",
    ]


def test_an_unknown_target_is_refused() -> None:
    with pytest.raises(UsageError, match=r"unknown 'word'. Did you mean 'words'"):
        Numbers(to="word")


def test_number_words_are_read_as_they_are_written() -> None:
    assert [value(spell(number)) for number in range(100)] == list(range(100))
    assert [ordinal_value(spell_ordinal(number)) for number in range(1, 100)] == list(range(1, 100))
    assert [spell_ordinal(n) for n in (1, 2, 3, 5, 8, 9, 12, 13, 20, 32)] == (
        ["first", "second", "third", "fifth", "eighth", "ninth", "twelfth", "thirteenth", "twentieth", "thirty-second"]
    )
    assert "".join(ordinal_suffix(n) for n in (1, 2, 3, 4, 11, 12, 13, 21, 22, 101, 111)) == (
        "stndrdthththth" + "stndstth"
    )


@pytest.mark.parametrize("number", [2, 3, 10, 15, 20, 99, 100, 105, 1000, 1200])
def test_near_numbers_are_near_and_never_one(number: int) -> None:
    drawn = {near(number, random_for(seed)) for seed in range(40)}
    assert all(other >= 2 and other != number and abs(other - number) <= max(1, number / 2) for other in drawn)
    zeros = len(re.findall("0*$", str(number))[0])
    assert all(other % 10 ** max(0, zeros - 1) == 0 for other in drawn)


def test_a_number_of_the_same_things_stays_where_the_text_comes_back_to_it() -> None:
    made = texts(Numbers(), "Two men held. Police arrested the 2 men and 3 women.")
    assert made
    assert all(text.startswith("Two men held. Police arrested the 2 men and ") for text in made)
    assert len(texts(Numbers(), "He has two cats and two dogs.")) == 2


@pytest.mark.parametrize(
    "text",
    [
        "They sold two products Bloomba and Pro.",
        "A deal for 2.6 Billion Euros: the 2.6 billion-euro buyout is done.",
        "Gunmen wound 2: they hit two of his men.",
    ],
)
def test_a_number_of_what_is_listed_or_that_is_said_twice_stays(text: str) -> None:
    assert texts(Numbers(), text) == []
