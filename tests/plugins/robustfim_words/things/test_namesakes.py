from __future__ import annotations

from random import Random

import pytest

from robustfim.example import Example
from robustfim_words.things.organisations import Organisations
from robustfim_words.things.places import Places


def made(perturbation: Places | Organisations, text: str) -> list[str]:
    return [each.example.text for each in perturbation.propose(Example({"text": text}), Random(0))]


def test_what_stands_before_a_word_of_places_is_called_otherwise() -> None:
    for text in made(Places(), "We met at the Ogden Theatre in the evening."):
        assert text.startswith("We met at the ")
        assert text.endswith(" Theatre in the evening.")
        assert "Ogden" not in text


def test_a_company_is_called_otherwise_wherever_its_name_stands() -> None:
    texts = made(Organisations(), "We trust Iomega Corp. because Iomega ships.")
    assert texts
    for text in texts:
        name = text.removeprefix("We trust ").partition(" Corp.")[0]
        assert text == f"We trust {name} Corp. because {name} ships."


def test_each_kind_leaves_the_other() -> None:
    assert made(Organisations(), "We met at the Ogden Theatre in the evening.") == []
    assert made(Places(), "We trust Iomega Corp. because Iomega ships.") == []


@pytest.mark.parametrize(
    "text",
    [
        "They fear the Securities and Exchange Commission.",
        "Stocks fell on Wall Street today.",
        "We saw the theatre and the bank.",
        "I met with Grace Park today.",
        "The Blue Jays-owner Systems club.",
        "A treasure of the hermitage, said a gent.",
    ],
)
def test_what_is_no_namesake_stays(text: str) -> None:
    assert made(Places(), text) == []
    assert made(Organisations(), text) == []


def test_a_place_that_no_list_has_is_told_by_the_word_before_it_but_in_reviews() -> None:
    for text in made(Places(), "Troops were killed in Honiara on Monday."):
        assert text.startswith("Troops were killed in ")
        assert text.endswith(" on Monday.")
        assert "Honiara" not in text
    assert made(Places(), "Troops were killed in Honiara on Monday.")
    assert made(Places(), "This film is boring: the actors were better in Honiara, and the plot is dull.") == []


@pytest.mark.parametrize("text", ["He wore a Norfolk jacket.", "We left the Korean Peninsula's Virginia creepers."])
def test_a_noun_that_begins_with_a_name_stays(text: str) -> None:
    assert made(Places(), text) == []


def test_a_name_with_a_capital_inside_and_a_place_without_its_article_are_known() -> None:
    assert made(Organisations(), "We sell it on eBay now.")
    assert made(Places(), "We flew to United States last week.")
