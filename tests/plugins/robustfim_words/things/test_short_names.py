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
    assert changed
    assert not any("the Germany" in text or "the US" in text for text in changed)
    found = texts(Nationalities(to=["Norway"]), "U.S. shares fell, and prices in the U.S. fell.")
    assert found == ["Norwegian shares fell, and prices in Norway fell."]
    assert texts(Nationalities(to=["Norway"]), "U.S. and French forces left.")[0].startswith("Norwegian and French")


def test_a_nation_changes_with_its_name_and_its_people_unless_a_city_or_a_leader_ties_the_text_to_it() -> None:
    found = texts(Nationalities(to=["Norway"]), "Iraqi forces left Iraq, and Iraqis cheered.")
    assert found == ["Norwegian forces left Norway, and Norwegians cheered."]
    for name in ("Baghdad", "Saddam Hussein", "Sadr City"):
        assert texts(Nationalities(), f"Iraqi forces left Iraq, and {name} cheered.") == []
    assert texts(Nationalities(), "The Finnish phone maker Nokia grew.") == []
    assert texts(Nationalities(), "A French singer, Marie, left.")
    assert texts(Nationalities(), "The French singer Marie left.") == []


def test_a_nation_gives_way_to_one_that_is_as_well_known() -> None:
    changed = {text.split()[1] for text in texts(Nationalities(), "The American film is great.")}
    assert "English" in changed
    assert changed.isdisjoint(("Gabonese", "Cypriot", "Samoan", "Mongolian"))
    assert texts(Nationalities(to=["South Korea"]), "A Chinese restaurant.") == ["A Korean restaurant."]


def test_a_capital_opens_a_report_and_a_person_of_its_name_is_none() -> None:
    assert texts(Nationalities(to=["Iceland"]), "WASHINGTON (Reuters) - The U.S. economy slowed.") == []
    assert texts(Places(), "WASHINGTON (Reuters) - A storm is nearing the coast.")
    assert texts(Places(), "WASHINGTON (Reuters) - Bush met the press.") == []
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


def test_an_organisation_whose_work_no_other_does_stays() -> None:
    assert texts(Organisations(), "The UN spoke, and the FDA and the IRS listened.") == []
    assert "I asked Yahoo about it." in texts(Organisations(), "I asked Google about it.")


def test_a_city_gives_way_to_one_of_its_country_that_is_as_well_known() -> None:
    changed = {text.split()[-1] for text in texts(Places(), "We were in Chicago")}
    assert changed
    assert {Nations().by_name[name].country for name in changed if name in Nations().by_name} == {"the United States"}
    assert texts(Places(), "bruce lived in asbury park , new jersey .") == []
