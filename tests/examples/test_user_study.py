"""The user study of SEARs: a scripted reader stands in for people."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from robustfim_explore.adversaries import Adversaries
from tests.examples.imported import EXAMPLES, imported
from tests.robustfim.command_line import CommandLine

FILE = EXAMPLES / "user_study.py"
SUITE = """suite: reviews
model: reference/fasttext
data: {use: reviews, limit: 30}
checks: {typos: {perturb: typos, limit: 1}}
"""


people = imported("user_study")


def solved(arm: str, answers: Iterator[Any], asked: list[str]) -> str:
    """Look for an adversary of ``a fine film`` with scripted answers."""

    def ask(question: str, **how: Any) -> Any:
        asked.append(question)
        return next(answers)

    rewrites = ["a fine picture", "a fine movie", "a fine movie!"]
    look = Adversaries(lambda texts: ["bad" if "movie" in text else "good" for text in texts], lambda text: rewrites)
    task = look.begin(arm, "x", "a fine film", "good")
    return str(look.end(task, people.solved(task, look, ask), "ann")["after"])


def test_a_person_sees_each_label_at_once_and_chooses_the_closest(capsys: pytest.CaptureFixture[str]) -> None:
    asked: list[str] = []
    assert solved("human", iter(["a fine picture", "one fine movie", "a fine movie", "", 2]), asked) == "a fine movie"
    assert asked[-1] == "the closest, 0 for none"
    shown = capsys.readouterr().out.splitlines()
    assert shown[1:] == [
        "good: a fine film", "  good", "  bad: the label changes", "  bad: the label changes", "  1. one fine movie",
        "  2. a fine movie",
    ]  # fmt: skip


def test_ten_attempts_are_all_and_the_score_asks_nobody() -> None:
    asked: list[str] = []
    assert solved("human", iter(["a fine film"] * 10), asked) == ""
    assert len(asked) == 10
    assert solved("sea", iter([]), asked) == solved("hsea", iter([1]), asked) == "a fine movie"
    assert solved("hsea", iter([0]), asked) == ""


def test_one_command_reports_what_the_others_wrote(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("reviews.yaml").write_text(SUITE, encoding="utf-8")
    robustfim = CommandLine(tmp_path, capsys)
    monkeypatch.setattr("click.termui.visible_prompt_func", lambda prompt: "5" if "same?" in prompt else "1")
    for arm, who in (("sea", "machine"), ("hsea", "bob"), ("rater", "cleo"), ("rater", "cleo")):
        line = f"-p {FILE} adversaries reviews.yaml --examples 12 --as {arm} --who {who}"
        assert robustfim(line).code == 0
    rows = [json.loads(line) for line in Path("answers.jsonl").read_text(encoding="utf-8").splitlines()]
    found = [row["after"] for row in rows if row.get("arm") == "sea"]
    assert len(found) == 12
    assert any(found)
    rated = [(row["before"], row["after"]) for row in rows if "similarity" in row]
    assert sorted(rated) == sorted({(row["before"], row["after"]) for row in rows if row.get("after") and "arm" in row})
    assert robustfim("study adversaries answers.jsonl").code == 0
    results = json.loads(Path("reports/study-adversaries.json").read_text(encoding="utf-8"))["results"]
    assert results["sea"]["equivalent"] == results["sea"]["found"] == sum(map(bool, found))


def test_a_file_without_answers_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "answers.jsonl"
    path.write_text("", encoding="utf-8")
    shown = CommandLine(tmp_path, capsys)(f"study adversaries {path}")
    assert shown.code == 4
    assert "has no answer" in shown.err
