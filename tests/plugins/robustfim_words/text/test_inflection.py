from __future__ import annotations

import pytest

from robustfim_words.swaps.word_swaps import POS
from robustfim_words.text.inflection import _tables, inflect, is_word, lemma, parts_of_speech
from robustfim_words.text.lexicon import LEXICONS, read_table
from tests.plugins.robustfim_words.samples import sentences

PLAIN = {"noun": "NN", "verb": "VB", "adjective": "JJ", "adverb": "RB"}


@pytest.mark.parametrize(
    ("word", "tag", "base"),
    sentences("test_a_lemma_inflects_back_to_the_word"),
)
def test_a_lemma_inflects_back_to_the_word(word: str, tag: str, base: str | None) -> None:
    assert lemma(word, tag) == base


def test_without_rules_only_the_tables_count() -> None:
    assert lemma("well-meaning", "JJ", rules=False) is None
    assert lemma("good", "JJ", rules=False) == "good"


@pytest.mark.parametrize(
    ("base", "tag", "form"),
    sentences("test_a_dictionary_form_is_inflected"),
)
def test_a_dictionary_form_is_inflected(base: str, tag: str, form: str | None) -> None:
    assert inflect(base, tag) == form


def test_every_head_of_the_synonyms_is_found_in_its_plain_form() -> None:
    part = "part of speech: " + "|".join(POS)
    heads = [(row[0], row[1]) for row in read_table(LEXICONS / "synonyms.tsv", ("lemma", part, "substitutes"))]
    assert len(heads) >= 600
    assert len(set(heads)) == len(heads)
    lost = [(base, pos) for base, pos in heads if " " not in base and lemma(base, PLAIN[pos]) != base]
    assert lost == []


def test_names_are_no_ordinary_words() -> None:
    assert is_word("film")
    assert not is_word("Dunst")


def test_the_words_are_those_of_the_whole_table_and_none_is_a_name_alone() -> None:
    listed = sorted(_tables().lemmas._getLemmaDict())[::50]
    some = [each for word in listed for each in (word, word.title(), f"{word}q")]
    assert [is_word(each) for each in some] == [bool(set(parts_of_speech(each)) - {"PROPN"}) for each in some]
