"""docs/languages.md: what it says works in other languages does, and English swaps leave them alone."""

from __future__ import annotations

import re

import pytest

import robustfim
from robustfim_words import robustfim_offers
from robustfim_words.languages.language import known_languages, language
from tests.docs.page import DOCS

TEXT = (DOCS / "languages.md").read_text(encoding="utf-8")
RUSSIAN = "Фильм очень хороший, и актёры играют прекрасно."
SPANISH = "La película es larga, pero los actores trabajan muy bien y el final me gustó."


def named(row: str) -> list[str]:
    (found,) = re.findall(rf"^\| {row} \| (.*) \|$", TEXT, re.MULTILINE)
    return re.findall(r"`(\w+)`", found)


@pytest.mark.parametrize("name", named("any script with words"))
def test_it_changes_a_text_in_any_script(name: str) -> None:
    assert all(robustfim.perturb(name, [RUSSIAN, SPANISH], candidates=2).texts), name


@pytest.mark.parametrize("name", named("Latin letters"))
def test_it_changes_a_text_in_latin_letters(name: str) -> None:
    assert robustfim.perturb(name, [SPANISH], candidates=2).texts[0], name


@pytest.mark.parametrize("name", ["synonyms", "nouns", "contractions", "articles", "negation", "antonyms", "openers"])
def test_an_english_swap_finds_nothing_in_another_script(name: str) -> None:
    assert robustfim.perturb(name, [RUSSIAN], candidates=2).texts == [[]]


def test_the_table_names_every_perturbation_of_the_languages() -> None:
    offered = {name for name in robustfim_offers()["perturbations"] if "/" in name}
    assert set(re.findall(r"`(languages/\w+)`(?=.* \|$)", TEXT, re.MULTILINE)) == offered


def test_the_page_names_every_language() -> None:
    for code in known_languages():
        assert language(code).grammar.name in TEXT


def test_a_suite_names_a_perturbation_and_its_language() -> None:
    found = robustfim.perturb({"use": "languages/people", "language": "de"}, ["Anna wohnt in Berlin."], candidates=2)
    assert all(text.endswith(" wohnt in Berlin.") for text in found.texts[0])
    assert len(found.texts[0]) == 2
