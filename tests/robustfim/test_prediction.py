from __future__ import annotations

import re
import string
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from robustfim.example import Example
from robustfim.prediction import NO_ANSWER, Prediction, gold_answers, normal_form

LABELS = ("negative", "neutral", "positive")


@given(st.lists(st.floats(0, 1), min_size=3, max_size=3))
def test_the_label_is_the_first_of_the_largest_probabilities(row: list[float]) -> None:
    assert Prediction.of(row, LABELS).label == LABELS[int(np.argmax(row))]


def test_of_equal_maxima_the_first_wins() -> None:
    assert Prediction.of([0.2, 0.4, 0.4], LABELS).label == "neutral"


def test_numbers_of_numpy_become_plain_numbers() -> None:
    prediction = Prediction.of(np.asarray([0.25, 0.5, 0.25], dtype=np.float32), LABELS)  # type: ignore[arg-type]  # any sequence of numbers
    assert [type(probability) for probability in prediction.probabilities] == [float] * 3


def test_confidence_is_the_probability_of_the_label() -> None:
    prediction = Prediction.of([0.1, 0.2, 0.7], LABELS)
    assert prediction.confidence == prediction.probability("positive") == 0.7
    assert prediction.probability("neutral") == 0.2


def test_an_unknown_label_is_refused_with_the_known_ones() -> None:
    with pytest.raises(KeyError, match=r"no label 'good' among .*'negative', 'neutral', 'positive'"):
        Prediction.of([0.1, 0.2, 0.7], LABELS).probability("good")


def test_an_open_answer_is_labelled_by_its_normal_form_and_shown_in_its_own_words() -> None:
    prediction = Prediction.of_answers([("The Tower.", 0.5), ("tower", 0.3), ("a hill", 0.1)])
    assert (prediction.label, prediction.shown) == ("tower", "The Tower.")
    assert (prediction.labels, prediction.probabilities) == (("tower", "hill"), (0.5, 0.1))
    assert prediction.confidence == 0.5


def test_an_open_answer_that_is_not_among_the_likeliest_has_no_probability() -> None:
    prediction = Prediction.of_answers([("The Tower", 0.5)])
    assert (prediction.probability("the hill"), prediction.probability("TOWER!")) == (0.0, 0.5)


def test_no_answer_is_an_answer() -> None:
    prediction = Prediction.of_answers([("", 0.7), ("tower", 0.3)])
    assert (prediction.label, prediction.shown, prediction.confidence) == ("(no answer)", "(no answer)", 0.7)
    assert prediction.says("")


def test_a_prediction_says_its_label_alone_and_an_open_one_whatever_has_its_normal_form() -> None:
    chosen = Prediction.of([0.1, 0.2, 0.7], LABELS)
    assert chosen.says("positive")
    assert not chosen.says("Positive")
    assert Prediction.of_answers([("The Tower", 0.5)]).says("tower.")
    assert chosen.shown == "positive"


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


@pytest.mark.parametrize(("gold", "right"), [(("positive",), True), (("negative",), False), ((), None)])
def test_a_label_is_right_where_it_is_the_gold_one(gold: tuple[str, ...], right: bool | None) -> None:
    assert Prediction.of([0.2, 0.1, 0.7], LABELS).right(gold) is right


@pytest.mark.parametrize(("answer", "right"), [("1871.", True), ("in year 1871", True), ("1872", False)])
def test_any_accepted_answer_is_right_by_its_normal_form(answer: str, right: bool) -> None:
    question = Example({"question": "When?"}, "1871", accepted=("In the year 1871",))
    assert Prediction.of_answers([(answer, 0.5)]).right(question.gold) is right


@pytest.mark.parametrize(
    ("after", "near"),
    [
        ([1 - 1e-8, 1e-8], True),
        ([1 - 1.000001e-8, 1.000001e-8], True),
        ([1 - 4e-8, 4e-8], False),
        ([1e-8, 1 - 1e-8], False),
    ],
)
def test_a_small_probability_that_moves_by_a_factor_is_no_rounding(after: list[float], near: bool) -> None:
    labels = ("bad", "good")
    assert Prediction.of(after, labels).near(Prediction.of([1 - 1e-8, 1e-8], labels)) is near
