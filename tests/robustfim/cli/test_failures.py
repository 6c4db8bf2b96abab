"""``--tests-from-failures``: of ``robustfim run`` and ``robustfim report``."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import yaml

import robustfim
from robustfim.errors import UsageError
from robustfim.result import Run
from tests.robustfim.command_line import CommandLine, refused

CRITIC = """
def judge(texts):
    return ["positive" if "good" in text or "cast" in text else "negative" for text in texts]


def mended(texts):
    return ["positive" if {"good", "solid", "cast", "actors"} & {*text.split()} else "negative" for text in texts]


def constant(texts):
    return ["positive" for _ in texts]


def nervous(texts):
    return ["negative" if "movie" in text else "positive" for text in texts]
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


@pytest.fixture
def line(robustfim: CommandLine, monkeypatch: pytest.MonkeyPatch) -> CommandLine:
    monkeypatch.syspath_prepend(robustfim.folder)
    robustfim.write("critic.py", CRITIC)
    data = f"{{use: films, rows: {json.dumps(ROWS)}}}"
    robustfim.suite(CHECKS, name="reviews", model=MODEL, data=data)
    return robustfim


def written(folder: Path, name: str) -> tuple[dict[str, object], list[dict[str, object]]]:
    suite = yaml.safe_load((folder / f"{name}.yaml").read_text(encoding="utf-8"))
    rows = (folder / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    return suite, [json.loads(row) for row in rows]


def test_failing_texts_become_a_suite_that_the_same_model_fails_and_a_mended_one_passes(line: CommandLine) -> None:
    shown = line("run reviews.yaml --no-store --tests-from-failures kept/broken.yaml")
    assert shown.code == 6
    assert "wrote kept/broken.yaml and kept/broken.jsonl: 2 failing texts, 2 examples, 1 check" in shown.out
    suite, rows = written(line.folder / "kept", "broken")
    assert suite["plugins"] == ["../toy.py"]
    assert suite["checks"] == {
        "rename": {
            "perturb": {"use": "column", "name": "failed_rename", "candidates": 1},
            "expect": {"use": "all", "of": ["invariant", "correct"]},
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


def test_a_model_that_gives_one_answer_changes_no_label_and_passes_only_where_that_is_right(line: CommandLine) -> None:
    line("run reviews.yaml --no-store --model call=critic:nervous --tests-from-failures broken.yaml")
    _, rows = written(line.folder, "broken")
    assert {row["text"]: row["label"] for row in rows} == {"a good film": "positive", "an awful film": "negative"}
    assert line("run broken.yaml --no-store --model call=critic:constant").code == 1
    assert {check.failing for check in line.record("broken").checks} == {1}  # the awful film


def test_a_record_gives_the_same_suite_without_the_model(line: CommandLine) -> None:
    line("run reviews.yaml --no-store --tests-from-failures broken.yaml")
    shown = line("report reports/reviews --tests-from-failures again.yaml")
    assert shown.code == 0, shown
    assert not (line.folder / "reports/reviews/again.html").exists()
    (first, rows), (second, others) = written(line.folder, "broken"), written(line.folder, "again")
    assert rows == others
    assert {**second, "suite": "broken", "data": first["data"]} == first


def test_a_script_writes_the_same_suite_of_its_run(line: CommandLine) -> None:
    line("run reviews.yaml --no-store --tests-from-failures broken.yaml")
    run = Run.load("reports/reviews")
    found = run.tests_from_failures("again.yaml")
    assert (str(found), found.left_out) == ("2 failing texts, 2 examples, 1 check", {})
    (first, rows), (second, others) = written(line.folder, "broken"), written(line.folder, "again")
    assert rows == others
    assert {**second, "suite": "broken", "data": first["data"]} == first
    with pytest.raises(UsageError, match=r"again\.yaml is there already"):
        run.tests_from_failures("again.yaml")
    calm = Run(run.record.model_copy(update={"failures": []}))
    assert (calm.tests_from_failures("none.yaml").texts, (line.folder / "none.yaml").exists()) == (0, False)


def test_a_run_of_a_script_s_own_function_leaves_a_suite_that_takes_it_again(line: CommandLine) -> None:
    def judge(texts: list[str]) -> list[str]:
        return ["positive" if "good" in text or "cast" in text else "negative" for text in texts]

    labels = ["negative", "positive"]
    run = robustfim.run("reviews.yaml", model=judge, labels=labels)
    run.tests_from_failures("broken.yaml")
    suite, _ = written(line.folder, "broken")
    assert "model" not in suite
    assert robustfim.run("broken.yaml", model=judge, labels=labels).checks["rename"].failing == 2


def test_the_failures_of_several_models_stand_in_one_suite_for_all_of_them(line: CommandLine) -> None:
    text = line.read("reviews.yaml")
    other = MODEL.replace("judge", "nervous")
    line.write("both.yaml", text.replace(f"model: {MODEL}", f"models: [{MODEL}, {other}]"))
    line("run both.yaml --no-store --tests-from-failures broken.yaml")
    suite, rows = written(line.folder, "broken")
    assert [model["call"] for model in suite["models"]] == ["critic:judge", "critic:nervous"]  # type: ignore[attr-defined]  # as YAML has it
    assert {row["text"]: (row["failed_rename"], row["failed_calm"]) for row in rows} == {
        "a good film": (["a solid film", "a good movie"], ["a good movie"]),
        "a cast of many": (["a actors of many"], None),
        "an awful film": (["an awful movie"], ["an awful movie"]),
    }


def test_where_nothing_failed_nothing_is_written_and_the_exit_code_stays(line: CommandLine) -> None:
    shown = line("run reviews.yaml::calm --no-store --tests-from-failures broken.yaml")
    plain = line("run reviews.yaml::calm --no-store")
    assert shown.code == plain.code
    assert "no failing text, so broken.yaml is not written" in shown.out
    assert not (line.folder / "broken.yaml").exists()


def test_a_file_that_is_there_is_kept_and_the_mistake_told_before_the_run(line: CommandLine) -> None:
    line.write("old.jsonl", "{}")
    for name, told in (
        ("toy.yaml", "toy.yaml is there already"),
        ("old.yaml", "old.jsonl is there already"),
        ("broken.json", "a suite is a .yaml file"),
        ("'my suite.yaml'", "cannot name a suite"),
    ):
        refused(line(f"run reviews.yaml --tests-from-failures {name}"), told)
    refused(line("run reviews.yaml toy.yaml --tests-from-failures broken.yaml"), "run them one by one")
    assert not (line.folder / "reports").exists()
