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

from robustfim.decision import ABSTAINS, NO_LABEL, DecisionRule, EachRule, WithinRule, read_number
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
    assert [rule.of_gold([label]) for label in LABELS] == [["not block"], ["block"], ["not block"]]
    assert rule.of_gold(["spam", "block"]) == ["block"], "a text with several labels has each of them"
    assert rule.of_gold([NO_LABEL]) == rule.of_gold(["not block"]) == ["not block"]
    assert DecisionRule(0.7).of_gold(LABELS) == list(LABELS)


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (
            0.7,
            "'decide' is {label: LABEL, at: 0.7}, {label: LABEL, at: {fpr: 0.01, on: FILE}}, {label: LABEL}, "
            "{abstain: 0.8}, {each: {LABEL: 0.5, …}} or, of a number, {within: 0.25} or "
            "{order: [FIELD, FIELD]}, not 0.7",
        ),
        ({"at": 0.7}, "not {'at': 0.7}"),
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
        ({"each": {}}, "'decide.each' is a threshold for each label, {toxic: 0.5, …}, not {}"),
        ({"each": ["toxic"]}, "'decide.each' is a threshold for each label, {toxic: 0.5, …}, not ['toxic']"),
        ({"each": {"toxic": 1.5}}, "'decide.each.toxic' is a probability between 0 and 1, not 1.5"),
        ({"within": -1}, "'decide.within' is a number above 0, in the unit of the model's numbers, not -1"),
        ({"within": math.inf}, "'decide.within' is a number above 0"),
        ({"within": True}, "'decide.within' is a number above 0"),
        ({"order": ["a", "a"]}, "'decide.order' is the names of two fields, [chosen, rejected], not ['a', 'a']"),
        ({"order": "chosen"}, "'decide.order' is the names of two fields"),
        ({"each": {"toxic": 0.5}, "at": 0.5}, "'decide' is {label: LABEL, at: 0.7}"),
        (
            {"each": {str(n): 0.5 for n in range(9)}},
            "'decide.each' takes at most 8 labels, not",
        ),
    ],
)
def test_a_wrong_rule_is_refused_by_the_key_that_is_wrong(value: Any, said: str) -> None:
    with pytest.raises(ValueError, match=re.escape(said)):
        DecisionRule.read(value)


@given(st.floats(-50, 50), st.floats(-50, 50), st.floats(0.01, 10))
def test_a_number_is_the_same_within_the_tolerance_where_it_is_half_as_near_as_itself(
    first: float, second: float, within: float
) -> None:
    rule = WithinRule.of(within)
    apart = abs(first - second)
    assume(abs(apart - within) > 1e-6)
    assert rule.same(first, repr(second)) is (apart < within)
    assert rule.closeness(first, repr(second)) == pytest.approx(0.5 ** min(1000, apart / within))
    prediction = Prediction.of_number(repr(first), rule)
    assert (prediction.behind(repr(second)) <= 0) is prediction.says(repr(second))


def test_rounding_does_not_part_numbers_that_are_just_within_the_tolerance() -> None:
    assert WithinRule.of(0.2).same(0.3, "0.1")
    assert abs(0.3 - 0.1) < 0.2 < abs(1.3 - 1.1) + 1e-12
    assert WithinRule.of(0.2).same(1.3, "1.1")


@pytest.mark.parametrize("text", ["five", "", "nan", "inf"])
def test_what_is_no_finite_number_is_named(text: str) -> None:
    with pytest.raises(ValueError, match=r"is no (finite )?number"):
        read_number(text)


def test_a_label_that_the_model_does_not_have_is_named_beside_those_it_has() -> None:
    with pytest.raises(ModelError, match=r"'blok', which the model does not have\. Did you mean 'block'"):
        DecisionRule(0.7, "blok").decisions(LABELS)
    with pytest.raises(ModelError, match="the model has a label of that name"):
        DecisionRule(0.7, "block").decisions(("block", "not block"))


EACH = EachRule.of({"spam": 0.3, "block": 0.8})
alone = st.lists(st.floats(0.001, 0.999), min_size=3, max_size=3)


def set_of(decision: str) -> set[str]:
    return set() if decision == NO_LABEL else set(decision.split(" + "))


@given(alone)
def test_of_several_labels_those_are_decided_for_that_reach_their_own_thresholds(row: list[float]) -> None:
    found = Prediction.of(EACH.probabilities(row, LABELS), EACH.decisions(LABELS), EACH)
    assert set_of(found.label) == {
        label for label, at in (("spam", 0.3), ("block", 0.8)) if row[LABELS.index(label)] >= at
    }


def test_a_probability_of_just_its_threshold_reaches_it() -> None:
    rule = EachRule.of(dict.fromkeys(LABELS, 0.5))
    found = Prediction.of(rule.probabilities([0.5, 0.1, 0.5], LABELS), rule.decisions(LABELS), rule)
    assert found.label == "benign + spam"


@given(alone)
def test_the_probability_of_a_set_is_the_product_over_its_labels_and_gives_them_back(row: list[float]) -> None:
    found = EACH.probabilities(row, LABELS)
    for name, number in zip(EACH.decisions(LABELS), found, strict=True):
        factors = [row[LABELS.index(label)] if label in set_of(name) else 1 - row[LABELS.index(label)]
                   for label in ("spam", "block")]  # fmt: skip
        assert number == pytest.approx(math.prod(factors))
    assert EACH.alone(found) == pytest.approx([row[2], row[1]])
    assert EACH.straight(EACH.tilted(found)) == pytest.approx(found, abs=1e-9)


@given(alone)
def test_the_tilted_set_is_likeliest_where_it_is_decided_for_and_is_the_softmax_of_summed_log_odds(
    row: list[float],
) -> None:
    probabilities = EACH.probabilities(row, LABELS)
    tilted = EACH.tilted(probabilities)
    odds = {label: math.log(row[c] / (1 - row[c])) - math.log(at / (1 - at))
            for label, at, c in (("spam", 0.3, 2), ("block", 0.8, 1))}  # fmt: skip
    sums = [sum(odds[label] for label in set_of(name)) for name in EACH.decisions(LABELS)]
    assert tilted == pytest.approx(np.exp(np.array(sums) - logsumexp(sums)), abs=1e-9)
    logits = np.array([[math.log(p / (1 - p)) for p in row]])
    assert EACH.logits(logits, LABELS, alone=True)[0] == pytest.approx(sums, abs=1e-9)
    ordered = sorted(tilted)
    assume(ordered[-1] - ordered[-2] > 1e-9)
    assert tilted.index(ordered[-1]) == EACH.chosen(probabilities)


@given(rows())
def test_of_a_softmax_the_log_odds_of_each_label_are_against_all_others(row: tuple[float, ...]) -> None:
    found = EACH.logits(np.log([row]) + 2.0, LABELS)[0]
    odds = [math.log(row[c] / (1 - row[c])) - math.log(at / (1 - at)) for at, c in ((0.3, 2), (0.8, 1))]
    assert found == pytest.approx([odds[0], odds[1], sum(odds), 0.0], abs=1e-6)


@pytest.mark.parametrize(
    ("gold", "decision"),
    [
        (["spam", "block"], "spam + block"), (["block", "spam"], "spam + block"), (["benign"], NO_LABEL),
        (["benign", "block"], "block"), ([NO_LABEL], NO_LABEL), (["(no answer)"], NO_LABEL),
        (["spam + block"], "spam + block"),
    ],
)  # fmt: skip
def test_the_gold_labels_of_a_text_are_one_decision(gold: list[str], decision: str) -> None:
    assert EACH.of_gold(gold) == [decision]


def test_labels_that_a_model_does_not_have_and_names_that_cannot_be_told_apart_are_refused() -> None:
    with pytest.raises(ModelError, match="names the label 'spamm', which the model does not have"):
        EachRule.of({"spamm": 0.5}).decisions(LABELS)
    odd = ("a", "b", "a + b")
    with pytest.raises(ModelError, match="writes two sets of labels alike"):
        EachRule.of(dict.fromkeys(odd, 0.5)).decisions(odd)
