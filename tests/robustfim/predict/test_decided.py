"""A run of a model that decides at a threshold: what it judges, what it asks, and what it refuses."""

from __future__ import annotations

import html
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


class Graded(Guard):
    """A guard whose P(block) of a text is the number at its end."""

    def predict(self, examples: Sequence[Example]) -> list[list[float]]:
        self.asked += [example.text for example in examples]
        found = [float(example.text.split()[-1]) for example in examples]
        return [[1 - each, each] for each in found]


GRADED = [{"text": f"text {number} 0.{number}", "label": "block"} for number in range(10, 99, 4)]


def benign(path: Path, *more: str) -> dict[str, Any]:
    texts = [f"benign {number} {number / 250:.3f}" for number in range(1, 200)]
    path.write_text("text\n" + "\n".join([*texts, *more]) + "\n", encoding="utf-8")
    return {"use": "csv", "path": str(path), "label": None}


def graded(model: Any, on: Any, **given: Any) -> robustfim.Run:
    rule = {"label": "block", "at": {"fpr": 0.05, "on": on}}
    swap = {"swap": {"perturb": {"use": Swap({"text": ["words"]})}, "expect": "correct"}}
    return robustfim.run(**{"model": {"use": model, "decide": rule}, "data": GRADED, "checks": swap, **given})


def test_a_threshold_is_set_on_data_of_its_own_and_said_in_the_record(tmp_path: Path) -> None:
    found = graded(Graded(), benign(tmp_path / "benign.csv"))
    threshold = found.record.model.threshold
    assert threshold is not None
    alarms = threshold.alarms
    assert (threshold.at, alarms.count, alarms.tested) == (0.76, 10, 199)  # 10 of 199: 10/200 is the share
    assert alarms.ends[0] < 0.05 < alarms.ends[1]
    through = sum(float(row["text"].split()[-1]) < 0.76 for row in GRADED)
    assert found.checks["swap"].failing == through
    assert found.record.model.options["decide"]["at"]["fpr"] == 0.05
    assert found.record.model.fingerprint == "guard decides block at 0.76"


def test_the_texts_that_set_a_threshold_are_counted_and_not_asked_again(tmp_path: Path) -> None:
    first, second = Graded(), Graded()
    path = benign(tmp_path / "benign.csv")
    record = graded(first, path, store=tmp_path / "store").record
    assert record.model_calls == len(first.asked) == 199 + 2 * len(GRADED)
    graded(second, path, store=tmp_path / "store", offline=True)
    assert second.asked == []


@pytest.mark.slow
def test_the_worker_of_an_engine_reads_the_threshold_that_was_set(tmp_path: Path) -> None:
    path = tmp_path / "benign.csv"
    rows = "\n".join(
        f"a film of {number} hours,{'positive' if number % 40 == 0 else 'negative'}" for number in range(90)
    )
    path.write_text(f"text,label\n{rows}\n", encoding="utf-8")
    suite = {
        "suite": "films", "scores": ["fisher"], "checks": {"typos": {"perturb": "typos"}},
        "model": {"use": "reference/fasttext", "decide": {"label": "positive", "at": {"fpr": 0.1, "on": str(path)}}},
    }  # fmt: skip
    data = [{"text": text} for text in ("a grand and funny film", "fine, if dull in parts", "dull")]
    alone = robustfim.run(suite, data=data).record
    shared = robustfim.run({**suite, "engine": {"use": "processes", "workers": 1}}, data=data).record
    assert alone.model.threshold == shared.model.threshold
    assert alone.model.threshold is not None
    assert alone.model.threshold.alarms.tested == 87, "rows with the label are left out"
    assert [*alone.examples] == [*shared.examples]


def test_texts_that_are_tested_set_no_threshold(tmp_path: Path) -> None:
    with pytest.raises(robustfim.RobustfimError, match="shares 1 text with the data tested"):
        graded(Graded(), benign(tmp_path / "benign.csv", "text 10 0.10"))


def test_what_cannot_set_a_threshold_is_told(tmp_path: Path) -> None:
    few = tmp_path / "few.csv"
    few.write_text("text,label\na 0.1,benign\nb 0.2,benign\n", encoding="utf-8")
    with pytest.raises(
        robustfim.RobustfimError, match=r"takes at least 19 texts without the label, and the data have 2"
    ):
        graded(Graded(), str(few))
    few.write_text("text,label\na 0.1,harmless\n", encoding="utf-8")
    with pytest.raises(robustfim.RobustfimError, match="has the label 'harmless', which is not a label of the model"):
        graded(Graded(), str(few))
    with pytest.raises(UsageError, match=r"model\.decide\.at\.on: 3 names nothing"):
        graded(Graded(), 3)
    with pytest.raises(robustfim.RobustfimError, match=r"nowhere\.csv"):
        graded(Graded(), "nowhere.csv")


def test_scores_and_texts_of_a_script_are_decided_too() -> None:
    rule = {"label": "positive", "at": 0.7}
    texts = ["a grand and funny film", "fine, if dull in parts"]
    plain = robustfim.score("reference/fasttext", texts, by="margin")
    found = robustfim.score("reference/fasttext", texts, by="margin", decide=rule)
    assert plain != found


def test_every_report_says_which_threshold_was_set(tmp_path: Path) -> None:
    found = graded(
        Graded(), benign(tmp_path / "benign.csv"), reports=tmp_path / "reports",
        suite={"reports": ["json", "html", "markdown", "junit", "sarif"]},
    )  # fmt: skip
    assert found.record.model.threshold is not None
    said = "block from 0.76 on, where 10 of 199 texts without it are: 2.4 to 8.4 % of all such texts"
    assert found.record.model.threshold.sentence == said
    for name in ("report.html", "comment.md"):
        (path,) = tmp_path.glob(f"reports/**/{name}")
        assert said in html.unescape(path.read_text(encoding="utf-8"))


def test_a_rule_of_a_suite_is_laid_aside_with_null() -> None:
    found = run({"use": Guard(), "decide": None}, None)
    assert found.record.model.labels == list(LABELS)
