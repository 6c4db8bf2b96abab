from __future__ import annotations

import math
from collections.abc import Sequence

import pytest

from robustfim.collect.spool import Examples
from robustfim.example import Example
from robustfim.prediction import Prediction
from robustfim.select.columns import Numbers, Predictions
from robustfim.statistics import Rate
from robustfim.statistics.clusters import clustered_rate
from tests.robustfim.toys import example, prediction


def predicted(
    pairs: Sequence[tuple[Example, Prediction | None]], own: int | None = None, block: int = 2
) -> Predictions:
    examples = Examples.of(each for each, _ in pairs)
    found = Predictions(examples, len(examples) if own is None else own)
    for start in range(0, len(pairs), block):
        part = pairs[start : start + block]
        found.put(start, [each for each, _ in part], [each for _, each in part])
    return found


def test_numbers_are_found_by_the_ids_of_their_examples() -> None:
    examples = Examples.of([example("a"), example("b")])
    numbers = Numbers(examples)
    assert all(map(math.isnan, numbers.values()))
    numbers.column[1] = 0.1 + 0.2
    assert numbers[example("b").id] == 0.1 + 0.2
    assert dict(numbers.pairs()).keys() == dict(numbers).keys() == {example("a").id, example("b").id}
    assert numbers.get("nowhere") is None


def test_predictions_are_given_back_to_the_last_bit_and_by_whom_they_are_of() -> None:
    texts = ["good", "bad", "fine", "dull", "poor"]
    pairs = [(example(text), Prediction.of((1 / (n + 3), 1 - 1 / (n + 3)), ("x", "y"))) for n, text in enumerate(texts)]
    found = predicted(pairs)
    assert dict(found) == {each.id: told for each, told in pairs}
    assert list(found.values()) == [told for _, told in pairs]
    assert len(found) == 5
    assert list(found.usable) == [each for each, _ in pairs]
    assert found.of_data is found.examples
    with pytest.raises(KeyError):
        found["nowhere"]


def test_open_answers_are_given_back_too() -> None:
    said = Prediction.of_answers([("The Tower", 0.5), ("a bridge", 0.25)])
    found = predicted([(Example({"question": "Where?"}, "tower"), said)])
    assert list(found.values()) == [said]
    assert (found.accuracy({}), found.majority) == (Rate(1, 1), None)


def test_an_example_without_finite_numbers_is_in_no_arm_and_in_no_rate() -> None:
    pairs = [(example("good", "positive"), prediction("good")), (example("lost", "negative"), None)]
    found = predicted([*pairs, (example("bad", "positive"), prediction("bad"))])
    assert [each.text for each in found.usable] == ["good", "bad"]
    assert [found.get(each.id) for each, _ in pairs] == [prediction("good"), None]
    assert list(found.places()) == [0, 2]
    assert (found.right(0), found.right(1), found.right(2)) == (True, None, False)
    assert found.accuracy({}) == Rate(1, 2)
    assert found.majority == 1.0


def test_accuracy_counts_the_labelled_examples_of_the_data_alone() -> None:
    rows = [("good", "positive"), ("bad", "positive"), ("fine", "positive"), ("dull", None), ("poor", "negative")]
    found = predicted([(example(text, label), prediction(text)) for text, label in rows], own=4)
    assert found.accuracy({}) == Rate(2, 3)
    assert found.majority == 1.0
    assert [each.text for each in found.of_data] == ["good", "bad", "fine", "dull"]
    assert (found.said, found.told) == ({"positive", "negative"}, {"positive", "negative"})
    unlabelled = predicted([(example("good"), prediction("good"))])
    assert (unlabelled.accuracy({}), unlabelled.majority) == (Rate(0, 0), None)


def test_examples_of_one_cluster_are_not_independent() -> None:
    rows = [("good", "positive"), ("bad", "positive"), ("fine", "positive"), ("poor", "negative")]
    pairs = [(example(text, label), prediction(text)) for text, label in rows]
    found = predicted(pairs)
    clusters = {each.id: cluster for (each, _), cluster in zip(pairs, "aabb", strict=True)}
    right = [each.id for (each, told) in pairs if told.label == each.label]
    assert len(right) == 2
    assert found.accuracy(clusters) == clustered_rate(right, list(found), clusters)[0] != found.accuracy({})
