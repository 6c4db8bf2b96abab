"""Short names: abbreviations of countries, agencies and leagues, which only their capitals tell from words."""

from __future__ import annotations

import pytest

from robustfim_words.things.organisations import Organisations
from robustfim_words.things.places import Places
from tests.plugins.robustfim_words.samples import texts


def test_an_abbreviation_gives_way_to_an_abbreviation_and_initials_to_initials() -> None:
    assert set(texts(Places(), "Troops of the US left.")) == {"Troops of the UK left.", "Troops of the UAE left."}
    assert texts(Places(), "Prices in the U.S. rose.") == ["Prices in the U.K. rose."]


def test_a_country_that_is_abbreviated_in_a_text_does_not_come_a_second_time() -> None:
    changed = texts(Places(), "It failed in the US, so we drove to Canada.")
    assert changed
    assert all("the United States" not in text for text in changed)


@pytest.mark.parametrize(
    ("perturbation", "text"),
    [(Places, "They told us to leave."), (Organisations, "Just a sec, the ups and downs go on.")],
)
def test_words_that_are_spelled_like_abbreviations_stay(perturbation: type[Places | Organisations], text: str) -> None:
    assert texts(perturbation(), text) == []


def test_the_agency_of_a_dateline_changes_at_all_its_mentions() -> None:
    changed = texts(Organisations(), "Storm Nears Coast (AP) AP - A storm is nearing the coast of Peru.")
    assert changed
    assert all("AP" not in text and text.count(text.split("(")[1].split(")")[0]) == 2 for text in changed)
