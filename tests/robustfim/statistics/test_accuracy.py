from __future__ import annotations

from robustfim.example import Example
from robustfim.prediction import Prediction
from robustfim.statistics.accuracy import is_right
from tests.robustfim.toys import example, prediction


def answered(text: str) -> Prediction:
    return Prediction.of_answers([(text, 0.5)])


def test_a_label_is_right_where_it_is_the_gold_one() -> None:
    assert is_right(prediction("good"), example("good", "positive"))
    assert is_right(prediction("bad"), example("bad", "positive")) is False
    assert is_right(prediction("dull"), example("dull", None)) is None


def test_any_accepted_answer_is_right_by_its_normal_form() -> None:
    question = Example({"question": "When?"}, "1871", accepted=("In the year 1871",))
    assert is_right(answered("1871."), question)
    assert is_right(answered("in year 1871"), question)
    assert is_right(answered("1872"), question) is False
    assert is_right(answered("1871"), Example({"question": "When?"})) is None
