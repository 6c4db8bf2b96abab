from __future__ import annotations

import re
import string
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from robustfim.answer import NO_ANSWER, gold_answers, normal_form


def squad(text: str) -> str:
    """The normalisation of SQuAD's evaluation script (Rajpurkar et al. 2016), step by step."""
    lower = text.lower()
    without_punctuation = "".join(character for character in lower if character not in set(string.punctuation))
    without_articles = re.sub(r"\b(a|an|the)\b", " ", without_punctuation)
    return " ".join(without_articles.split())


@given(st.text(alphabet="aAnTthe .,!?'-é1\t\n", max_size=30))
def test_the_form_is_that_of_squads_evaluation_wherever_that_leaves_anything(text: str) -> None:
    if squad(text):
        assert normal_form(text) == squad(text)


@given(st.text(max_size=40))
def test_the_form_of_a_form_is_itself(text: str) -> None:
    assert normal_form(normal_form(text)) == normal_form(text) != ""


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("The Eiffel Tower", "eiffel tower"),
        ("  1,500\tmetres. ", "1500 metres"),
        ("A", "a"),
        ("The.", "the."),
        ("?", "?"),
        ("", NO_ANSWER),
        (" \n", NO_ANSWER),
        ("(no answer)", NO_ANSWER),
        ("no answer", "no answer"),
    ],
)
def test_an_answer_is_never_lost(text: str, form: str) -> None:
    assert normal_form(text) == form


@pytest.mark.parametrize(
    ("value", "answers"),
    [
        (["1871", "in 1871", "1871"], ["1871", "in 1871"]),
        (("a", "b"), ["a", "b"]),
        ({"text": ["red"], "answer_start": [3]}, ["red"]),
        ({"text": [], "answer_start": []}, [NO_ANSWER]),
        ([], [NO_ANSWER]),
        ("red", None),
        (None, None),
        (3, None),
        ([1, 2], None),
        ({"other": ["x"]}, None),
    ],
)
def test_gold_answers_are_read_where_a_column_holds_several(value: Any, answers: list[str] | None) -> None:
    assert gold_answers(value) == answers
