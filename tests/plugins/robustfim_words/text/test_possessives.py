"""Possessives agree with the word that takes another's place."""

from __future__ import annotations

import pytest

from robustfim.candidate import Edit
from robustfim_words.text.articles import agreeing
from tests.plugins.robustfim_words.samples import sentences


@pytest.mark.parametrize(
    ("text", "old", "new", "plural", "made"),
    sentences("test_the_apostrophe_follows_the_new_word"),
)
def test_the_apostrophe_follows_the_new_word(text: str, old: str, new: str, plural: bool, made: str) -> None:
    start = text.index(old)
    edit = agreeing(text, Edit("text", start, start + len(old), old, new, "x"), plural=plural)
    assert text[edit.start : edit.end] == edit.before
    assert text[: edit.start] + edit.after + text[edit.end :] == made
