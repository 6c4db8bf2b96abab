"""The language of a text, and what it keeps from being changed."""

from __future__ import annotations

import pytest

from robustfim_words.form.typos import Typos
from robustfim_words.swaps.synonyms import Synonyms
from robustfim_words.text.language import english
from robustfim_words.things.places import Places
from tests.plugins.robustfim_words.samples import sentences, texts


@pytest.mark.parametrize(
    "text",
    sentences("test_another_language_is_told_and_its_texts_stay"),
)
def test_another_language_is_told_and_its_texts_stay(text: str) -> None:
    synonyms = Synonyms()
    assert not english(text)
    assert texts(synonyms, text) == texts(Places(), text) == []
    assert synonyms.skipped == {"not English": 1}
    assert Typos().skipped == {}


@pytest.mark.parametrize(
    "text",
    sentences("test_english_and_what_is_too_short_to_tell_are_no_other_language"),
)
def test_english_and_what_is_too_short_to_tell_are_no_other_language(text: str) -> None:
    assert english(text)
