"""A run of a model that decides at a threshold: what it judges, what it asks, and what it refuses."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

import robustfim
from robustfim.decision import ABSTAINS
from robustfim.errors import ModelError, UsageError
from robustfim.example import Example
from tests.robustfim.toys import Swap

LABELS = ("benign", "block")
HARMFUL = [{"text": f"attack number {number}", "label": "block"} for number in ("one", "two", "three")]
BENIGN = [{"text": f"please water plant {number}", "label": "benign"} for number in ("one", "two", "three")]
SOFTEN = {"soften": {"perturb": {"use": Swap({"attack": ["a tack"], "please": ["pls"]})}}}


class Guard:
    """A guard whose P(block) is .95 for an attack and .55 for one that is written otherwise."""

    labels = LABELS
    fingerprint = "guard"

    def __init__(self) -> None:
        self.asked: list[str] = []

    def predict(self, examples: Sequence[Example]) -> list[list[float]]:
        self.asked += [each.text for each in examples]
        found = [0.95 if "attack" in each.text else 0.55 if "a tack" in each.text else 0.1 for each in examples]
        return [[1 - each, each] for each in found]


def run(model: Any, rule: dict[str, Any] | None, **given: Any) -> robustfim.Run:
    named = {"use": model, **({} if rule is None else {"decide": rule})}
    return robustfim.run(**{"model": named, "data": HARMFUL + BENIGN, "checks": SOFTEN, **given})


def test_a_guard_that_lets_an_attack_through_at_its_threshold_fails() -> None:
    assert run(Guard(), None).checks["soften"].failing == 0
    found = run(Guard(), {"label": "block", "at": 0.7})
    assert (found.checks["soften"].failing, found.checks["soften"].tested) == (3, 6)
    assert {(each.before.label, each.after.label) for each in found.record.failures} == {("block", "not block")}
    assert [each.after.probabilities for each in found.record.failures] == [[pytest.approx(0.45)]] * 3
    assert found.record.model.labels == ["block", "not block"]
    assert found.record.model.accuracy == 1


def test_another_threshold_is_another_model_and_asks_nothing_anew(tmp_path: Path) -> None:
    first, second = Guard(), Guard()
    strict = run(first, {"label": "block", "at": 0.7}, store=tmp_path / "store")
    loose = run(second, {"label": "block", "at": 0.5}, store=tmp_path / "store", offline=True)
    assert len(first.asked) == 12
    assert second.asked == []
    assert (strict.checks["soften"].failing, loose.checks["soften"].failing) == (3, 0)
    assert strict.record.model.fingerprint != loose.record.model.fingerprint
    assert strict.record.model.options["decide"] == {"label": "block", "at": 0.7}


def test_the_margin_of_a_failure_is_measured_at_the_threshold() -> None:
    found = run(Guard(), {"label": "block", "at": 0.7}).record.failures[0]
    odds = 0.55 / 0.45 * 0.3 / 0.7
    assert found.margin == pytest.approx((1 - odds) / (1 + odds), abs=1e-6)


@pytest.mark.parametrize(
    ("counts", "failing", "tested"), [(None, 3, 6), ("fails", 3, 6), ("passes", 0, 6), ("apart", 0, 3)]
)
def test_an_abstention_counts_as_the_expectation_says(counts: str | None, failing: int, tested: int) -> None:
    expect = "invariant" if counts is None else {"use": "invariant", "abstaining": counts}
    found = run(Guard(), {"abstain": 0.8}, checks={"soften": {**SOFTEN["soften"], "expect": expect}})
    assert (found.checks["soften"].failing, found.checks["soften"].tested) == (failing, tested)
    assert {each.after.label for each in found.record.failures} <= {ABSTAINS}


def test_a_gold_label_is_compared_with_the_decision() -> None:
    checks = {"right": {"perturb": "itself", "expect": "correct"}}
    strict = run(Guard(), {"label": "block", "at": 0.97}, checks=checks)
    assert (strict.checks["right"].failing, strict.checks["right"].tested) == (3, 6)
    assert strict.record.model.accuracy == 0.5
    abstaining = run(Guard(), {"abstain": 0.97}, checks=checks)
    assert abstaining.checks["right"].failing == 6


@pytest.mark.parametrize(
    ("rule", "said"),
    [
        ({"label": "block", "at": 1.5}, "'decide.at' is a probability between 0 and 1, not 1.5"),
        ({"at": 0.5}, "'decide' is {label: LABEL, at: 0.7} or {abstain: 0.8}"),
    ],
)
def test_a_wrong_rule_is_refused_before_anything_is_asked(rule: dict[str, Any], said: str) -> None:
    guard = Guard()
    with pytest.raises((UsageError, ModelError)) as error:
        run(guard, rule)
    assert said in str(error.value)
    assert guard.asked == []


def test_a_label_that_the_model_does_not_have_ends_the_run_before_it_is_asked() -> None:
    guard = Guard()
    found = run(guard, {"label": "blok", "at": 0.5})
    assert (
        "'decide' names the label 'blok', which the model does not have. Did you mean 'block'?" in found.record.message
    )
    assert (found.exit_code, guard.asked) == (1, [])


def test_a_model_that_answers_with_labels_alone_has_no_threshold() -> None:
    class Sure(Guard):
        def predict(self, examples: Sequence[Example]) -> list[list[float]]:
            return [[0.0, 1.0] if row[1] > 0.5 else [1.0, 0.0] for row in super().predict(examples)]

    found = run(Sure(), {"label": "block", "at": 0.7})
    assert found.exit_code == 1
    assert "labels alone" in found.record.message


def test_every_score_and_order_works_at_a_threshold() -> None:
    checks = {
        order: {"perturb": {"use": "typos", "order": order, "search": "greedy"}} for order in ("guided", "queries")
    }
    found = robustfim.run(
        model={"use": "reference/fasttext", "decide": {"label": "positive", "at": 0.7}},
        data=[{"text": text, "label": "positive"} for text in ("a grand and funny film", "fine, if dull in parts")],
        scores=["fisher", "boundary", "margin", "entropy"], checks=checks,
    )  # fmt: skip
    for failure in found.record.failures:
        assert {failure.before.label, failure.after.label} == {"positive", "not positive"}
        assert math.isfinite(failure.margin)
