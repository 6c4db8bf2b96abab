from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from robustfim.example import Example
from robustfim.seeds import random_for
from robustfim_words.persons.people import People
from robustfim_words.things.organisations import Organisations
from robustfim_words.things.places import Places
from tests.plugins.robustfim_words.samples import TABLES, perturbation, sentences, texts

FEMALE = {"Nicole", "Anna", "Claire", "Hope", "Mary", "Emma", "Paris", "Kirsten"}
MALE = {"Tom", "Woody", "James", "Pierre", "Hans", "Marco"}
FAMILY = {"Dunst", "Schmidt", "Kidman", "Allen", "Jones", "Hilton", "Dupont", "De Niro", "Rossi"}


@pytest.fixture
def people(tmp_path: Path) -> Any:
    return perturbation("people", tmp_path)


@pytest.fixture
def places(tmp_path: Path) -> Any:
    return perturbation("places", tmp_path)


@pytest.fixture
def organisations(tmp_path: Path) -> Any:
    return perturbation("organisations", tmp_path)


def matches(pattern: str, found: list[str]) -> list[re.Match[str]]:
    """Match every text as a whole; fail where there is none or one does not match."""
    made = [re.fullmatch(pattern, text) for text in found]
    assert made, "nothing was proposed"
    assert None not in made, (pattern, found)
    return [match for match in made if match]


def test_a_person_is_renamed_everywhere_and_keeps_the_gender(people: Any) -> None:
    text = "Kirsten Dunst is here. I like Dunst's voice, and Kirsten knows."
    for match in matches(r"(\S+) ((?:De )?\S+) is here\. I like \2's voice, and \1 knows\.", texts(people, text)):
        assert match[1] in FEMALE - {"Kirsten"}
        assert match[2] in FAMILY - {"Dunst"}


def test_two_persons_are_renamed_one_at_a_time(people: Any) -> None:
    text = "I saw Kirsten Dunst with Tom Jones."
    for renamed in texts(people, text):
        assert ("Kirsten Dunst" in renamed) != ("Tom Jones" in renamed)


def test_a_family_changes_its_name_together(people: Any) -> None:
    found = matches(r"We met (\S+) ((?:De )?\S+) and (\S+) \2\.", texts(people, "We met Tom Jones and Mary Jones."))
    assert all(match[1] in MALE and match[3] in FEMALE for match in found)


def test_an_unknown_family_name_behind_a_given_one_is_replaced_as_well(people: Any) -> None:
    text = "I think Kirsten Quennell is good. Quennell sings."
    matches(r"I think (?!Kirsten)\S+ ((?!Quennell)(?:De )?\S+) is good\. \1 sings\.", texts(people, text))


def test_a_name_of_two_words_is_one(people: Any) -> None:
    matches(r"He likes Mr\. \S+ here\.", [t for t in texts(people, "He likes Mr. De Niro here.") if "Ni" not in t])


def test_a_lone_family_name_is_a_person_where_it_stands_for_one(people: Any) -> None:
    assert texts(people, "I saw Jones there.")
    assert texts(people, "The Jones scale was new.") == []
    assert texts(people, "Jones began to write.")
    assert texts(people, "It was Murphy's law.") == []
    assert texts(people, "It was Jones's novel.")
    assert texts(people, "I saw Mr. Jones there.")
    assert all("Jones" not in text for text in texts(people, "I saw Jones there, I mean Tom Jones."))


def test_a_lone_name_behind_in_is_a_place_but_for_its_possessive_and_one_that_is_sure_elsewhere(people: Any) -> None:
    assert texts(people, "We met in Claire.") == []
    assert texts(people, "We met in Claire's house.")
    assert all("Claire" not in text for text in texts(people, "I saw Claire Dunst. We believe in Claire."))


def test_a_bare_possessive_becomes_a_full_one(people: Any) -> None:
    matches(r"I loved Mr\. (?:Schmidt's|Dunst's|Kidman's|Allen's|Hilton's|Dupont's|Rossi's|De Niro's) film\.",
            texts(people, "I loved Mr. Jones' film."))  # fmt: skip


def test_capitals_and_small_letters_are_kept(people: Any) -> None:
    assert all(text.isupper() for text in texts(people, "WE LOVE KIRSTEN DUNST"))
    lowered = texts(people, "we saw kirsten dunst and dunst was good")
    assert lowered
    assert all(text.islower() and "dunst" not in text for text in lowered)


def test_an_unknown_family_name_in_small_letters_stands_behind_a_given_one(people: Any) -> None:
    text = "the star is kirsten quennell , and quennell's voice is good ."
    for match in matches(r"the star is (\S+) ((?:de )?\S+) , and \2's voice is good \.", texts(people, text)):
        assert match[1].title() in FEMALE


def test_the_article_before_a_name_agrees(people: Any) -> None:
    text = "It is a Dunst film, by Kirsten Dunst."
    for match in matches(r"It is (an?) (\S+|De Niro) film, by \S+ \2\.", texts(people, text)):
        assert (match[1] == "an") == (match[2][0] in "AEIOU")


def test_the_same_origin_can_be_asked_for(tmp_path: Path) -> None:
    made = perturbation("people", tmp_path, same_origin=True)
    assert set(texts(made, "I saw Kirsten Dunst.")) == {"I saw Anna Schmidt."}


def test_new_names_of_a_person_are_of_one_origin(people: Any) -> None:
    origin = {line.split("\t")[0]: line.split("\t")[3] for line in TABLES["people"].splitlines()[1:]}
    for match in matches(r"I saw (\S+) (.+)\.", texts(people, "I saw Kirsten Dunst.")):
        assert origin[match[1]] == origin[match[2]]


def test_a_name_in_another_field_changes_too(people: Any) -> None:
    source = Example({"premise": "I met Kirsten Dunst.", "hypothesis": "Dunst is an actor."})
    for candidate in people.propose(source, random_for(1)):
        assert {edit.field for edit in candidate.edits} == {"premise", "hypothesis"}


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("He lives in Paris.", {"London", "Lyon", "New York", "New York City", "Austin", "Oslo"}),
        ("He lives in New York City.", {"London", "Lyon", "Paris", "Austin", "Oslo"}),
        ("He lives in Norway.", {"France", "Austria"}),
        ("He lives in Asia.", {"Africa"}),
        ("He lives in Texas.", {"Bavaria"}),
    ],
)
def test_a_place_gives_way_to_its_kind(places: Any, text: str, kinds: set[str]) -> None:
    drawn = {match[1] for match in matches(r"He lives in (.+)\.", texts(places, text))}
    assert drawn
    assert drawn <= kinds


@pytest.mark.parametrize(
    ("text", "renamed"),
    sentences("test_places_are_found_in_datelines_and_in_small_letters"),
)
def test_places_are_found_in_datelines_and_in_small_letters(places: Any, text: str, renamed: str) -> None:
    matches(renamed, texts(places, text))


def test_a_country_stays_beside_its_city_and_the_city_stays_in_it(places: Any) -> None:
    assert texts(places, "Born in Paris, France, she loves Paris.") == []
    assert texts(places, "Born in Paris, she loves Paris.")


def test_a_place_with_its_article_is_one_at_the_beginning_of_a_sentence_and_inside(tmp_path: Path) -> None:
    table = tmp_path / "articles.tsv"
    rows = ("the Netherlands", "the Gambia", "Norway")
    table.write_text("".join(f"{name}\tcountry\t{name}\n" for name in rows), encoding="utf-8")
    made = Places(source=table)
    assert set(texts(made, "The Netherlands is flat. I love the Netherlands.")) == {
        "The Gambia is flat. I love the Gambia.",
        "Norway is flat. I love Norway.",
    }
    assert set(texts(made, "Norway is cold, and I love Norway.")) == {
        "The Netherlands is cold, and I love the Netherlands.",
        "The Gambia is cold, and I love the Gambia.",
    }


def test_all_mentions_of_a_place_change_together(places: Any) -> None:
    matches(r"I know (.+)\. (?!Oslo)\1's streets are long\.", texts(places, "I know Oslo. Oslo's streets are long."))


def test_an_organisation_gives_way_to_its_kind_with_article_and_possessive(organisations: Any) -> None:
    assert set(texts(organisations, "It is a Netflix film, and Netflix's best.")) == {
        "It is an HBO film, and HBO's best.",
        "It is an Amazon Prime film, and Amazon Prime's best.",
    }
    assert set(texts(organisations, "I like Warner Brothers' new film.")) == {"I like Paramount's new film."}


@pytest.mark.parametrize(
    "text",
    [
        "A day in the city of Orange is long.",
    ],
)
def test_an_organisation_that_is_told_by_its_people_or_its_code_stays(text: str) -> None:
    assert texts(Organisations(), text) == []
    assert texts(Organisations(), "The Boston Celtics won, says Microsoft.")


def test_a_possessive_name_is_not_drawn_again(tmp_path: Path) -> None:
    made = perturbation("people", tmp_path)
    for seed in range(40):
        for text in texts(made, "Woody Allen’s best film.", seed):
            assert not {"Woody", "Allen’s"} & set(text.split(" "))


def test_a_place_gives_way_to_one_of_its_part_of_the_world_where_there_are_enough(tmp_path: Path) -> None:
    table = tmp_path / "near.tsv"
    near, far = ("Norway", "Sweden", "Denmark", "Iceland"), ("Chile", "Peru")
    table.write_text("".join(f"{name}\tcountry\t{name}\n" for name in (*near, *far)), encoding="utf-8")
    made = Places(source=table)
    assert set(texts(made, "Norway is flat.")) == {f"{name} is flat." for name in near[1:]}
    assert "I love Peru." in texts(made, "I love Chile.")


def test_a_couple_is_renamed_together_and_a_saint_not_at_all() -> None:
    people = People()
    couple = [text.removesuffix(" gave money.").split() for text in texts(people, "Bill and Melinda Gates gave money.")]
    assert couple
    assert all(one != "Bill" and joint == "and" and family != "Gates" for one, joint, _, family in couple)
    assert texts(people, "We went to St. Thomas last year.") == []
    assert all(
        text.startswith("Sam ") is ("Neill" in text) for text in texts(people, "Sam Neill and Meryl Streep met.")
    )
