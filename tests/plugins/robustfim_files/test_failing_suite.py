"""``robustfim export --failing --out FILE.yaml``: the failing texts of runs as a suite."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from robustfim import run as run_suite
from robustfim.errors import UsageError
from robustfim.plugin.sources import PluginOptions, load_plugins
from robustfim.record import Record, StepRecord
from robustfim_files.failing_suite import FailingSuite, write_suite
from tests.robustfim.command_line import CommandLine, refused
from tests.robustfim.conftest import robustfim as robustfim  # the fixture, which pytest finds by its name

EXPORT = "export reports/reviews --failing --out"
CRITIC = """
def judge(texts):
    return ["positive" if "good" in text or "cast" in text else "negative" for text in texts]


def mended(texts):
    return ["positive" if {"good", "solid", "cast", "actors"} & {*text.split()} else "negative" for text in texts]


def constant(texts):
    return ["positive" for _ in texts]


def nervous(texts):
    return ["positive" if ("awful" in text) is ("movie" in text) else "negative" for text in texts]
"""
ROWS = (
    ("a good film", "positive"),
    ("a cast of many", "positive"),
    ("an awful film", "negative"),
    ("dull", "negative"),
)
MODEL = "{use: python, call: 'critic:judge', labels: [negative, positive]}"
CHECKS = (
    "{rename: {perturb: rename, limit: 0.1, marks: [lexical]}, "
    "calm: {perturb: {use: rename, table: {film: movie}}, limit: 0.1}}"
)

LEFT_OUT: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "a step in embedding space has no text": ({"step": StepRecord(direction="eigenvector", norm=1.0)}, {}),
    "the perturbation is not meant to keep the meaning": ({}, {"yardstick": True}),
    "people call the text invalid": ({"review": "invalid"}, {}),
    "what its check expects cannot be asked of the text alone": (
        {},
        {"expectation": {"use": "any", "of": ["invariant", {"use": "per_slice", "slices": {"short": "changes"}}]}},
    ),
    "the text is another example of the data": ({}, {"partners": {"a": "b"}}),
    "the record does not say which label was wanted": ({}, {"expectation": {"use": "equals"}}),
    "it fails only as its source reads labels": (
        {"label": "neutral"},
        {"expectation": {"use": "equals"}, "perturbation": {"use": "checklist"}},
    ),
}
"""Why a failure is left out, and what of it and its check says so."""


@pytest.fixture
def line(robustfim: CommandLine, monkeypatch: pytest.MonkeyPatch) -> CommandLine:
    monkeypatch.syspath_prepend(robustfim.folder)
    robustfim.write("critic.py", CRITIC)
    data = f"{{use: films, rows: {json.dumps(ROWS)}}}"
    robustfim.suite(CHECKS, name="reviews", model=MODEL, data=data)
    return robustfim


@pytest.fixture
def record(robustfim: CommandLine) -> Record:
    rows = "[[a good film, null], [an awful film, negative]]"
    both = "{both: {perturb: rename, expect: {use: invariant, counts: changes}, limit: 0}}"
    name = robustfim.suite(both, data=f"{{use: films, rows: {rows}}}")
    robustfim(f"run {name} --no-store")
    return robustfim.record("other")


def failing(record: Record, failure: dict[str, Any], check: dict[str, Any]) -> FailingSuite:
    (failed, *_), (checked,) = record.failures, record.checks
    changed = {
        "failures": [failed.model_copy(update=failure)],
        "checks": [checked.model_copy(update=check)],
    }
    return FailingSuite([record.model_copy(update=changed)], load_plugins(PluginOptions(("toy.py",))))


@pytest.mark.parametrize("reason", LEFT_OUT)
def test_what_no_suite_can_hold_is_left_out_with_its_reason(record: Record, reason: str) -> None:
    found = failing(record, *LEFT_OUT[reason])
    assert (dict(found.left_out), found.texts, found.rows) == ({reason: 1}, 0, {})


def test_without_a_gold_label_a_text_is_asked_what_it_was_asked_before(record: Record) -> None:
    found = failing(record, {}, {"expectation": {"use": "invariant", "tolerance": 0.1}})
    assert found.checks["both"]["expect"] == {"use": "invariant", "tolerance": 0.1, "counts": "changes"}
    assert [row["failed_both"] for row in found.rows.values()] == [["a solid film"]]


def test_a_text_that_was_right_is_asked_for_its_gold_label(record: Record) -> None:
    assert failing(record, {}, {"counts": "broken"}).checks["both"]["expect"] == "correct"


def test_a_text_with_a_gold_label_of_its_own_keeps_it(record: Record) -> None:
    found = failing(record, {"label": "negative"}, {"expectation": {"use": "equals"}})
    assert found.checks["both"]["perturb"]["label"] == "label"
    assert [row["failed_both"] for row in found.rows.values()] == [[{"text": "a solid film", "label": "negative"}]]


def test_what_fails_an_example_is_carried_over(record: Record) -> None:
    assert "fails" not in failing(record, {}, {}).checks["both"]
    assert failing(record, {}, {"fails": {"use": "all"}}).checks["both"]["fails"] == "all"
    told = {"use": "at_most", "limit": 1}
    assert failing(record, {}, {"fails": told}).checks["both"]["fails"] == told


def test_a_text_that_fails_unchanged_fails_again_also_where_a_rule_decides(tmp_path: Path) -> None:
    rows = [{"text": "a dull film", "label": "positive"}, {"text": "a grand, funny film", "label": "negative"}]
    checks = {"right": {"perturb": "itself", "expect": "correct", "limit": 0}}
    rule = {"label": "positive", "at": 0.7}
    run = run_suite(model="reference/fasttext", decide=rule, data=rows, checks=checks)
    assert run.checks["right"].failing == 2
    write_suite(tmp_path / "again.yaml", [run.record], PluginOptions())
    again = run_suite(tmp_path / "again.yaml")
    assert (again.checks["right"].failing, again.checks["right"].tested) == (2, 2)
    assert {example.label for example in again.record.examples} == {"positive", "not positive"}


def written(folder: Path, name: str) -> tuple[dict[str, object], list[dict[str, object]]]:
    suite = yaml.safe_load((folder / f"{name}.yaml").read_text(encoding="utf-8"))
    rows = (folder / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    return suite, [json.loads(row) for row in rows]


def test_failing_texts_become_a_suite_that_the_same_model_fails_and_a_mended_one_passes(line: CommandLine) -> None:
    assert line("run reviews.yaml --no-store").code == 6
    shown = line(f"{EXPORT} kept/broken.yaml")
    assert shown.code == 0
    assert "wrote kept/broken.yaml and kept/broken.jsonl: 2 failing texts, 2 examples, 1 check" in shown.out
    suite, rows = written(line.folder / "kept", "broken")
    assert suite["plugins"] == ["../toy.py"]
    assert suite["checks"] == {
        "rename": {
            "perturb": {"use": "column", "name": "failed_rename", "candidates": 1},
            "expect": "correct",
            "limit": 0,
            "marks": ["lexical"],
        }
    }
    assert [(row["text"], row["label"], row["failed_rename"]) for row in rows] == [
        ("a good film", "positive", ["a solid film"]),
        ("a cast of many", "positive", ["a actors of many"]),
    ]
    assert line("run kept/broken.yaml --no-store").code == 1
    assert line.outcomes("broken") == {"rename": "failed"}
    assert line("run kept/broken.yaml --no-store --model call=critic:mended").code == 0
    assert line.outcomes("broken") == {"rename": "passed"}
    assert line("run kept/broken.yaml --no-store --model call=critic:nervous").code == 0  # right on these two


def test_a_model_that_gives_one_answer_breaks_nothing_and_passes_only_where_that_is_right(line: CommandLine) -> None:
    line("run reviews.yaml --no-store --model call=critic:nervous")
    line(f"{EXPORT} broken.yaml")
    _, rows = written(line.folder, "broken")
    assert {row["text"]: row["label"] for row in rows} == {"a good film": "positive", "an awful film": "negative"}
    assert line("run broken.yaml --no-store --model call=critic:constant").code == 1
    assert {check.failing for check in line.record("broken").checks} == {1}  # the awful film


def test_a_run_of_a_script_s_own_function_leaves_a_suite_that_takes_it_again(line: CommandLine) -> None:
    def judge(texts: list[str]) -> list[str]:
        return ["positive" if "good" in text or "cast" in text else "negative" for text in texts]

    labels = ["negative", "positive"]
    run = run_suite("reviews.yaml", model=judge, labels=labels)
    write_suite(Path("broken.yaml"), [run.record], PluginOptions())
    suite, _ = written(line.folder, "broken")
    assert "model" not in suite
    assert run_suite("broken.yaml", model=judge, labels=labels).checks["rename"].failing == 2


def test_the_failures_of_several_models_stand_in_one_suite_for_all_of_them(line: CommandLine) -> None:
    text = line.read("reviews.yaml")
    other = MODEL.replace("judge", "nervous")
    line.write("both.yaml", text.replace(f"model: {MODEL}", f"models: [{MODEL}, {other}]"))
    line("run both.yaml --no-store")
    both = "export reports/reviews/python reports/reviews/python-2 --failing --out"
    refused(line(f"{both} broken"), "2 runs given. Export one run at a time")
    line(f"{both} broken.yaml")
    suite, rows = written(line.folder, "broken")
    assert [model["call"] for model in suite["models"]] == ["critic:judge", "critic:nervous"]  # type: ignore[attr-defined]  # as YAML has it
    assert {row["text"]: (row["failed_rename"], row["failed_calm"]) for row in rows} == {
        "a good film": (["a solid film", "a good movie"], ["a good movie"]),
        "a cast of many": (["a actors of many"], None),
        "an awful film": (["an awful movie"], ["an awful movie"]),
    }


def test_where_nothing_failed_nothing_is_written(line: CommandLine) -> None:
    line("run reviews.yaml::calm --no-store")
    shown = line("export reports/reviews.partial --failing --out broken.yaml")
    assert shown.code == 0
    assert "no failing text, so broken.yaml is not written" in shown.out
    assert not (line.folder / "broken.yaml").exists()


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("toy.yaml", "toy.yaml exists already"),
        ("old.yaml", "old.jsonl exists already"),
        ("my suite.yaml", "cannot name a suite"),
    ],
)
def test_a_file_that_is_there_is_kept(record: Record, tmp_path: Path, name: str, message: str) -> None:
    for taken in ("toy.yaml", "old.jsonl"):
        (tmp_path / taken).write_text("")
    with pytest.raises(UsageError, match=message):
        write_suite(tmp_path / name, [record], PluginOptions())
