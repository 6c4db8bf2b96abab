"""What a rule makes of a model's probabilities, against the definition and its own inverse."""

from __future__ import annotations

import math
import re
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.special import logsumexp

from robustfim.decision import ABSTAINS, DecisionRule
from robustfim.errors import ModelError
from robustfim.prediction import Prediction

LABELS = ("benign", "block", "spam")
thresholds = st.floats(0.01, 0.99)


@st.composite
def rows(draw: st.DrawFn) -> tuple[float, ...]:
    logits = np.array(draw(st.lists(st.floats(-8, 8), min_size=3, max_size=3)))
    return tuple(np.exp(logits - logsumexp(logits)).tolist())


@given(rows(), thresholds, st.sampled_from([None, *LABELS]))
def test_the_decision_is_the_label_that_reaches_the_threshold_or_the_rest(
    row: tuple[float, ...], at: float, label: str | None
) -> None:
    rule = DecisionRule(at, label)
    if label is None:
        best = int(np.argmax(row))
        expected = LABELS[best] if row[best] >= at else ABSTAINS
    else:
        expected = label if row[LABELS.index(label)] >= at else f"not {label}"
    found = Prediction.of(rule.probabilities(row, LABELS), rule.decisions(LABELS), rule)
    assert found.label == expected


@given(rows(), thresholds, st.sampled_from([None, *LABELS]))
def test_the_tilted_numbers_are_largest_at_the_decision_and_give_the_probabilities_back(
    row: tuple[float, ...], at: float, label: str | None
) -> None:
    rule = DecisionRule(at, label)
    probabilities = rule.probabilities(row, LABELS)
    tilted = rule.tilted(probabilities)
    odds = [math.log(p / (1 - p)) - math.log(at / (1 - at)) for p in probabilities[:-1]]
    weights = np.exp(np.array([*odds, 0.0]) - logsumexp([*odds, 0.0]))
    assert tilted == pytest.approx(weights.tolist(), abs=1e-12)
    assert rule.straight(tilted) == pytest.approx(probabilities, rel=1e-9)
    ordered = sorted(tilted)
    assume(ordered[-1] - ordered[-2] > 1e-12)
    assert tilted.index(ordered[-1]) == rule.chosen(probabilities)


@given(rows(), thresholds, st.sampled_from([None, *LABELS]))
def test_the_softmax_of_tilted_logits_is_the_tilted_row(row: tuple[float, ...], at: float, label: str | None) -> None:
    rule = DecisionRule(at, label)
    logits = np.log([row]) + 3.7
    found = rule.logits(logits, LABELS)[0]
    assert np.exp(found - logsumexp(found)) == pytest.approx(rule.tilted(rule.probabilities(row, LABELS)), abs=1e-9)


def test_a_certain_model_decides_without_numbers_that_are_none() -> None:
    rule = DecisionRule(0.7, "block")
    assert rule.tilted((1.0, 0.0)) == (1.0, 0.0)
    assert rule.tilted((0.0, 1.0)) == (0.0, 1.0)
    assert DecisionRule(0.4).tilted((0.0, 1.0, 0.0)) == (0.0, 1.0, 0.0)


def test_at_one_half_of_two_labels_nothing_is_moved() -> None:
    assert DecisionRule(0.5, "block").tilted((0.3, 0.7)) == pytest.approx((0.3, 0.7))


def test_a_gold_label_is_a_decision_of_the_rule() -> None:
    rule = DecisionRule(0.7, "block")
    assert [rule.of_label(label) for label in LABELS] == ["not block", "block", "not block"]
    assert [DecisionRule(0.7).of_label(label) for label in LABELS] == list(LABELS)


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (
            0.7,
            "'decide' is {label: LABEL, at: 0.7}, {label: LABEL, at: {fpr: 0.01, on: FILE}} or {abstain: 0.8}, not 0.7",
        ),
        ({"label": "block"}, "not {'label': 'block'}"),
        ({"label": "block", "at": 0.7, "abstain": 0.8}, "'decide' is {label: LABEL, at: 0.7}"),
        ({"label": "block", "at": 1}, "'decide.at' is a probability between 0 and 1, not 1"),
        ({"label": "block", "at": True}, "'decide.at' is a probability between 0 and 1, not True"),
        ({"label": "block", "at": math.nan}, "'decide.at' is a probability between 0 and 1, not nan"),
        ({"label": "block", "at": "0.7"}, "'decide.at' is a probability between 0 and 1, not '0.7'"),
        ({"label": "block", "at": {"fpr": 0.01}}, "'decide.at' is a probability or {fpr: 0.01, on: FILE}, not"),
        (
            {"label": "block", "at": {"fpr": 0, "on": "b.csv"}},
            "'decide.at.fpr' is a probability between 0 and 1, not 0",
        ),
        ({"abstain": 0}, "'decide.abstain' is a probability between 0 and 1, not 0"),
        ({"label": 1, "at": 0.7}, "'decide.label' is the name of a label, not 1"),
    ],
)
def test_a_wrong_rule_is_refused_by_the_key_that_is_wrong(value: Any, said: str) -> None:
    with pytest.raises(ValueError, match=re.escape(said)):
        DecisionRule.read(value)


def test_a_label_that_the_model_does_not_have_is_named_beside_those_it_has() -> None:
    with pytest.raises(ModelError, match=r"'blok', which the model does not have\. Did you mean 'block'"):
        DecisionRule(0.7, "blok").decisions(LABELS)
    with pytest.raises(ModelError, match="the model has a label of that name"):
        DecisionRule(0.7, "block").decisions(("block", "not block"))
