"""Possessives agree with the word that takes another's place."""

from __future__ import annotations

import pytest

from robustfim.candidate import Edit
from robustfim_words.text.articles import agreeing


@pytest.mark.parametrize(
    ("text", "old", "new", "plural", "made"),
    [
        ("the kids' room", "kids", "children", True, "the children's room"),
        ("THE KIDS' ROOM", "KIDS", "CHILDREN", True, "THE CHILDREN'S ROOM"),
        ("the children’s room", "children", "kids", True, "the kids’ room"),
        ("the actress' room", "actress", "actor", False, "the actor's room"),
        ("the waiter's room", "waiter", "waitress", False, "the waitress's room"),
        ("the kids' room", "kids", "youths", True, "the youths' room"),
        ("'films for kids' they say", "kids", "children", True, "'films for children' they say"),
        ("kids play", "kids", "children", True, "children play"),
        ("my kids", "kids", "children", True, "my children"),
    ],
)
def test_the_apostrophe_follows_the_new_word(text: str, old: str, new: str, plural: bool, made: str) -> None:
    start = text.index(old)
    edit = agreeing(text, Edit("text", start, start + len(old), old, new, "x"), plural=plural)
    assert text[edit.start : edit.end] == edit.before
    assert text[: edit.start] + edit.after + text[edit.end :] == made
