from __future__ import annotations

import json
import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from robustfim.errors import ModelError
from robustfim.predict.answers import agree, kept_answers, kept_row, read_answers, read_rows
from robustfim.predict.queue import PredictionQueue
from robustfim.predict.store import Store, key_of
from tests.robustfim.toys import LABELS, CountingModel, WritingModel, example, prediction

values = st.recursive(
    st.none() | st.booleans() | st.integers(-2, 2) | st.floats() | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=2), inner, max_size=2),
    max_leaves=6,
)


@given(values)
def test_a_kept_row_is_one_that_a_model_may_return(value: Any) -> None:
    try:
        row = kept_row(value, LABELS)
    except ValueError:
        return
    assert read_rows([row], 1, LABELS) == [row]


@given(values)
def test_kept_answers_are_some_that_a_model_may_give(value: Any) -> None:
    try:
        found = kept_answers(value)
    except ValueError:
        return
    assert read_answers([found], 1) == [found]


@pytest.mark.parametrize(
    "kept", [[1.0], [0.5, 0.25, 0.25], [0.9, 0.9], [1.5, -0.5], [True, False], ["0.5", 0.5], "ab", {}, 1.0, []]
)
def test_what_no_model_with_two_labels_returns_is_no_row(kept: Any) -> None:
    with pytest.raises(ValueError, match=r"."):
        kept_row(kept, LABELS)


@pytest.mark.parametrize("kept", [[], [["a"]], [["a", 2.0]], [["a", -0.1]], [[1, 0.5]], "ab", {"a": 1}, 5])
def test_what_no_model_answers_is_no_answer(kept: Any) -> None:
    with pytest.raises(ValueError, match=r"."):
        kept_answers(kept)


@pytest.mark.parametrize("forged", [[1.0], [0.7, 0.7], "positive", [0.25, math.nan]])
def test_a_store_that_holds_what_no_model_says_is_not_believed(forged: Any) -> None:
    store, model = Store(None), CountingModel()
    queue = PredictionQueue(model, store)
    key = key_of("text", *queue.identity, queue.content(example("good")))
    store.put({key: forged})
    assert queue.predict([example("good")]) == [prediction("good")]
    assert model.batches == [["good"]]
    assert store.unreadable == 1
    assert store.get([key]) == {key: list(prediction("good").probabilities)}


def test_open_answers_of_the_store_are_checked_as_well() -> None:
    store, model = Store(None), WritingModel()
    queue = PredictionQueue(model, store)
    store.put({key_of("text", *queue.identity, queue.content(example("a b"))): [["B", 7.0]]})
    (found,) = queue.predict([example("a b")])
    assert found is not None
    assert (found.answer, model.seen) == ("B", ["a b"])


def test_an_unreadable_answer_may_be_anything_that_json_can_say() -> None:
    for text in ("NaN", "1e999", '"\\ud800"', "[[[]]]", "[null, null]"):
        with pytest.raises(ValueError, match=r"."):
            kept_row(json.loads(text), LABELS)


@pytest.mark.parametrize(
    ("was", "now", "same"),
    [
        ([0.5, 0.5], [0.5005, 0.4995], True),
        ([0.5, 0.5], [0.502, 0.498], False),
        (None, None, True),
        (None, [0.5, 0.5], False),
        ([0.5, 0.5], None, False),
        ([0.001, 0.999], [0.0, 0.9995], True),
        ([("a", 0.001)], [("a", 0.0)], True),
        ([("a", 0.6), ("b", 0.2)], [("b", 0.3), ("a", 0.6)], True),
        ([("a", 0.6), ("b", 0.2)], [("a", 0.6), ("c", 0.2)], True),
        ([("a", 0.6), ("b", 0.2)], [("b", 0.6), ("a", 0.2)], False),
        ([("a", 0.6)], [("b", 0.6)], False),
    ],
)
def test_answers_agree_but_for_the_last_digits(was: Any, now: Any, same: bool) -> None:
    assert agree(was, now) is same


def test_what_is_no_distribution_is_refused_from_a_model() -> None:
    with pytest.raises(ModelError, match="not probabilities that sum to 1"):
        read_rows([[0.9, 0.9]], 1, LABELS)
    assert read_rows([[0.9, 0.9], [1.0005, 0.0]], 2, LABELS, several=True) == [[0.9, 0.9], [1.0005, 0.0]]
    for row in ([1.5, 0.2], [0.5, -0.2]):
        with pytest.raises(ModelError, match=r"not probabilities\. Logits"):
            read_rows([row], 1, LABELS, several=True)
        with pytest.raises(ValueError, match="no probabilities"):
            kept_row(row, LABELS, several=True)
    assert kept_row([0.9, 0.9], LABELS, several=True) == [0.9, 0.9]


def test_a_row_that_is_off_by_just_the_tolerance_is_one() -> None:
    row = [1.0, -0.001, 0.001]
    assert read_rows([row], 1, ("a", "b", "c")) == [row]
    assert kept_row(row, ("a", "b", "c")) == row


def _softmax(classes: int, seed: int) -> Any:
    logits = 3 * np.random.default_rng(seed).standard_normal((200, classes))
    return np.exp(logits) / np.exp(logits).sum(axis=1, keepdims=True)


def _bfloat16(values: Any) -> Any:
    """Round to the nearest of the numbers that have 8 significant bits."""
    fractions, exponents = np.frexp(values)
    return np.ldexp(np.round(fractions * 256) / 256, exponents)


@pytest.mark.parametrize(
    ("classes", "rounded"),
    [
        (3, lambda rows: rows.round(2)),
        (20, lambda rows: rows.round(3)),
        (150, lambda rows: rows.round(4)),
        (150, lambda rows: rows.round(3).astype(np.float32)),
        (2, _bfloat16),
        (1000, _bfloat16),
        (7, lambda rows: rows.astype(np.float16)),
        (10, lambda rows: _bfloat16(_bfloat16(np.exp(np.log(rows) + 1)) / np.e)),
    ],
    ids=[
        "2 decimals",
        "3 decimals",
        "150 at 4",
        "150 at 3",
        "bfloat16",
        "1000 in bfloat16",
        "float16",
        "bfloat16 twice",
    ],
)
def test_probabilities_that_were_rounded_are_divided_by_their_sum(classes: int, rounded: Any) -> None:
    rows, labels = rounded(_softmax(classes, classes)), [str(each) for each in range(classes)]
    before = rows.copy()
    found: list[Any] = [*read_rows(rows, len(rows), labels)]
    exact = np.asarray(rows, dtype=np.float64)
    assert np.allclose(found, exact / exact.sum(axis=1, keepdims=True), atol=1e-6)
    assert abs(np.sum(found, axis=1) - 1).max() < 2e-6
    assert (rows == before).all(), "the model's own array stays as it is"
    assert all(kept_row(row, labels) == row for row in found)


@pytest.mark.parametrize(
    "row",
    [[2.0, -1.0], [0.123, 0.88], [0.98, 0.04], [0.512345, 0.495678], [93.5, 6.5], [-0.1, -2.3], [0.0, 0.0]],
    ids=repr,
)
def test_what_rounding_does_not_explain_is_refused_with_the_way_out(row: list[float]) -> None:
    with pytest.raises(
        ModelError, match=r"not probabilities that sum to 1\. Logits\? Apply a softmax, or say 'logits: true'"
    ):
        read_rows([row], 1, LABELS)


def test_answers_that_sum_to_just_the_tolerance_more_are_some() -> None:
    assert read_answers([[("yes", 1 + 1e-3)]], 1) == [[("yes", 1 + 1e-3)]]


def test_a_refusal_shows_what_the_model_returned() -> None:
    with pytest.raises(ModelError, match=r"returned \[0\.1235, 0\.9\], which are not probabilities that sum to 1\. "):
        read_rows([[0.5, 0.5], [0.123456, 0.9], [0.12, 0.9]], 3, LABELS)
    with pytest.raises(
        ModelError, match=r"shape \[1, 3\] for 2 texts and 2 labels \['negative', 'positive'\]; .*\[2, 2\]"
    ):
        read_rows([[0.2, 0.3, 0.5]], 2, LABELS)
    many = [(text, 0.5) for text in "abcd"]
    with pytest.raises(ModelError, match=r"returned \[\('a', 0\.5\), \('b', 0\.5\), \('c', 0\.5\)\], whose numbers"):
        read_answers([many], 1)
    with pytest.raises(ModelError, match=r"answers for 1 of 2 examples\.$"):
        read_answers([[("a", 0.5)]], 2)


def test_of_a_batch_the_rows_with_a_number_that_is_not_finite_are_left_out() -> None:
    assert read_rows([[0.5, 0.5], [math.nan, 0.5]], 2, LABELS) == [[0.5, 0.5], None]
    for several in (False, True):
        assert read_rows([[math.inf, 0.5]], 1, LABELS, several=several) == [None]
    assert read_answers([[("a", 0.5), ("b", math.nan)], [("a", 0.5)], []], 3) == [None, [("a", 0.5)], None]


def test_an_answer_that_cannot_be_is_one() -> None:
    assert read_answers([[("yes", 1.0), ("no", 0.0)]], 1) == [[("yes", 1.0), ("no", 0.0)]]


HUGE = 10**400
"""No float holds it."""


def test_a_number_that_no_float_holds_is_no_probability() -> None:
    with pytest.raises(ModelError, match="too large"):
        read_rows([[HUGE, 0]], 1, LABELS)
    with pytest.raises(ModelError, match="too large"):
        read_answers([[("yes", HUGE)]], 1)
    with pytest.raises(ValueError, match="too large"):
        kept_row([HUGE, 0], LABELS)
    with pytest.raises(ValueError, match="too large"):
        kept_answers([["yes", HUGE]])


@pytest.mark.parametrize(
    ("was", "now", "same"),
    [
        ("0.812784", "0.812783", True),
        ("12", "12.0001", True),
        ("0.5", "0.501", False),
        ("1e-05", "-1e-05", True),
        ("12345678", "12345679", False),
        ("0.5", "half", False),
    ],
)
def test_of_numbers_the_last_digits_do_not_count_and_whole_ones_are_names(was: str, now: str, same: bool) -> None:
    assert agree([(was, 1.0)], [(now, 1.0)]) is same
