from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import pytest
from pydantic import ValidationError

from robustfim.collect.spool import Examples
from robustfim.errors import UsageError
from robustfim.example import Example
from robustfim.prediction import Prediction
from robustfim.select.slices import slice_members
from robustfim.suite.slices import SliceSpec
from tests.robustfim.command_line import CommandLine, refused
from tests.robustfim.toys import prediction

EXAMPLES = [
    Example({"text": "a good film"}, "positive", {"source": "a", "year": 1999}),
    Example({"text": "not good, notable"}, "negative", {"source": "b", "year": 2004}),
    Example({"text": "bad"}, None, {"source": "a"}),
]
PREDICTIONS = {example.id: prediction(example.text) for example in EXAMPLES}
SCORES = {"entropy": {EXAMPLES[0].id: 0.1, EXAMPLES[1].id: 0.6, EXAMPLES[2].id: math.nan}}


def held(**spec: Any) -> list[int]:
    """Which of the examples a slice holds."""
    members = slice_members({"one": SliceSpec.model_validate(spec)}, Examples.of(EXAMPLES), PREDICTIONS, SCORES)["one"]
    return [index for index, example in enumerate(EXAMPLES) if example.id in members]


@pytest.mark.parametrize(
    ("spec", "indices"),
    [
        ({"words": [2, 3]}, [0, 1]),
        ({"words": [None, 1]}, [2]),
        ({"characters": [11, None]}, [0, 1]),
        ({"characters": [11, 11]}, [0]),
        ({"contains": "not"}, [1]),
        ({"contains": ["NOT", "bad"]}, [1, 2]),
        ({"contains": "not good"}, [1]),
        ({"contains": "g"}, []),
        ({"field": {"source": "a"}}, [0, 2]),
        ({"field": {"source": ["a", "b"], "year": 2004}}, [1]),
        ({"field": {"text": "bad"}}, [2]),
        ({"label": "positive"}, [0]),
        ({"label": ["positive", "negative"]}, [0, 1]),
        ({"prediction": "negative"}, [2]),
        ({"score": {"entropy": [0.5, None]}}, [1]),
        ({"score": {"entropy": [None, 9]}}, [0, 1]),
        ({"range": {"year": [2000, None]}}, [1]),
        ({"range": {"year": [None, 2004]}}, [0, 1]),
        ({"range": {"source": [0, 1]}}, []),
        ({"confidence": [0, 1]}, [0, 1, 2]),
        ({"confidence": [None, 0]}, []),
        ({"words": [2, 3], "label": "negative", "range": {"year": [2000, None]}}, [1]),
    ],
)
def test_a_slice_holds_the_examples_that_meet_every_key(spec: dict[str, Any], indices: list[int]) -> None:
    assert held(**spec) == indices


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        (
            {"field": {"sauce": "a"}},
            "slice 'one': there is no column 'sauce'. Did you mean 'source'? There are: source",
        ),
        ({"score": {"entropi": [0, 1]}}, "there is no score 'entropi'. Did you mean 'entropy'? There are: entropy."),
        ({"label": "positiv"}, "there is no label 'positiv'. Did you mean 'positive'?"),
        ({"prediction": "good"}, "there is no label 'good'. There are: negative, positive."),
        ({"range": {"yaer": [0, 1]}}, "slice 'one': there is no column 'yaer'. Did you mean 'year'?"),
    ],
)
def test_a_name_that_does_not_exist_is_told(spec: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError) as raised:
        held(**spec)
    assert message in str(raised.value)


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ({"words": 3}, "3 is no range: write [least, largest]"),
        ({"words": [1, 2, 3]}, "is no range"),
        ({"words": ["a", 2]}, "is no range"),
        ({"words": [None, None]}, "is no range"),
        ({"words": [5, 2]}, "[5, 2] is an empty range"),
        ({"score": {"entropy": [True, 1]}}, "is no range"),
        ({"confidence": 0.6}, "0.6 is no range"),
        ({"range": {"year": 2000}}, "2000 is no range"),
        ({}, "the slice has no condition"),
    ],
)
def test_a_slice_that_cannot_be_is_refused(spec: dict[str, Any], message: str) -> None:
    with pytest.raises(ValidationError) as raised:
        SliceSpec.model_validate(spec)
    assert message in str(raised.value)


@pytest.mark.parametrize(
    ("slices", "parts"),
    [
        ("{short: {word: [0, 3]}}", ["other.yaml:6: ", "unknown key 'word' in 'slices.short'. Did you mean 'words'?"]),
        (
            "{short: {words: [0, 3], within: long}, long: {words: [9, null]}}",
            ["other.yaml:6: ", "slice 'short' is within 'long', and no slice above"],
        ),
        ("{short: {limit: 0.1}}", ["other.yaml:6: ", "slices.short: the slice has no condition"]),
        ("{short: {words: [1, 3], limit: 3}}", ["other.yaml:6: ", "slices.short.limit: "]),
        ("{short: {words: 3}}", ["other.yaml:6: ", "slices.short.words: 3 is no range"]),
        ("{odd: {range: {txet: [0, 1]}}}", ["slice 'odd': there is no column 'txet'. Did you mean 'text'?"]),
        ("{odd: {score: {fishes: [0, 1]}}}", ["slice 'odd': there is no score 'fishes'."]),
    ],
)
def test_a_suite_with_a_wrong_slice_is_refused(robustfim: CommandLine, slices: str, parts: list[str]) -> None:
    name = robustfim.suite("{swap: {perturb: rename}}", rest=f"slices: {slices}")
    refused(robustfim(f"run {name}"), *parts)


def test_all_slices_are_made_at_one_look_at_the_examples() -> None:
    class Looked(Examples):
        looks = 0

        def __iter__(self) -> Iterator[Example]:
            self.looks += 1
            return super().__iter__()

    rows = Looked(Examples.of(EXAMPLES).spool, range(3))
    steps: list[tuple[str, int, int]] = []
    specs = {"short": {"words": [None, 1]}, "a": {"field": {"source": "a"}}, "labelled": {"label": "positive"}}
    slices = {name: SliceSpec.model_validate(spec) for name, spec in specs.items()}
    members = slice_members(slices, rows, PREDICTIONS, SCORES, lambda *step: steps.append(step))
    assert (rows.looks, steps) == (1, [("slice", 0, 3)])
    assert {name: len(member) for name, member in members.items()} == {"short": 1, "a": 2, "labelled": 1}
    assert members["a"].keys() & members["labelled"] == {EXAMPLES[0].id}
    assert [members["a"].at(place) for place in range(3)] == [True, None, True]


def test_a_slice_of_predicted_answers_goes_by_their_normal_form() -> None:
    said = ["The Tower", "a hill", "tower"]
    answers = {example.id: Prediction.of_answers([(text, 0.5)]) for example, text in zip(EXAMPLES, said, strict=True)}
    spec = SliceSpec.model_validate({"prediction": "tower"})
    members = slice_members({"form": spec}, Examples.of(EXAMPLES), answers, SCORES)
    assert set(members["form"]) == {EXAMPLES[0].id, EXAMPLES[2].id}


def test_a_slice_within_others_holds_what_all_of_them_hold(robustfim: CommandLine) -> None:
    slices = "{films: {contains: film}, good: {contains: good, within: films}, both: {within: [films, good]}}"
    robustfim(f"run {robustfim.suite('{rename: {perturb: rename}}', rest=f'slices: {slices}')} --no-store")
    record = robustfim.record("other")
    texts = {example.id: example.fields["text"].lower().split() for example in record.examples}
    films, good, both = (set(record_slice.members) for record_slice in record.slices)
    assert films > good > set()
    assert good == both == {id for id, words in texts.items() if "film" in words and "good" in words}
