from __future__ import annotations

from robustfim.example import Example
from robustfim.prediction import Prediction
from robustfim.statistics import Rate
from robustfim.statistics.accuracy import accuracy, is_right, majority
from tests.robustfim.toys import example, prediction


def answered(text: str) -> Prediction:
    return Prediction.of_answers([(text, 0.5)])


def test_accuracy_is_the_share_of_right_predictions_among_labelled_examples() -> None:
    rows = [("good", "positive"), ("bad", "positive"), ("fine", "positive"), ("dull", None)]
    pairs = [(example(text, label), prediction(text)) for text, label in rows]
    assert accuracy(pairs) == Rate(2, 3)
    assert majority(pairs) == 1.0


def test_without_labelled_examples_nothing_is_known() -> None:
    pairs = [(example("good"), prediction("good"))]
    assert (accuracy(pairs), majority(pairs)) == (Rate(0, 0), None)


def test_any_accepted_answer_is_right_by_its_normal_form() -> None:
    question = Example({"question": "When?"}, "1871", accepted=("In the year 1871",))
    assert is_right(answered("1871."), question)
    assert is_right(answered("in year 1871"), question)
    assert is_right(answered("1872"), question) is False
    assert is_right(answered("1871"), Example({"question": "When?"})) is None


def test_open_answers_have_no_majority() -> None:
    pairs = [(Example({"question": str(number)}, "yes"), answered("Yes!")) for number in range(3)]
    assert (accuracy(pairs), majority(pairs)) == (Rate(3, 3), None)
