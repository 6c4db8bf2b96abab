from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from robustfim_words.text.articles import indefinite_article
from robustfim_words.text.casing import like, like_name
from robustfim_words.text.tokens import tokenise
from tests.plugins.robustfim_words.samples import sentences


@given(st.text())
def test_tokens_cover_all_but_white_space_and_do_not_overlap(text: str) -> None:
    end = 0
    for token in tokenise(text):
        assert token.start >= end
        assert text[token.start : token.end] == token.text
        assert not text[end : token.start].strip()
        end = token.end
    assert not text[end:].strip()


@given(st.text(alphabet=st.characters(categories=["L", "M", "N"]), min_size=1))
def test_a_combining_mark_never_begins_a_token_behind_a_letter(text: str) -> None:
    import unicodedata

    for token in tokenise(text)[1:]:
        assert unicodedata.category(token.text[0])[0] != "M"


@pytest.mark.parametrize(
    ("text", "words"),
    sentences("test_words_keep_what_belongs_to_them"),
)
def test_words_keep_what_belongs_to_them(text: str, words: list[str]) -> None:
    assert [token.text for token in tokenise(text)] == words


def test_sentences_start_after_stops_and_not_after_abbreviations() -> None:
    text = 'Mr. Smith left. "Then J. R. Ewing came!" He said: hello...\nwhat a day'
    starts = [token.text for token in tokenise(text) if token.starts]
    assert starts == ["Mr", "Then", "He", "what"]


def test_a_possessive_is_cut_off_and_a_plural_is_not() -> None:
    (token,) = tokenise("Dunst's")
    assert (token.base, token.base_end) == ("Dunst", 5)
    (token,) = tokenise("actors")
    assert (token.base, token.base_end) == ("actors", 6)


@pytest.mark.parametrize(
    ("model", "word", "written"),
    sentences("test_case_is_carried_over"),
)
def test_case_is_carried_over(model: str, word: str, written: str) -> None:
    assert like(model, word) == written


def test_a_name_keeps_its_own_capitals_in_a_text_that_has_them() -> None:
    assert [like_name(model, "de Niro") for model in ("Dunst", "dunst", "DUNST")] == ["de Niro", "de niro", "DE NIRO"]


AN = """hour honest honour heirloom apple onerous MRI FBI 8 80 800 11 18 1800 11,000 unimportant uninteresting urban
utter usher umbrella undead unironic NYPD X-ray A-list éclair Uma uncle ugly ulcer upbeat udder ultra uproar HBO
honorary unassuming 8-year-old eighteen unusual ESPN"""
A = """one once one-off university unit uniform unique union unilateral use useful usual utopia utensil euro European
ewe ouija UFO UK U-turn NASA USA ukulele uranium urologist unanimous 7 1 100 110 12 house historic B-movie TV yes
usable Uruguayan ubiquitous 1,100,000 unicorn UN eulogy Ubisoft"""


@pytest.mark.parametrize("word", AN.split())
def test_an_stands_before_a_vowel_sound(word: str) -> None:
    assert indefinite_article(word) == "an"


@pytest.mark.parametrize("word", A.split())
def test_a_stands_before_a_consonant_sound(word: str) -> None:
    assert indefinite_article(word) == "a"
