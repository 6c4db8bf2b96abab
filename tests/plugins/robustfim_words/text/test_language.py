"""The language of a text, and what it keeps from being changed."""

from __future__ import annotations

import pytest

from robustfim_words.form.typos import Typos
from robustfim_words.swaps.synonyms import Synonyms
from robustfim_words.text.language import english
from robustfim_words.things.places import Places
from tests.plugins.robustfim_words.samples import texts


@pytest.mark.parametrize(
    "text",
    [
        "Das Essen war sehr gut und nicht teuer.",
        "Ich hasse Regen.",
        "Le film est une belle surprise pour les enfants.",
        "La comida no está mal, pero el servicio es muy lento.",
        "Il film non è una sorpresa, ma gli attori sono bravi.",
        "Het eten was niet goed en de kamer ook niet.",
        "Еда была очень вкусной.",
        "这部电影很好看。",
    ],
)
def test_another_language_is_told_and_its_texts_stay(text: str) -> None:
    synonyms = Synonyms()
    assert not english(text)
    assert texts(synonyms, text) == texts(Places(), text) == []
    assert synonyms.skipped == {"not English": 1}
    assert Typos().skipped == {}


@pytest.mark.parametrize(
    "text",
    [
        "Good.",
        "C'est la vie, as they say in Lyon, and it is true.",
        "Hotel Alpenblick, Dorfstrasse 3",
        "a soulless , stupid sequel",
        "What do animals do?",
        "12 + 3",
        "",
    ],
)
def test_english_and_what_is_too_short_to_tell_are_no_other_language(text: str) -> None:
    assert english(text)
