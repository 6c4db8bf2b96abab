"""Recall of spans, counted by hand."""

from __future__ import annotations

import pytest

from robustfim.candidate import Candidate, Edit
from robustfim.example import Example
from robustfim.prediction import Prediction
from robustfim.session.span_recall import SpanRecall
from robustfim.statistics import wilson

TEXT = "Ann flew to Paris."


def found(label: str) -> Prediction:
    return Prediction.of_answers([(label, 1.0)])


def test_spans_are_counted_before_and_after_by_label() -> None:
    recall = SpanRecall({})
    for number in range(4):
        source = Example({"text": TEXT + str(number)}, "⟦0:3 person⟧ ⟦12:17 place⟧")
        for carries in (True, False):
            swap = Candidate(source, (Edit("text", 0, 3, "Ann", "Robert"),), carries=carries)
            recall.count(found("⟦0:3 person⟧"), found("⟦15:20 place⟧ ⟦0:6 person⟧" if number else "⟦⟧"), swap)
    person, place = recall.records()
    assert (person.label, person.before.count, person.after.count, person.after.tested) == ("person", 4, 3, 4)
    assert (person.left, place.left) == (4, 0)
    assert (place.before.count, place.after.count, place.after.tested) == (0, 6, 8)
    assert "person found 100 % before, 75 %" in person.told
    assert person.told.endswith("of 4 after (4 replaced, not counted)")
    # Eight spans of four examples, two of each alike, are worth four at most.
    four = wilson(3, 4)
    assert four is not None
    assert place.after.interval is not None
    assert place.after.interval[0] <= four[0]
    assert place.after.interval[1] >= four[1]


def test_spans_of_one_cluster_are_worth_one_example() -> None:
    sources = [Example({"text": TEXT + str(number)}, "⟦0:3 person⟧") for number in range(5)]
    recall = SpanRecall({each.id: "template" for each in sources})
    for each in sources:
        recall.count(found("⟦0:3 person⟧"), found("⟦0:3 person⟧"), Candidate(each))
    (person,) = recall.records()
    assert person.after.interval == pytest.approx(wilson(1, 1))


def test_other_models_and_examples_without_gold_spans_say_nothing() -> None:
    recall = SpanRecall({})
    label = Prediction.of((0.4, 0.6), ("a", "b"))
    recall.count(label, label, Candidate(Example({"text": TEXT}, "a")))
    recall.count(found("⟦⟧"), found("⟦⟧"), Candidate(Example({"text": TEXT})))
    assert recall.records() == []
