"""Spelling, short forms, slang, misspellings and homophones."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from scipy.stats import binomtest

from robustfim.errors import UsageError
from robustfim.example import Example
from robustfim_words.swaps.table_swaps import Abbreviations, Homophones, Misspellings, RegionalSpelling, Slang
from robustfim_words.text import inflection
from robustfim_words.text.lexicon import LEXICONS, read_table
from tests.plugins.robustfim_words.samples import texts


def test_the_tables_are_large() -> None:
    spelling = read_table(LEXICONS / "regional_spelling.tsv", ("british", "american", "direction"))
    assert len(spelling) >= 300
    assert len(read_table(LEXICONS / "abbreviations.tsv", ("full", "short", "direction"))) >= 100
    assert len(read_table(LEXICONS / "slang.tsv", ("standard", "slang", "before"))) >= 100


def test_no_misspelling_is_another_word() -> None:
    table = read_table(LEXICONS / "misspellings.tsv", ("right", "wrong"))
    wrong = [word for _, cell in table for word in cell.split(", ") if " " not in word]
    assert {word for word in wrong if inflection.is_word(word)} <= {"alright", "occured", "refered"}


def test_the_direction_of_abbreviations_can_be_chosen() -> None:
    assert texts(Abbreviations(to="full"), "A television or a TV.") == ["A television or a television."]
    assert texts(Abbreviations(to="short"), "A television or a TV.") == ["A TV or a TV."]


def test_going_to_a_place_is_not_gonna() -> None:
    assert not any("gonna" in text for text in texts(Slang(), "I am going to Rome."))


def test_a_contraction_is_not_torn_apart() -> None:
    assert texts(Homophones(), "There's one.") == []
    assert "Their is one." in texts(Homophones(), "There is one.")
    assert "More then that." in texts(Homophones(), "More than that.")


def test_a_misspelling_keeps_the_article() -> None:
    assert "an excelent end" in texts(Misspellings(), "an excellent end")
    assert "I like it alot." in texts(Misspellings(), "I like it a lot.")


@pytest.mark.parametrize("made", [RegionalSpelling, Abbreviations])
def test_an_unknown_direction_is_refused(made: type) -> None:
    with pytest.raises(UsageError, match="to: unknown 'east'"):
        made(to="east")


def test_a_table_of_ones_own_is_read(tmp_path: Path) -> None:
    (tmp_path / "mine.tsv").write_text("film\tfillum, flim\n", encoding="utf-8")
    assert texts(Misspellings(source=tmp_path / "mine.tsv"), "A film.") == ["A fillum.", "A flim."]


def test_the_commonest_word_of_a_shipped_table_is_replaced_in_a_part_of_the_texts(tmp_path: Path) -> None:
    table = tmp_path / "own.tsv"
    table.write_text("and\t&\tto_short\n", encoding="utf-8")
    shipped, own = Abbreviations(), Abbreviations(source=table)
    random = Random(0)
    examples = [Example({"text": f"Anna and Bert saw number {number}."}) for number in range(300)]
    changed = sum(any("and → &" in edit.origin for edit in shipped.edits(example, random)) for example in examples)
    assert binomtest(changed, 300, 0.22).pvalue > 0.001
    assert all(list(own.edits(example, random)) for example in examples)
