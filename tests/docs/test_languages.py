"""docs/languages.md: what it says works in other languages does, and English swaps leave them alone."""

from __future__ import annotations

import re

import pytest

import robustfim
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
