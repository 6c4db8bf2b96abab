"""The language of a text, and what it keeps from being changed."""

from __future__ import annotations

import pytest

from robustfim_texts import language_of
from robustfim_words.form.typos import Typos
from robustfim_words.swaps.synonyms import Synonyms
from robustfim_words.things.places import Places
from tests.plugins.robustfim_words.samples import prepared, sentences, texts


@pytest.mark.parametrize(
    "text",
    sentences("test_another_language_is_told_and_its_texts_stay"),
)
def test_another_language_is_told_and_its_texts_stay(text: str) -> None:
    synonyms = Synonyms()
    assert language_of(text, "en") != "en"
    assert texts(synonyms, text) == texts(Places(), text) == []
    assert synonyms.skipped == {"not English": 1}
    assert Typos().skipped == {}


@pytest.mark.parametrize(
    "text",
    sentences("test_english_and_what_is_too_short_to_tell_are_no_other_language"),
)
def test_english_and_what_is_too_short_to_tell_are_no_other_language(text: str) -> None:
    assert language_of(text, "en") == "en"


def test_a_short_text_among_german_ones_or_among_several_languages_is_not_taken_for_english() -> None:
    german, english = "Das ist nicht gut und auch nicht neu.", "It is good and they are new."
    among = {"en": [english] * 20, "de": [german] * 20, "several": [english, german] * 10}
    found = {name: prepared(Synonyms(), its) for name, its in among.items()}
    assert {name: bool(texts(its, "A great story")) for name, its in found.items()} == {
        "en": True, "de": False, "several": False,
    }  # fmt: skip
    assert {name: its.resources().get("main_language") for name, its in found.items()} == {
        "en": None, "de": "de", "several": "several",
    }  # fmt: skip
