"""Ages: swapped within a time of life, and left where something depends on them."""

from __future__ import annotations

import re

import pytest

from robustfim_words.persons.ages import Ages
from tests.plugins.robustfim_words.samples import texts


@pytest.mark.parametrize(
    ("text", "pattern", "least", "most"),
    [
        ("A 34-year-old woman sings.", r"A (\d+)-year-old woman sings\.", 30, 49),
        ("An 11-year-old can sing.", r"An? (\d+)-year-old can sing\.", 9, 12),
        ("I was 15 years old then.", r"I was (\d+) years old then\.", 13, 17),
        ("He died at the age of 66.", r"He died at the age of (\d+)\.", 65, 79),
        ("It was Ann Keller. She was 66.", r"It was Ann Keller\. She was (\d+)\.", 65, 79),
        ("Ann Keller, 66, sings.", r"Ann Keller, (\d+), sings\.", 65, 79),
        ("my 6 year old niece , aged 6", r"my (\d+) year old niece , aged \1", 5, 8),
    ],
)
def test_an_age_gives_way_to_another_of_the_same_time_of_life(text: str, pattern: str, least: int, most: int) -> None:
    found = texts(Ages(), text)
    assert len(found) > 1
    for each in found:
        match = re.fullmatch(pattern, each)
        assert match, each
        assert least <= int(match[1]) <= most
        assert each != text


def test_an_age_in_letters_stays_in_letters_and_its_article_agrees() -> None:
    assert set(texts(Ages(), "A seven-year-old boy sings.")) == {
        "A five-year-old boy sings.",
        "A six-year-old boy sings.",
        "An eight-year-old boy sings.",
    }


def test_a_decade_gives_way_to_its_neighbour() -> None:
    assert set(texts(Ages(), "She is in her early thirties.")) == {
        "She is in her early twenties.",
        "She is in her early forties.",
    }
    assert set(texts(Ages(), "He is in his 80s.")) == {"He is in his 70s."}


@pytest.mark.parametrize(
    "text",
    [
        "A 14-year-old boy sings with 14 others.",
        "Nobody may vote until the age of 18.",
        "It was aged 12 to 14 months.",
        "He was 1,200 miles away.",
        "This is for girls under the age of 12.",
        "I own 2 cats.",
        "They let some 4/5 year olds in.",
    ],
)
def test_things_and_ages_that_something_depends_on_stay(text: str) -> None:
    assert texts(Ages(), text) == []
