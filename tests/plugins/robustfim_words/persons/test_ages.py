"""Ages: swapped within a time of life, and left where something depends on them."""

from __future__ import annotations

import re

import pytest

from robustfim_words.persons.ages import Ages
from tests.plugins.robustfim_words.samples import sentences, texts


@pytest.mark.parametrize(
    ("text", "pattern", "least", "most"),
    sentences("test_an_age_gives_way_to_another_of_the_same_time_of_life"),
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
