"""A model over windows: how texts are cut, how answers are joined, what is refused."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

import robustfim
from robustfim.errors import UsageError
from robustfim.example import Example
from robustfim_blackbox.windows import Windows
from robustfim_testing import check_model


class Awful:
    """Finds a text the worse the larger the share of its words that are "awful"; keeps what it was asked."""

    fingerprint, labels = "awful-1", ("good", "bad")

    def __init__(self) -> None:
        self.asked: list[str] = []

    def predict(self, examples: Sequence[Example]) -> list[list[float]]:
        self.asked += [example.text for example in examples]
        bad = [example.text.split().count("awful") / (len(example.text.split()) or 1) for example in examples]
        return [[1 - each, each] for each in bad]


def test_windows_cover_a_text_and_overlap() -> None:
    model = Awful()
    Windows(model=model, size=3, stride=2).predict([Example({"text": "a b c d e f g."}), Example({"text": "a b."})])
    assert model.asked == ["a b c", "c d e", "e f g.", "a b."]


@pytest.mark.parametrize(("label", "bad"), [(None, 1 / 4), ("bad", 1 / 2), ("good", 0.0)])
def test_their_answers_are_joined_by_the_mean_or_by_the_window_of_a_label(label: str | None, bad: float) -> None:
    found = Windows(model=Awful(), size=2, stride=2, label=label).predict([Example({"text": "one two three awful"})])
    assert found == [pytest.approx([1 - bad, bad])]


def test_other_fields_stand_in_each_window() -> None:
    model = Awful()
    Windows(model=model, size=2, stride=2).predict([Example({"question": "who", "context": "a b c"})])
    assert [text.split() for text in model.asked] == [["who", "a", "b"], ["who", "c"]]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"size": 2, "stride": 3}, "1 ≤ stride ≤ size"),
        ({"size": 0, "stride": 0}, "1 ≤ stride ≤ size"),
        ({"size": 2, "stride": 2, "label": "baad"}, "Did you mean 'bad'"),
    ],
)
def test_what_cannot_be_cut_or_joined_is_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        Windows(model=Awful(), **options)


def test_a_suite_names_it_over_any_model() -> None:
    model = {"use": "windows", "model": "reference/fasttext", "size": 8, "stride": 4, "label": "negative"}
    suite = {
        "suite": "s",
        "model": model,
        "data": {"use": "reviews", "limit": 8},
        "checks": {"case": {"perturb": "case"}},
    }
    record = robustfim.run(suite).record
    (check,) = record.checks
    assert {example.prediction for example in record.examples} == {"negative"}  # each has a window that is
    assert check.tested == sum(example.label == "negative" for example in record.examples) == 4


def test_a_window_that_the_model_truncates_is_read_in_part() -> None:
    class Short(Awful):
        def window(self, examples: Sequence[Example]) -> list[list[tuple[str, int, int]] | None]:
            return [[("text", 0, 3)] if len(example.text) > 3 else None for example in examples]

    model = Windows(model=Short(), size=2, stride=2)
    read = model.window([Example({"text": "a b c d"}), Example({"text": "a b long d"})])
    assert read == [None, [("text", 0, 3), ("text", 4, 7)]]


def test_it_is_a_model() -> None:
    check_model(Windows(model=Awful(), size=2, stride=1))
