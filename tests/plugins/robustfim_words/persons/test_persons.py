"""Which words are persons: full names by lists and by shape, lone names, and the genders that fit them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import robustfim_reference
from robustfim.errors import UsageError
from robustfim.example import Example
from robustfim.seeds import random_for
from robustfim_words.persons.people import People
from robustfim_words.persons.persons import Persons
from robustfim_words.tagging.tagger import tagger
from tests.plugins.robustfim_words.reviews_with_names import NAMES_IN_REVIEWS
from tests.plugins.robustfim_words.samples import sentences

REVIEWS = Path(robustfim_reference.__file__).parent / "reviews" / "reviews.jsonl"


@pytest.fixture(scope="module")
def people() -> People:
    return People()


def found(people: People, text: str) -> Persons:
    return Persons.find(Example({"text": text}), {"text": tagger(None).tag(text)}, people._register)


def named(people: People, text: str) -> list[str]:
    """List the texts of the mentions, in order."""
    tokens = tagger(None).tag(text)
    return [text[tokens[mention.first].start : mention.end] for mention in found(people, text).mentions]


def renamed(people: People, text: str, seed: int = 0) -> list[str]:
    source = Example({"text": text})
    return [candidate.example.fields["text"] for candidate in people.propose(source, random_for(seed, "people"))]


@pytest.mark.parametrize(
    ("text", "names"),
    sentences("test_names_are_found_by_lists_titles_and_shape"),
)
def test_names_are_found_by_lists_titles_and_shape(people: People, text: str, names: list[str]) -> None:
    assert named(people, text) == names


@pytest.mark.parametrize(
    "text",
    sentences("test_places_titles_and_capitals_are_no_persons"),
)
def test_places_titles_and_capitals_are_no_persons(people: People, text: str) -> None:
    assert named(people, text) == []


def test_an_unlisted_given_name_takes_the_gender_of_the_pronouns(people: People) -> None:
    register = people._register
    for text, gender in (
        ("Yrvold Drazkowicz plays her mother.", "female"),
        ("Yrvold Drazkowicz hurt his arm.", "male"),
    ):
        for changed in renamed(people, text):
            assert gender in register.genders(changed.split()[0])
    assert found(people, "Yrvold Drazkowicz sings.").genders[("given", "yrvold")] == {"female", "male"}


def test_a_person_whose_gender_the_pronouns_leave_open_keeps_both_names(people: People) -> None:
    assert renamed(people, "Yrvold Drazkowicz sings; he likes her.") == []


def test_roles_before_a_full_name_stay(people: People) -> None:
    made = renamed(people, "The chief of staff met U.N. Secretary-General Kirsten Dunst in the hall.")
    assert made
    assert all(" met U.N. Secretary-General " in text and "Dunst" not in text for text in made)


def test_a_full_name_of_a_text_is_one_in_its_headline(people: People) -> None:
    made = renamed(people, "Dunst Asks to Play Larger Role Soon\nKirsten Dunst wants a larger role.")
    assert made
    assert all("Dunst" not in text and " Asks to Play" in text for text in made)


def test_a_title_tells_the_gender(people: People) -> None:
    assert found(people, "I met Dame Yrvold Drazkowicz.").genders[("given", "yrvold")] == {"female"}


def test_new_names_are_no_ordinary_words(people: People) -> None:
    from robustfim_words.text.inflection import is_word

    text = "I saw Kirsten Dunst."
    new = {changed[6:-1].split()[0] for seed in range(10) for changed in renamed(people, text, seed)}
    assert len(new) > 50
    assert not [name for name in new if is_word(name)]


def test_persons_in_the_bundled_reviews_are_found(people: People) -> None:
    """Sixty reviews drawn at random, their names written down by a reader; measured by the word."""
    reviews = [json.loads(line)["text"] for line in REVIEWS.read_text(encoding="utf-8").splitlines()]
    hit = missed = wrong = read = 0
    for beginning, names in NAMES_IN_REVIEWS.items():
        text = next((text for text in reviews if text.startswith(beginning)), None)
        if text is None:
            continue
        read += 1
        gold = {word for name in names for word in name.split()}
        words = {word for name in named(people, text) for word in name.split()}
        hit, missed, wrong = hit + len(gold & words), missed + len(gold - words), wrong + len(words - gold)
    assert read >= 50
    assert hit / (hit + missed) >= 0.9
    assert hit / (hit + wrong) >= 0.95


def test_a_row_of_names_is_no_headline(people: People) -> None:
    assert named(people, "In March 2007 Fabio Rossi and Chiara Bianchi left.") == [
        "Fabio",
        "Rossi",
        "Chiara",
        "Bianchi",
    ]


@pytest.mark.parametrize("name", ["justin", "JUSTIN", "Justin"])
def test_a_word_that_is_nothing_but_a_given_name_is_one_in_any_case(people: People, name: str) -> None:
    changed = renamed(people, f"I saw {name} on the bus again. He waved.")
    assert changed
    assert all(name not in text for text in changed)
    new = [text.removeprefix("I saw ").split(" on the")[0] for text in changed]
    assert {(word.islower(), word.isupper()) for word in new} == {(name.islower(), name.isupper())}


@pytest.mark.parametrize(
    ("fields", "texts"),
    [
        (
            {"text": "Kirsten Dunst is better than Nicole Kidman, and Dunst knows it. Tom Hanks sings."},
            {
                "Nicole Kidman is better than Nicole Kidman, and Kidman knows it. Tom Hanks sings.",
                "Kirsten Dunst is better than Kirsten Dunst, and Dunst knows it. Tom Hanks sings.",
            },
        ),
        (
            {"question": "Did Tom Hanks win?", "passage": "Brad Pitt lost to Mr. Grant."},
            {"Did Brad Pitt win? Brad Pitt lost to Mr. Grant.", "Did Tom Hanks win? Tom Hanks lost to Mr. Grant."}
            | {
                f"Did Tom Hanks win? Brad Pitt lost to Mr. {name}." for name in ("Pitt", "Hanks")
            },  # a family name for one, and none for a full name
        ),
        ({"text": "Kirsten Dunst sings, and Brad Pitt dances."}, set()),  # nobody else of a fitting gender
        ({"text": "Kirsten Dunst sings."}, set()),
    ],
)
def test_a_name_of_the_passage_is_that_of_another_person_in_it(fields: dict[str, str], texts: set[str]) -> None:
    proposed = People(from_="passage").propose(Example(fields), random_for(0, "people"))
    assert {" ".join(candidate.example.fields.values()) for candidate in proposed} == texts


def test_names_of_the_passage_are_of_no_chosen_origin() -> None:
    with pytest.raises(UsageError, match="the names come from the passage"):
        People(from_="passage", same_origin=True)
