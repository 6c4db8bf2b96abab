from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from robustfim.builtin import Equals, InOtherLabels
from robustfim.candidate import Candidate
from robustfim.errors import DataError
from robustfim.example import Example
from robustfim.prediction import Prediction
from robustfim_checklist.reading import Reading, with_neutral
from tests.plugins.robustfim_checklist.released import three_classes

THREE = ("negative", "neutral", "positive")


@given(st.floats(0, 1))
def test_neutral_is_what_the_released_notebook_makes_of_it(positive: float) -> None:
    row = with_neutral(positive)
    assert sum(row) == pytest.approx(1)
    if min(abs(positive - 1 / 3), abs(positive - 2 / 3)) > 1e-9:  # the notebook has no row for the ends themselves
        assert row == pytest.approx(three_classes(np.array([positive]))[0])
        assert (Prediction.of(row, THREE).label == "neutral") is (1 / 3 < positive < 2 / 3)


def bound(names: tuple[str, ...] | None, labels: tuple[str, ...], *used: str, neutral: bool = True) -> Reading:
    reading = Reading(names, dict.fromkeys(used, "tests.jsonl:1"), neutral=neutral, remedy=" Rename.")
    reading.bind(labels)
    return reading


def test_a_binary_model_answers_in_three_classes_whatever_the_order_of_its_labels() -> None:
    for labels, row in ((("negative", "positive"), (0.4, 0.6)), (("POSITIVE", "Negative"), (0.6, 0.4))):
        read = bound(THREE, labels, "neutral")(Prediction.of(row, labels))
        assert read.labels == THREE
        assert read.label == "neutral"
        assert read.probabilities == pytest.approx((0, 0.7, 0.3))


def test_a_model_of_three_classes_keeps_its_own() -> None:
    read = bound(THREE, ("Positive", "Neutral", "Negative"), "neutral")
    prediction = read(Prediction.of((0.3, 0.5, 0.2), ("Positive", "Neutral", "Negative")))
    assert prediction == Prediction("neutral", (0.3, 0.5, 0.2), ("positive", "neutral", "negative"))


def test_without_the_rule_a_binary_model_keeps_its_two_classes() -> None:
    read = bound(THREE, ("negative", "positive"), "positive", neutral=False)
    assert read(Prediction.of((0.4, 0.6), ("negative", "positive"))).label == "positive"


@pytest.mark.parametrize(
    ("names", "labels", "used", "neutral", "message"),
    [
        (
            THREE,
            ("World", "Sports"),
            "positive",
            True,
            "tests.jsonl:1: the model has no label 'positive'; it has 'World'",
        ),
        (None, ("World", "Sports"), "sport", True, "Rename."),
        (THREE, ("negative", "positive"), "neutral", False, "'neutral: true' reads a binary model's positive"),
        (None, ("entail", "contradict"), "Entails", True, "Did you mean 'entail'?"),
        (None, ("Yes", "yes"), "YES", True, "no label 'YES'"),
    ],
)
def test_a_label_that_the_model_does_not_have_is_refused(
    names: tuple[str, ...] | None, labels: tuple[str, ...], used: str, neutral: bool, message: str
) -> None:
    with pytest.raises(DataError) as raised:
        bound(names, labels, used, neutral=neutral)
    assert message in str(raised.value)


def test_an_expectation_judges_what_was_read() -> None:
    read = InOtherLabels(Equals("neutral"), bound(THREE, ("negative", "positive"), "neutral"))
    candidate = Candidate(Example({"text": "a film"}))
    unsure, sure = (Prediction.of((1 - p, p), ("negative", "positive")) for p in (0.55, 0.9))
    assert not read.judge(unsure, unsure, candidate).failed
    assert read.judge(unsure, sure, candidate).reason == "positive, not neutral"
