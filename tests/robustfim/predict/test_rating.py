"""Models of numbers behind the prediction queue: a number is a decision within a tolerance, or of two the larger."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

import robustfim
from robustfim import Example, ModelError
from robustfim.cli import main
from robustfim.decision import DecisionRule, OrderRule
from robustfim.errors import DataError, SuiteError, UsageError
from robustfim.predict.decided import decided
from robustfim.predict.labels import model_labels
from robustfim.predict.queue import PredictionQueue
from robustfim.predict.rating import Ordering, Rating, answering
from robustfim.predict.store import Store
from robustfim.prediction import require_one_label
from robustfim_testing import check_model

GOOD = ("good", "fine", "warm")


def stars(text: str) -> float:
    """Three, and a half more for every good word, less for every bad one."""
    words = text.lower().replace(".", "").split()
    return 3 + 0.5 * sum(word in GOOD for word in words) - 0.5 * sum(word == "bad" for word in words)


class Stars:
    """Rates texts by their words, and notes what it was asked."""

    fingerprint = "stars"

    def __init__(self) -> None:
        self.seen: list[str] = []

    def rate(self, examples: Sequence[Example]) -> list[Any]:
        self.seen += [example.text for example in examples]
        return [stars(example.text) for example in examples]


class Gives(Stars):
    """Gives one thing for every batch."""

    def __init__(self, numbers: Any) -> None:
        super().__init__()
        self.numbers = numbers

    def rate(self, examples: Sequence[Example]) -> Any:
        return self.numbers


def texts(*given: str) -> list[Example]:
    return [Example({"text": text}) for text in given]


def pair(chosen: str, rejected: str) -> Example:
    return Example({"chosen": chosen, "rejected": rejected})


def rule(**value: Any) -> DecisionRule:
    return DecisionRule.read(value)


def test_a_model_of_numbers_keeps_the_promises_of_a_model() -> None:
    check_model(Stars())


def test_a_number_is_a_prediction_without_labels() -> None:
    model = decided(answering(Stars()), rule(within=0.25))
    assert model_labels(model) == ()
    (found,) = PredictionQueue(model, Store(None)).predict(texts("a good film"))
    assert found is not None
    assert (found.number, found.shown, found.confidence) == (3.5, "3.5", 1.0)
    assert [found.says(each) for each in ("3.25", "3.75", "3.2", "3.8")] == [True, True, False, False]


def test_a_model_that_answers_already_and_one_with_labels_stay_as_they_are() -> None:
    rating = answering(Stars())
    assert isinstance(rating, Rating)
    assert answering(rating) is rating
    ruled = decided(rating, rule(within=1))
    assert answering(ruled) is ruled
    assert answering(model := object()) is model


@pytest.mark.parametrize("number", [None, math.nan, math.inf])
def test_no_number_is_a_text_without_prediction(number: Any) -> None:
    queue = PredictionQueue(decided(answering(Gives([number])), rule(within=1)), Store(None))
    assert queue.predict(texts("a film")) == [None]


@pytest.mark.parametrize(
    ("numbers", "message"),
    [([1, 2], "gave 2 numbers for 1 texts"), (["many"], "must give a number for each text"), (7, "must give a number")],
)
def test_what_is_no_number_for_each_text_is_refused(numbers: Any, message: str) -> None:
    with pytest.raises(ModelError, match=message):
        answering(Gives(numbers)).answer(texts("a film"))


def test_another_tolerance_is_another_model_and_sends_nothing_again(tmp_path: Path) -> None:
    rows, checks = [{"text": f"a good film {row}"} for row in range(6)], {"t": {"perturb": "typos"}}
    model = Stars()
    found = []
    for within in (0.25, 0.75):
        suite = {"suite": "s", "checks": checks}
        made = robustfim.run(suite, model=model, decide={"within": within}, data=rows, store=tmp_path / "store.sqlite")
        found.append((len(model.seen), made.checks["t"].rate, made.record.model.fingerprint))
    (asked, narrow, first), (after, wide, second) = found
    again = sum(model.seen.count(text) > 1 for text in set(model.seen))
    assert after - asked <= again, "nothing but a sample that sees whether the model has changed"
    assert (narrow, wide) == (1, 0)
    assert (first, second) == ("stars decides within 0.25", "stars decides within 0.75")


def test_a_run_of_numbers_tells_changes_and_rightness_by_the_rule(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = [{"text": f"a good film {row}", "label": label} for row, label in enumerate([3.5, 3.3, 3.0, 9])]
    checks = {
        "typos": {"perturb": "typos"},
        "right": {"perturb": "itself", "expect": "correct"},
        "up": {"perturb": "typos", "expect": {"use": "directional", "direction": "down"}},
    }
    made = robustfim.run(model=Stars(), decide={"within": 0.25}, data=rows, checks=checks)
    assert made.record.model.accuracy.rate == 0.5
    assert made.checks["right"].rate == 0.5
    assert made.checks["typos"].rate == 1, "every typo in 'good' takes half a star"
    assert made.checks["up"].rate == 0, "and none gives any"
    failed = made.record.failures
    for failure in failed:
        if failure.check.endswith("typos"):
            assert abs(float(failure.before.label) - stars(failure.fields["text"])) > 0.25
            assert (failure.before.probabilities, failure.after.probabilities) == ([], [])
    assert {failure["confidence_before"] for failure in made.failures} == {None}
    assert "changed" not in (made._repr_html_() or "").split("100%")[0]
    made.report(tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert "3.5 → 3" in page
    assert "3.5 100" not in page


def test_of_two_texts_the_one_with_the_larger_number_is_decided_for() -> None:
    model = Ordering(answering(Stars()), OrderRule.of(["chosen", "rejected"]))
    (row,) = model.predict([pair("a good and warm film", "a bad film")])
    assert row == pytest.approx([1 / (1 + math.exp(2.5 - 4)), 1 / (1 + math.exp(4 - 2.5))])
    assert model.labels == ("chosen", "rejected")
    assert model.predict([pair("a film", "a film")]) == [[0.5, 0.5]]
    with pytest.raises(ModelError, match="names the field 'chosen', and an example has only the fields text"):
        model.predict(texts("a film"))


@pytest.mark.parametrize("gap", [-1e4, -800.0, -30.0, 0.0, 30.0, 800.0, 1e4])
def test_numbers_far_apart_overflow_nowhere(gap: float) -> None:
    (row,) = Ordering(answering(Gives([gap, 0.0])), OrderRule.of(["a", "b"])).predict([Example({"a": "x", "b": "y"})])
    assert sum(row) == pytest.approx(1)
    assert (row[0] > 0.5, row[0] < 0.5) == (gap > 0, gap < 0)


def test_a_run_of_pairs_asks_whether_their_order_holds() -> None:
    rows = [Example({"chosen": f"a good film {row}", "rejected": f"a bad film {row}"}, "chosen") for row in range(8)]
    typos = {"perturb": {"use": "typos", "fields": ["chosen"]}}
    made = robustfim.run(
        model=Stars(),
        decide={"order": ["chosen", "rejected"]},
        data=rows,
        checks={"typos": typos, "right": {"perturb": "itself", "expect": "correct"}},
        select={"by": "margin", "difficult": 2, "control": 4},
    )
    assert made.record.model.labels == ["chosen", "rejected"]
    assert made.record.model.accuracy.rate == 1
    assert made.checks["typos"].rate == 0, "one word of two is half a star, and they are one apart"


@pytest.mark.parametrize(
    ("decide", "message"),
    [
        (None, "'decide' must say how to compare them"),
        ({"label": "good", "at": 0.5}, "gives numbers, and no label to decide for"),
        ({"within": 0}, "'decide.within' is a number above 0"),
        ({"order": ["one"]}, "'decide.order' is the names of two fields"),
    ],
)
def test_a_model_of_numbers_needs_a_rule_of_numbers(decide: Any, message: str) -> None:
    with pytest.raises(SuiteError, match=message):
        robustfim.run(model=Stars(), decide=decide, data=["a film"], checks={"t": {"perturb": "typos"}})


@pytest.mark.parametrize("decide", [{"within": 0.25}, {"order": ["a", "b"]}])
def test_a_classifier_has_no_rule_of_numbers(decide: Any) -> None:
    with pytest.raises(SuiteError, match="the model gives no number"):
        robustfim.run(model="reference/fasttext", decide=decide, data=["a film"], checks={"t": {"perturb": "typos"}})


def test_a_gold_label_that_is_no_number_is_refused_before_the_model_is_asked() -> None:
    model = Stars()
    rows = [{"text": "a film", "label": "five"}]
    with pytest.raises(DataError, match="and the model gives numbers: 'five' is no number"):
        robustfim.run(model=model, decide={"within": 1}, data=rows, checks={"t": {"perturb": "typos"}})
    assert model.seen == []


def test_what_counts_labels_refuses_numbers() -> None:
    with pytest.raises(UsageError, match="'mine' needs labels, but the model gives numbers"):
        require_one_label(decided(answering(Stars()), rule(within=1)), "'mine'")


def test_the_terminal_shows_numbers_without_probabilities(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("letters_of.py").write_text("def rate(texts):\n    return [float(len(text)) for text in texts]\n", "utf-8")
    Path("texts.csv").write_text("text,label\na film,6\nanother film,4\n", "utf-8")
    Path("suite.yaml").write_text(
        """
suite: s
model: {use: python, call: "letters_of:rate", task: number, decide: {within: 0.5}}
data: {use: csv, path: texts.csv}
checks: {right: {perturb: itself, expect: correct}}
""",
        "utf-8",
    )
    with pytest.raises(SystemExit):
        main(["run", "suite.yaml"])
    assert "(gold 4)  12  12 instead of 4" in capsys.readouterr().out
