from typing import Any

import pytest

import robustfim
from robustfim.example import Example
from robustfim_words.text.lexicon import LEXICONS, read_table


def changed(name: str, text: str) -> list[str]:
    (pool,) = robustfim.perturb(name, [Example({"text": text})], candidates=8).candidates
    return [candidate.example.text for candidate in pool]


@pytest.mark.parametrize(
    ("name", "tied", "free"),
    [
        ("organisations", "I hear that Wenger has left Arsenal.", "I hear that they have left Arsenal."),
        ("organisations", "Shares of Nokia rose in Finland.", "Shares of Nokia rose in May."),
        ("organisations", "The Red Sox won in Boston.", "The Red Sox won again."),
        ("places", "We walked to the Golden Gate from downtown San Francisco.", "We walked through San Francisco."),
        ("places", "They met at the Olympics in Turin.", "They met in Turin."),
    ],
)
def test_a_name_that_the_text_has_something_of_stays(name: str, tied: str, free: str) -> None:
    assert changed(name, free)
    assert not changed(name, tied)


def test_no_new_name_is_one_that_the_text_has_something_of() -> None:
    made = changed("organisations", "The site runs on Yahoo, said a friend of Brin.")
    assert made
    assert not any("Google" in text for text in made)


def test_two_names_of_one_city_take_no_place_of_each_other() -> None:
    made = changed("places", "The train to Kiev was late.")
    assert made
    assert not any("Kyiv" in text for text in made)


def test_each_tie_belongs_to_a_name_that_a_table_lists_and_is_no_part_of_it() -> None:
    places = ("name", "kind: city|country|region|continent|abbreviation|initials", "country")
    tables = {"places": places, "cities": places, "organisations": ("name", "kind")}
    names = {row[0] for table, columns in tables.items() for row in read_table(LEXICONS / f"{table}.tsv", columns)}
    names |= {row[1] for row in read_table(LEXICONS / "nationalities.tsv", ("word", "country", "role"))}
    for name, ties in read_table(LEXICONS / "ties.tsv", ("name", "ties")):
        assert name in names, name
        assert all(f" {tie.casefold()} " not in f" {name.casefold()} " for tie in ties.split(", ")), name


@pytest.mark.parametrize(
    ("text", "made"),
    [
        ("Analysts of Cisco Systems Inc. met on Monday.", "Analysts of {} met on Monday."),
        ("The Boston Globe wrote so.", "The {} wrote so."),
        ("The chip giant Intel Corp. said so.", "The chip giant {} said so."),
        ("He works for Intel Corp.", "He works for {}."),
    ],
)
def test_an_organisation_is_replaced_with_the_words_of_its_kind(text: str, made: str) -> None:
    new = changed("organisations", text)
    names = [row[0] for row in read_table(LEXICONS / "organisations.tsv", ("name", "kind"))]
    assert new
    assert set(new) <= {made.format(name) for name in names}


@pytest.mark.parametrize("behind", ["(INTC.O: Quote, Profile, Research)", "(Nasdaq: INTC)", "(INTC)"])
def test_a_company_stays_before_the_name_of_its_shares(behind: str) -> None:
    assert not changed("organisations", f"Shares of Intel Corp. {behind} fell on Monday.")


def test_a_name_behind_a_headline_is_the_one_that_the_headline_has() -> None:
    made = changed("organisations", "Google Launches New Search Tool For Academics Google has rolled out a new tool.")
    assert made
    assert not any("Google" in text for text in made)


def test_an_ordinary_word_in_a_headline_is_no_team() -> None:
    assert not changed("organisations", "Forecasters: More Hurricanes May Be on Way The storms delivered three blows.")


def test_an_adjective_that_is_a_nations_name_stands_before_a_noun_only() -> None:
    made = {text for seed in range(12) for text in _nations("I am Scottish.", seed)}
    assert made
    assert not any("New Zealand" in text for text in made)
    assert any("New Zealand" in text for seed in range(12) for text in _nations("I like Scottish wine.", seed))


def _nations(text: str, seed: int) -> list[Any]:
    (pool,) = robustfim.perturb("nationalities", [Example({"text": text})], candidates=8, seed=seed).candidates
    return [candidate.example.text for candidate in pool]


@pytest.mark.parametrize(
    ("place", "other"),
    [
        ("We stayed two nights in Maitland.", "She marries a rich man called Maitland."),
        ("It is a dull film that was shot in Sweden, and I slept.", "It is a dull film about Sweden, and I slept."),
    ],
)
def test_a_rare_city_and_a_country_in_a_review_change_where_something_lies_or_goes(place: str, other: str) -> None:
    assert changed("places", place)
    assert not changed("places", other)


def test_a_country_stays_if_a_smaller_place_changes() -> None:
    made = changed("places", "Farmers met in Ohio to talk about wheat from Ukraine.")
    assert made
    assert all("Ukraine" in text and "Ohio" not in text for text in made)


def test_a_city_that_outshines_its_country_gives_way_to_one_as_well_known_abroad() -> None:
    places = ("name", "kind: city|country|region|continent|abbreviation|initials", "country")
    homes = {name: home for name, _, home in read_table(LEXICONS / "places.tsv", places)}
    made = changed("places", "He moved to London last year.")
    new = {text.removeprefix("He moved to ").removesuffix(" last year.") for text in made}
    assert new
    assert not any(homes[name] == "the United Kingdom" for name in new)


def test_a_place_in_no_single_country_takes_another_such_place_only() -> None:
    places = ("name", "kind: city|country|region|continent|abbreviation|initials", "country")
    homes = {name: home for name, _, home in read_table(LEXICONS / "places.tsv", places)}
    for text in changed("places", "The firm grew in Scandinavia."):
        assert homes[text.removeprefix("The firm grew in ").removesuffix(".")] == "-"


def test_a_bay_that_begins_with_a_listed_city_is_not_called_otherwise() -> None:
    assert not any("Tampa" not in text for text in changed("places", "The storm crossed Tampa Bay at noon."))
