"""Answers: every form that is read, and what is said of the others."""

from __future__ import annotations

from math import isnan, nan
from typing import Any

import numpy as np
import pytest

from robustfim import ModelError
from robustfim_blackbox.answers import read_answers

LABELS = ("negative", "neutral", "positive")


def read(raw: Any, expected: int = 1, **options: Any) -> list[list[Any]]:
    return read_answers(raw, LABELS, expected=expected, source="the model", **options)


@pytest.mark.parametrize(
    "answer",
    [
        [0.1, 0.2, 0.7],
        (0.1, 0.2, 0.7),
        np.array([0.1, 0.2, 0.7]),
        {"positive": 0.7, "negative": 0.1, "neutral": 0.2},
        [{"label": "positive", "score": 0.7}, {"label": "negative", "score": 0.1}, {"label": "neutral", "score": 0.2}],
    ],
    ids=["list", "tuple", "array", "mapping", "labels with scores"],
)
def test_a_row_comes_out_in_the_order_of_the_labels(answer: Any) -> None:
    assert read([answer]) == [[0.1, 0.2, 0.7]]


def test_a_label_is_a_certain_row() -> None:
    assert read(["positive", "negative"], 2) == [[0.0, 0.0, 1.0], [1.0, 0.0, 0.0]]
    assert read(np.array(["positive"])) == [[0.0, 0.0, 1.0]]


def test_an_array_a_tensor_and_a_generator_are_lists() -> None:
    torch = pytest.importorskip("torch")
    rows = [[0.5, 0.25, 0.25], [0.0, 0.0, 1.0]]
    assert read(np.array(rows), 2) == rows
    assert read(torch.tensor(rows, requires_grad=True), 2) == rows
    assert read([torch.tensor(row) for row in rows], 2) == rows
    assert read((row for row in rows), 2) == rows


def test_a_data_frame_is_read_by_the_names_of_its_columns() -> None:
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"positive": [0.7], "neutral": [0.2], "negative": [0.1]})
    assert read(frame) == [[0.1, 0.2, 0.7]]


def test_no_answer_is_a_row_without_numbers() -> None:
    assert all(isnan(number) for number in read([None])[0])


def test_logits_become_probabilities_by_the_softmax() -> None:
    logits = [[1.0, 2.0, 3.0], [800.0, 0.0, -800.0]]
    expected = np.exp(np.array([1.0, 2.0, 3.0])) / np.exp(np.array([1.0, 2.0, 3.0])).sum()
    rows = read(logits, 2, logits=True)
    np.testing.assert_allclose(rows[0], expected, rtol=1e-12)
    assert rows[1] == [1.0, 0.0, 0.0], "large logits do not overflow"
    assert read([{"positive": 3.0, "neutral": 2.0, "negative": 1.0}], logits=True) == rows[:1]
    assert all(isnan(number) for number in read([[1.0, nan, 2.0]], logits=True)[0])


def test_numbers_are_left_to_the_prediction_queue() -> None:
    assert read([[3.0, -3.0]]) == [[3.0, -3.0]], "the queue says what is wrong with these"


@pytest.mark.parametrize(
    ("raw", "message"),
    [
        ("positive", "'positive', which is not a list with one answer for each text"),
        ({"positive": 1.0}, "which is not a list with one answer for each text"),
        (0.7, "0.7, which is not a list"),
        (None, "None, which is not a list"),
        ([], "gave 0 answers for 1 texts; it must give one for each"),
        ([[0.1, 0.2, 0.7]] * 2, "gave 2 answers for 1 texts"),
        ([2], r"gave 2 for a text: neither a label \(negative, neutral, positive\), nor a row of 3 probabilities"),
        ([True], "gave True for a text"),
        (["postive"], r"gave 'postive', which is not in 'labels' .* Did you mean 'positive'\?"),
        ([{"positive": 0.6, "negative": 0.4}], "without a number for the label 'neutral'"),
        (
            [{"positiv": 1, "negative": 0, "neutral": 0}],
            r"gave 'positiv', which is not in 'labels' .* Did you mean 'positive'\?",
        ),
        (
            [[{"label": "positive", "score": 0.9}]],
            "number for the label 'negative'.*with 'top_k=None'",
        ),
        (
            [{"label": "positive", "score": 0.9}],
            "number for the label 'negative'.*with 'top_k=None'",
        ),
        ([[{"label": [], "score": 0.9}]], r"gave \[\], which is not in 'labels'"),
        ([[{"label": {}, "score": 0.9}]], r"gave {}, which is not in 'labels'"),
        (
            [[{"label": name, "score": 0.2} for name in (*LABELS, "positive")]],
            "gave the label 'positive' two numbers for one text",
        ),
    ],
)
def test_what_is_no_answer_is_told(raw: Any, message: str) -> None:
    with pytest.raises(ModelError, match=f"^the model gave .*{message}|^the model {message}"):
        read(raw)


def test_a_label_or_a_text_among_logits_is_told() -> None:
    with pytest.raises(ModelError, match=r"the label 'positive', but 'logits: true' promises numbers"):
        read(["positive"], logits=True)
    with pytest.raises(ModelError, match="which are not logits"):
        read([["high", "low", "low"]], logits=True)
