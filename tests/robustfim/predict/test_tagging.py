"""Taggers behind the prediction queue: their spans are answers, in runs as everywhere."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

import robustfim
from robustfim import Example, ModelError
from robustfim.cli import main
from robustfim.predict.queue import PredictionQueue
from robustfim.predict.rating import answering
from robustfim.predict.store import Store
from robustfim.predict.tagging import Tagging
from robustfim.spans import Span
from robustfim_testing import check_model


class Capitals:
    """Calls every word in capitals a name."""

    fingerprint = "capitals"

    def tag(self, examples: Sequence[Example]) -> list[Any]:
        return [
            [(found.start(), found.end(), "name", 0.5) for found in re.finditer(r"\b[A-Z]{2,}\b", example.text)]
            for example in examples
        ]


class Says(Capitals):
    """Says one thing of every text."""

    def __init__(self, spans: Any) -> None:
        self.spans = spans

    def tag(self, examples: Sequence[Example]) -> list[Any]:
        return [self.spans for _ in examples]


def test_a_tagger_keeps_the_promises_of_a_model() -> None:
    check_model(Capitals())


def test_what_a_tagger_finds_is_a_prediction() -> None:
    queue = PredictionQueue(answering(Capitals()), Store(None))
    first, second = queue.predict([Example({"text": "ANN and BOB"}), Example({"text": "nobody"})])
    assert first is not None
    assert second is not None
    assert first.spans == (Span(0, 3, "name", 0.5), Span(8, 11, "name", 0.5))
    assert (first.confidence, first.says("⟦0:3 name⟧ ⟦8:11 name⟧")) == (0.5, True)
    assert (second.spans, second.confidence) == ((), 1.0)


def test_a_model_with_labels_and_a_tagger_in_place_stay_as_they_are() -> None:
    tagging = answering(Capitals())
    assert isinstance(tagging, Tagging)
    assert answering(tagging) is tagging
    assert answering(model := object()) is model


def test_none_is_a_text_without_prediction() -> None:
    queue = PredictionQueue(answering(Says(None)), Store(None))
    assert queue.predict([Example({"text": "ANN"})]) == [None]


@pytest.mark.parametrize(
    ("spans", "message"),
    [
        ([(0, 9, "name")], r"0:9 \(name\) lies outside its text, which has 3 characters"),
        ([(0, 3)], "not"),
        (["ANN"], "not 'ANN'"),
        (7, "must give a list"),
        ([(0, 3, "name", 2.0)], "probability of a span"),
    ],
)
def test_what_is_no_span_is_refused(spans: Any, message: str) -> None:
    with pytest.raises(ModelError, match=message):
        answering(Says(spans)).answer([Example({"text": "ANN"})])


def test_several_texts_and_another_number_of_answers_are_refused() -> None:
    with pytest.raises(ModelError, match="an example has premise, hypothesis"):
        answering(Capitals()).answer([Example({"premise": "A", "hypothesis": "B"})])

    class Short(Capitals):
        def tag(self, examples: Sequence[Example]) -> list[Any]:
            return []

    with pytest.raises(ModelError, match="the spans of 0 texts for 1"):
        answering(Short()).answer([Example({"text": "ANN"})])


def test_a_run_of_a_tagger_tells_recall_before_and_after_by_label() -> None:
    texts = [f"ANN met BOB on day {place}." for place in range(6)]
    data = [Example({"text": text}, "⟦0:3 name⟧ ⟦8:11 name⟧ ⟦12:14 place⟧") for text in texts]
    run = robustfim.run(
        model=Capitals(),
        data=data,
        checks={
            "lower": {"perturb": {"use": "case", "kinds": ["lower"]}, "expect": "found"},
            "itself": {"perturb": "itself", "expect": "correct"},
        },
    )
    lower = run.checks["lower"]
    assert (lower.tested, lower.failing) == (6, 6)
    (name,) = lower.recall  # a label that it never finds is not claimed
    assert (name.label, name.before.count, name.before.tested, name.after.count, name.after.tested) == (
        "name", 12, 12, 0, 12,
    )  # fmt: skip
    assert run.record.model.unclaimed == {"place": 6}
    assert name.left == 0
    assert lower.recalled == [name.told]
    assert name.told.startswith("name found 100 % before, 0 % [0.0, 45.9] of 12 after")  # of six examples, exactly
    reasons = {failure["reason"] for failure in run.failures if failure["check"].endswith("lower")}
    assert reasons == {"'ann' is no longer found as name, 'bob' as name"}


@pytest.mark.parametrize("decide", [{"abstain": 0.8}, {"label": "name", "at": 0.7}])
def test_a_tagger_takes_no_decision_rule(decide: dict[str, Any]) -> None:
    with pytest.raises(robustfim.UsageError, match="or with spans, has no label to decide for"):
        robustfim.run(
            model=Capitals(), decide=decide, data=[Example({"text": "ANN"})], checks={"itself": {"perturb": "itself"}}
        )


SUITE = """
suite: tagger
model: {use: python, call: "finder:find", task: spans}
data: {use: jsonl, path: rows.jsonl, spans: spans}
scores: [entropy]
checks: {typos: {perturb: typos}}
"""


@pytest.mark.parametrize(
    ("words", "what"),
    [
        (["mine", "tagger.yaml"], "'mine'"),
        (["study", "scorers", "tagger.yaml"], "'study'"),
        (["run", "tagger.yaml", "-o", "select={by: flips, difficult: 1}"], "the score 'flips'"),
    ],
)
def test_what_counts_changed_labels_refuses_a_tagger_by_name(
    words: list[str],
    what: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("tagger.yaml").write_text(SUITE, encoding="utf-8")
    Path("finder.py").write_text("def find(texts):\n    return [[(0, 3, 'name')] for _ in texts]\n", encoding="utf-8")
    row = '{"text": "Ann saw the film", "spans": [[0, 3, "name"]]}\n{"text": "Bob saw it, too", "spans": []}\n'
    Path("rows.jsonl").write_text(row, encoding="utf-8")
    with pytest.raises(SystemExit) as ended:
        main(words)
    assert ended.value.code == 4
    assert f"{what} speaks of labels that change, and the model finds spans" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "what"), [(["mine", "several.yaml"], "'mine'"), (["study", "scorers", "several.yaml"], "'study'")]
)
def test_what_counts_a_changed_label_refuses_several_at_once_by_name(
    words: list[str],
    what: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    suite = """
    suite: several
    model: {use: python, call: "flags:judge", labels: [rude, long], decide: {each: {rude: 0.5, long: 0.3}}}
    data: {use: csv, path: rows.csv, label: [rude, long]}
    checks: {typos: {perturb: typos}}
    """
    Path("several.yaml").write_text(suite, encoding="utf-8")
    Path("flags.py").write_text("def judge(texts):\n    return [[0.9, 0.8] for _ in texts]\n", encoding="utf-8")
    Path("rows.csv").write_text("text,rude,long\nAnn saw the film,1,0\nBob saw it too,0,1\n", encoding="utf-8")
    with pytest.raises(SystemExit) as ended:
        main(words)
    assert ended.value.code == 4
    said = " ".join(capsys.readouterr().err.split())
    assert f"{what} compares one label, and 'decide.each' decides 2 labels at once" in said
    assert "'decide: {label: rude, at: …}'" in said
