"""Short names: abbreviations of countries, agencies and leagues, which only their capitals tell from words."""

from __future__ import annotations

import pytest

from robustfim_words.things.fairness import Nationalities
from robustfim_words.things.nations import Nations
from robustfim_words.things.organisations import Organisations
from robustfim_words.things.places import Places
from tests.plugins.robustfim_words.samples import texts


def test_a_short_name_of_a_country_is_a_name_or_before_a_noun_an_adjective() -> None:
    changed = texts(Places(), "Troops of the US left.")
    assert "Troops of Canada left." in {text.replace(text.split()[2], "Canada") for text in changed}
    assert not any("the Italy" in text or "the US" in text for text in changed)
    found = texts(Nationalities(to=["Norway"]), "U.S. shares fell, and prices in the U.S. fell.")
    assert found == ["Norwegian shares fell, and prices in Norway fell."]
    assert texts(Nationalities(to=["Norway"]), "U.S. and Iraqi forces left.")[0].startswith("Norwegian and Iraqi")


def test_a_nation_changes_with_its_name_its_people_and_its_cities() -> None:
    found = texts(Nationalities(to=["Norway"]), "Iraqi forces left Baghdad, Iraq, and Iraqis cheered.")
    assert found
    for text in found:
        city = text.split("left ")[1].split(",")[0]
        assert text == f"Norwegian forces left {city}, Norway, and Norwegians cheered."
        assert Nations().by_name[city].country == "Norway"
    changed = texts(Places(), "Iraqi forces left Baghdad, Iraq.")
    assert any("Iraq" not in text for text in changed)
    assert all("Baghdad" not in text and ("Iraqi" in text) == ("Iraq." in text) for text in changed)


def test_a_capital_changes_with_its_nation_and_a_person_of_its_name_stays() -> None:
    (found,) = texts(Nationalities(to=["Iceland"]), "WASHINGTON (Reuters) - The U.S. economy slowed.")
    assert found == "REYKJAVIK (Reuters) - The Icelandic economy slowed."
    assert texts(Places(), "WASHINGTON (Reuters) - A storm is nearing the coast.")
    assert texts(Places(), "Washington is great in this film.") == []
    film = "Denzel Washington is great in this U.S. film."
    assert texts(Nationalities(to=["Iceland"]), film) == ["Denzel Washington is great in this Icelandic film."]


def test_money_keeps_its_nation() -> None:
    assert texts(Nationalities(), "The US dollar rose.") == texts(Places(), "The US dollar rose.") == []
    assert texts(Nationalities(), "The Japanese yen rose.") == []


def test_a_people_is_called_by_its_persons_and_a_language_is_none() -> None:
    found = texts(Nationalities(to=["Norway"]), "The French look down on him.")
    assert found == ["The Norwegians look down on him."]
    assert texts(Nationalities(), "He sings in French.") == []
    assert texts(Nationalities(), "It has English subtitles.") == []


def test_a_city_of_a_nation_that_the_text_speaks_of_stays_in_it() -> None:
    cities = [text.split("went to ")[1].rstrip(".") for text in texts(Places(), "A German writer went to Berlin.")]
    assert cities
    assert {Nations().by_name[city].country for city in cities} == {"Germany"}


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
