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
        self.asked += [example.text for example in examples]
        found = [
            0.95 if "attack" in example.text else 0.55 if "a tack" in example.text else 0.1 for example in examples
        ]
        return [[1 - each, each] for each in found]


def run(model: Any, rule: dict[str, Any] | None, **given: Any) -> robustfim.Run:
    return robustfim.run(**{"model": model, "decide": rule, "data": HARMFUL + BENIGN, "checks": SOFTEN, **given})


def test_a_guard_that_lets_an_attack_through_at_its_threshold_fails() -> None:
    assert run(Guard(), None).checks["soften"].failing == 0
    found = run(Guard(), {"label": "block", "at": 0.7})
    assert (found.checks["soften"].failing, found.checks["soften"].tested) == (3, 6)
    assert {(failure.before.label, failure.after.label) for failure in found.record.failures} == {
        ("block", "not block")
    }
    assert [failure.after.probabilities for failure in found.record.failures] == [[pytest.approx(0.45)]] * 3
    assert found.record.model.labels == ["block", "not block"]
    assert found.record.model.accuracy.rate == 1


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


def test_an_edit_that_turns_a_label_into_an_abstention_breaks_its_example() -> None:
    found = run(Guard(), {"abstain": 0.8})
    assert (found.checks["soften"].failing, found.checks["soften"].tested) == (3, 6)
    assert {failure.after.label for failure in found.record.failures} == {ABSTAINS}


class Unsure(Guard):
    """A guard that is sure of nothing it would stop, before the edits and after them."""

    fingerprint = "unsure"

    def predict(self, examples: Sequence[Example]) -> list[list[float]]:
        return [[0.3, 0.7] if "tack" in example.text else [0.9, 0.1] for example in examples]


@pytest.mark.parametrize("labelled", [True, False])
def test_abstentions_that_the_baseline_does_not_make_are_a_loss(labelled: bool) -> None:
    rows = [{**each, "text": f"{each['text']} {number}"} for number in range(20) for each in HARMFUL + BENIGN]
    rows = rows if labelled else [{"text": row["text"]} for row in rows]
    given = {"data": rows, "margin": 0.05}
    sure, unsure = run(Guard(), {"abstain": 0.5}, **given), run(Unsure(), {"abstain": 0.8}, **given)
    assert (unsure.checks["soften"].failing, unsure.checks["soften"].tested) == (0, 60 if labelled else 120)
    compared = unsure.compare(sure)
    assert compared.whole.verdict == "worse"
    assert len(compared.whole.newly_wrong) == 60
    assert (compared.failed, compared.proven) == (True, False)
    assert any(
        "abstains on 60 tested examples before any change, the baseline's on 0" in note for note in compared.notes
    )
    assert unsure.compare(unsure).whole.verdict == "no worse"


def test_a_gold_label_is_compared_with_the_decision() -> None:
    checks = {"right": {"perturb": "itself", "expect": "correct"}}
    strict = run(Guard(), {"label": "block", "at": 0.97}, checks=checks)
    assert (strict.checks["right"].failing, strict.checks["right"].tested) == (3, 6)
    assert strict.record.model.accuracy.rate == 0.5
    abstaining = run(Guard(), {"abstain": 0.97}, checks=checks)
    assert abstaining.checks["right"].failing == 6


@pytest.mark.parametrize(
    ("rule", "said"),
    [
        ({"label": "block", "at": 1.5}, "'decide.at' is a probability between 0 and 1, not 1.5"),
        ({"at": 0.5}, "'decide' is {label: LABEL, at: 0.7}, "),
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


def test_every_score_and_a_guided_order_work_at_a_threshold() -> None:
    checks = {"guided": {"perturb": {"use": "typos", "order": "guided", "search": "greedy"}}}
    found = robustfim.run(
        model={"use": "reference/fasttext", "decide": {"label": "positive", "at": 0.7}},
        data=[{"text": text, "label": "positive"} for text in ("a grand and funny film", "fine, if dull in parts")],
        scores=["fisher", "boundary", "margin", "entropy"], checks=checks,
    )  # fmt: skip
    for failure in found.record.failures:
        assert {failure.before.label, failure.after.label} == {"positive", "not positive"}
        assert math.isfinite(failure.margin)


# ---- a threshold set on data --------------------------------------------------------------------------


def test_scores_and_texts_of_a_script_are_decided_too() -> None:
    rule = {"label": "positive", "at": 0.7}
    texts = ["a grand and funny film", "fine, if dull in parts"]
    plain = robustfim.score("reference/fasttext", texts, by="margin")
    found = robustfim.score("reference/fasttext", texts, by="margin", decide=rule)
    assert plain != found


def test_a_rule_of_a_suite_is_laid_aside_with_null() -> None:
    found = run({"use": Guard(), "decide": None}, None)
    assert found.record.model.labels == list(LABELS)
