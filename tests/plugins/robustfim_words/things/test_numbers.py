from __future__ import annotations

import re

import pytest

from robustfim.errors import UsageError
from robustfim.seeds import random_for
from robustfim_words.text.numerals import near, ordinal_suffix, ordinal_value, spell, spell_ordinal, value
from robustfim_words.things.numbers import Numbers
from tests.plugins.robustfim_words.samples import texts

RATINGS = """8/10
9 out of 10 for this.
I give it a 7.
I'd rate this 3, no more.
Four stars from me.
A solid 8 for the cast.
Rating: 4
My rating is 6 of 10.
3.5 stars.
a five-star film
two thumbs up
It scored 45 points with us.
100% recommended.
92% fresh, they say.
Ten.
7½ / 10
4 1/2 stars
I gave it 5 because of the cast.
My vote is seven.
Vote: 9
That knocked it down a point to 7 for me.
"""
NAMES = """\
Call (555)010-0199 today.
I rate it a 2 simply because it ends.
if you liked it , blade 2 is better
Toy Story 3 is fun.
We saw 12 Angry Men.
at 7:30 in the evening
one of the best
the first time
zero chemistry
two or three scenes
the B2 and 3D and 1080p and 24/7
"""


@pytest.mark.parametrize("text", RATINGS.splitlines())
def test_a_rating_is_left_alone(text: str) -> None:
    assert texts(Numbers(), text) == []


@pytest.mark.parametrize("text", NAMES.splitlines())
def test_names_ranges_times_and_idioms_are_left_alone(text: str) -> None:
    assert texts(Numbers(), text) == []


@pytest.mark.parametrize(
    ("text", "possible"),
    [
        ("It has 3 parts.", {"It has 2 parts.", "It has 4 parts."}),
        ("It took two hours.", {"It took three hours."}),
        ("It rose 0.6 inches a year.", {"It rose 0.5 inches a year.", "It rose 0.7 inches a year."}),
        ("Six boys sang.", {"Five boys sang.", "Seven boys sang."}),
        ("TEN BOYS sang.", {"NINE BOYS sang.", "ELEVEN BOYS sang."}),
        ("It runs for 90 minutes.", {"It runs for 80 minutes.", "It runs for 100 minutes."}),
        ("It cost $9.99 then.", {"It cost $8.99 then.", "It cost $10.99 then."}),
        ("It made 3,000,000 dollars.", {"It made 2,000,000 dollars.", "It made 4,000,000 dollars."}),
        ("a 7 year old child", {"an 8 year old child", "a 6 year old child"}),
        ("an 11-minute scene", {"a 10-minute scene", "a 12-minute scene"}),
        ("twenty-five songs", {"twenty songs", "thirty songs"}),
        ("the 2nd week", {"the 3rd week"}),
        ("the fourth act", {"the third act", "the fifth act"}),
        ("back in the 1980s", {"back in the 1970s", "back in the 1990s"}),
        ("only 20% of the seats", {"only 10% of the seats", "only 30% of the seats"}),
    ],
)
def test_a_near_number_keeps_notation_and_sense(text: str, possible: set[str]) -> None:
    found = {changed for seed in range(30) for changed in texts(Numbers(), text, seed)}
    assert found == possible


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
