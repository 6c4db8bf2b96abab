"""Words and marks as rewrites are compared by."""

from __future__ import annotations

import doctest

from hypothesis import given
from hypothesis import strategies as st

import robustfim_sears.paraphrase.surface
import robustfim_sears.rule.article
from robustfim_sears.paraphrase.surface import compared, words
from robustfim_sears.rule.article import agreeing


def test_the_examples_hold() -> None:
    assert doctest.testmod(robustfim_sears.paraphrase.surface).failed == 0
    assert doctest.testmod(robustfim_sears.rule.article).failed == 0


@given(st.text(max_size=60))
def test_nothing_but_white_space_is_lost(text: str) -> None:
    lost = "".join(text.casefold().replace("’", "'").split())
    assert "".join(compared(text)).replace("an", "a") == lost.replace("an", "a")


@given(st.text(max_size=60))
def test_words_are_words_of_letters_in_order(text: str) -> None:
    places = words(text)
    assert places == sorted(places)
    assert all(text[start:end][0].isalnum() for start, end in places)


def test_contractions_are_two_words_however_they_are_written() -> None:
    assert compared("Isn't it") == compared("is n't it") == ("is", "n't", "it")
    assert compared("What's") == compared("what 's")
    assert compared("???") == ("???",)
    assert compared("rock-and-roll 1,000.5 🎬🎬") == ("rock-and-roll", "1,000.5", "🎬", "🎬")


def test_an_article_agrees_with_the_word_behind_it() -> None:
    def changed(text: str, old: str, new: str) -> str:
        start = text.index(old)
        begin, after = agreeing(text, start, start + len(old), new)
        return text[:begin] + after + text[start + len(old) :]

    assert changed("an awful film", "awful", "dreadful") == "a dreadful film"
    assert changed("A film", "film", "enjoyable film") == "An enjoyable film"
    assert changed("A dull film", "dull", "odd") == "An odd film"
    assert changed("AN ODD FILM", "ODD", "WEIRD") == "A WEIRD FILM"
    assert changed("a unique film", "unique", "odd") == "an odd film"
    assert changed("an hour", "hour", "one-hour show") == "a one-hour show"
    assert changed("an awful film", "awful", "odious") == "an odious film"
    assert changed("the awful film", "awful", "dreadful") == "the dreadful film"
