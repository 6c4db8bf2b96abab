"""A language is its tables: what is in none, in several or in one without tables is left alone and counted."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from robustfim.errors import UsageError
from robustfim.example import Example
from robustfim_words import robustfim_first_suite
from robustfim_words.languages.language import Grammar, Language, language
from robustfim_words.persons.ages import AgesInLanguage as Ages
from robustfim_words.things.numbers import NumbersInLanguage as Numbers
from tests.plugins.robustfim_words.languages.spoken import SENTENCES, made

RUSSIAN = "Фильм очень хороший, и актёры играют прекрасно 14 раз."
DUTCH = "Het eten was niet goed en de 14 kamers ook niet."
MIXED = (
    "Die Katze sitzt seit 14 Tagen auf dem alten Tisch im Garten und schläft. "
    "The cat has been sitting on the old table in the garden for a long time."
)


def left(perturbation: Numbers, text: str) -> bool:
    return not list(perturbation.edits(Example({"text": text}), Random(0)))


def test_texts_that_are_left_alone_are_counted_by_reason() -> None:
    numbers = Numbers()
    assert not left(numbers, SENTENCES["de"][0])
    assert all(left(numbers, text) for text in (RUSSIAN, MIXED, DUTCH, "14"))
    assert all(left(numbers, text) for text in (RUSSIAN, MIXED))
    assert numbers.skipped == {"no tables of nl": 1, "several languages": 1, "language unknown": 2}


def test_a_named_language_is_believed() -> None:
    assert not left(Numbers(language="de"), RUSSIAN)


def test_an_unknown_language_is_refused_with_those_that_are_known() -> None:
    with pytest.raises(UsageError, match=r"'dee' is not known.*Did you mean 'de'"):
        language("dee")


def test_a_language_without_a_table_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    bare = Grammar(name="German", home="DE")
    monkeypatch.setattr(language("de"), "grammar", bare)
    with pytest.raises(UsageError, match="German has no ages"):
        Ages(language="de")


def test_a_misspelled_table_is_refused(tmp_path: Path) -> None:
    folder = tmp_path / "xx"
    folder.mkdir()
    (folder / "language.yaml").write_text("name: X\nhome: XX\nagess: []\n", encoding="utf-8")
    with pytest.raises(UsageError, match="agess"):
        Language(folder)


def test_the_words_of_names_are_no_names() -> None:
    spoken = language("de")
    assert "Anna" in spoken.first_names
    assert "Ernst" not in spoken.first_names
    assert made("people", "de").resources()


def test_a_first_suite_has_changes_of_a_language_if_texts_in_it_are_common() -> None:
    german, english = (Example({"text": text}) for text in (SENTENCES["de"][0], "It is good and they are new."))
    plain, checks = (robustfim_first_suite(data)["checks"] for data in ([english] * 20, [*[english] * 18, german]))
    assert robustfim_first_suite([])["checks"] == plain
    assert all(name.startswith("languages_") for name in checks.keys() - plain.keys())  # type: ignore[attr-defined]  # mappings
    assert checks["languages_people"]["perturb"] == {"use": "languages/people", "candidates": 5}  # type: ignore[index]  # a mapping of mappings
