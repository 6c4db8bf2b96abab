"""Nationality, religion, gender, title and name origin: swaps that no verdict should depend on."""

from __future__ import annotations

from pathlib import Path

import pytest

from robustfim.errors import UsageError
from robustfim_words.persons.gender_swap import Gender
from robustfim_words.persons.people import NameOrigins, register
from robustfim_words.persons.titles import Titles
from robustfim_words.things.fairness import Nationalities, Religions
from tests.plugins.robustfim_words.samples import texts


def test_a_nationality_changes_with_its_country() -> None:
    assert texts(Nationalities(to=["Norway"]), "A Polish film from Poland.") == ["A Norwegian film from Norway."]


def test_a_word_that_is_adjective_and_country_is_swapped_once() -> None:
    found = texts(Nationalities(to=["Norway"]), "A New Zealand film, and a New Zealand actor.")
    assert found == ["A Norwegian film, and a Norwegian actor."]


def test_a_country_that_is_not_listed_is_refused_with_the_nearest_and_so_is_an_empty_list() -> None:
    with pytest.raises(UsageError, match=r"to: unknown 'Norwey'. Did you mean 'Norway'"):
        Nationalities(to=["Norwey"])
    with pytest.raises(UsageError, match="to: the list is empty"):
        Religions(to=[])


def test_a_religion_is_swapped_with_its_house_and_clergy() -> None:
    text = "The vicar left his church, and Christians prayed."
    assert texts(Religions(to=["jewish"]), text) == ["The rabbi left his synagogue, and Jews prayed."]
    assert texts(Religions(to=["muslim"]), "a Jewish wedding and an old rabbi") == ["a Muslim wedding and an old imam"]


def test_first_names_follow_the_pronouns_and_family_names_change_with_them() -> None:
    found = texts(Gender(), "Kirsten Dunst is great, and she knows it.")
    assert found
    for text in found:
        name, family = text.split(" ")[:2]
        assert text.split(", ")[1] == "and he knows it."
        assert family != "Dunst"
        assert register().genders(name) >= {"male"}


def test_new_names_are_of_another_origin_and_of_the_one_asked_for() -> None:
    found = texts(NameOrigins(to=["indian"]), "Kirsten Dunst is great.")
    assert found
    for text in found:
        given, family = text.split(" ")[:2]
        assert "indian" in register().origins_of(("given", given.casefold()))
        assert "indian" in register().origins_of(("family", family.casefold()))
    for text in texts(NameOrigins(), "Hiroshi Tanaka is great."):
        assert "japanese" not in register().origins_of(("family", text.split(" ")[1].casefold()))
    with pytest.raises(UsageError, match=r"to: unknown 'indien'. Did you mean 'indian'"):
        NameOrigins(to=["indien"])


@pytest.mark.parametrize(
    ("text", "titled"),
    [
        ("We met Mrs. Jones; Mrs. Jones left.", ["We met Ms. Jones; Ms. Jones left."]),
        ("We met Ms Jones.", ["We met Miss Jones.", "We met Mrs Jones."]),
        ("We met Sen. Jones.", ["We met Senator Jones."]),
        ("we met dr . jones .", ["we met doctor jones ."]),
        (
            "We met Dr. Jones at the university.",
            ["We met Doctor Jones at the university.", "We met Professor Jones at the university."],
        ),
        ("We met Mr. Jones, Sir Adam Jones and King Jones.", []),
        ("We met Mr. and Mrs. Jones.", []),
        ("We met Ms. Jones; Dr. Jones left.", []),
    ],
)
def test_a_title_changes_for_one_of_the_same_person(text: str, titled: list[str]) -> None:
    assert sorted(texts(Titles(), text)) == titled


def test_a_malformed_table_is_named(tmp_path: Path) -> None:
    (tmp_path / "wrong.tsv").write_text("Mr.\tman\tcivil\n", encoding="utf-8")
    with pytest.raises(UsageError, match=r"wrong\.tsv:1: unknown 'man'"):
        Titles(source=tmp_path / "wrong.tsv")


def test_an_adherent_is_one_person_behind_an_article() -> None:
    assert "It is typical of a Jew to sing." in texts(Religions(to=["jewish"]), "It is typical of a Muslim to sing.")


def test_a_greeting_is_no_name_and_a_pair_of_both_stays() -> None:
    assert all(text.startswith("Hi ") for text in texts(Gender(), "Hi Y'all, her dog is here."))
    assert texts(Gender(), "All actors and actresses came.") == []


def test_a_house_of_religion_that_tells_something_else_stays() -> None:
    assert texts(Religions(), "The church bazaar was fun.") == []


def test_a_word_before_a_noun_and_what_goes_with_another_word_turn_too() -> None:
    assert "Male pilots met his ex-wife." in texts(Gender(names=False), "Women pilots met her ex-husband.")
