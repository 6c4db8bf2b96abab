"""Remedies: each option that an error about labels prints works when it is pasted."""

from __future__ import annotations

import re
import shlex
import sys
from pathlib import Path

import pytest
import yaml

from tests.robustfim.command_line import CommandLine, Shown

MODEL = """
import numpy as np
def rows(texts): return [[0.9, 0.1] if "bad" in text else [0.1, 0.9] for text in texts]
def labels(texts): return [np.float64(row[1] > row[0]) for row in rows(texts)]
"""
TEXTS = [f"{word} film number {number}" for number in range(8) for word in ("bad", "good")]
SUITE = """
suite: it
model: {use: python, call: 'mine:rows', labels: [negative, positive]}
data: {use: csv, path: data.csv}
checks: {same: {perturb: typos, expect: {use: invariant, counts: changes}, limit: 1}}
allow_weak: true
"""


def written(folder: Path, labels: list[str], header: str = "text,label") -> None:
    rows = [f"{text},{labels[place % len(labels)]}" for place, text in enumerate(TEXTS)]
    (folder / "data.csv").write_text("\n".join([header, *rows]), encoding="utf-8")
    (folder / "mine.py").write_text(MODEL, encoding="utf-8")
    (folder / "suite.yaml").write_text(SUITE, encoding="utf-8")


def pasted(robustfim: CommandLine, command: str, folder: Path, ways: int = 1) -> Shown:
    """Run what is refused, then with each option that its error prints, and with the line of a suite."""
    refused = robustfim(command)
    assert refused.code == 4, refused
    options = re.findall(r"(--(?:data|model) '(?:[^']|'\"'\"')+')", refused.err)
    assert len(options) == ways, refused.err
    for option in options:
        assert robustfim(f"{command} {option}").code == 0, option
        assert len(shlex.split(option)) == 2
    if line := re.search(r"under '(data|model)' of a suite (labels: (?:\{.*?\}|\[.*?\]))[. ]", refused.err):
        suite = yaml.safe_load(SUITE)
        suite[line[1]].update(yaml.safe_load(line[2]))
        (folder / "suite.yaml").write_text(yaml.safe_dump(suite), encoding="utf-8")
        assert robustfim(re.sub(rf" --{line[1]} 'labels=[^']*'", "", command)).code == 0, line[2]
    return refused


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "1000")
    monkeypatch.delitem(sys.modules, "mine", raising=False)
    return tmp_path


@pytest.fixture
def robustfim(folder: Path, capsys: pytest.CaptureFixture[str]) -> CommandLine:
    return CommandLine(folder, capsys)


@pytest.mark.parametrize(
    ("labels", "option"),
    [
        (["0", "1"], ""),
        (["no", "yes"], ""),
        (["neg", "pos"], ""),
        (["negative", "good: 'x'"], ""),
        (["-1", "0", "1"], ""),
        (["1", "2", "3", "4", "5"], ""),
        (["0", "1"], " --data 'labels=[bad, good]'"),
        (["0", "1"], " --data 'labels={0: bad}'"),
        (["0", "2"], " --data 'labels=[negative, positive]'"),
        (["maybe", "1"], " --data 'labels=[negative, positive]'"),
    ],
)
def test_the_names_that_an_error_gives_labels_work(
    robustfim: CommandLine, folder: Path, labels: list[str], option: str
) -> None:
    written(folder, labels)
    pasted(robustfim, f"run suite.yaml -q{option}", folder)


def test_minus_one_beside_1_is_named_either_way(robustfim: CommandLine, folder: Path) -> None:
    written(folder, ["-1", "1"])
    pasted(robustfim, "run suite.yaml -q --data 'labels=[negative, positive]'", folder, ways=2)


@pytest.mark.slow
def test_doctor_prints_names_that_work(robustfim: CommandLine, folder: Path) -> None:
    written(folder, ["no", "yes"])
    shown = robustfim("doctor suite.yaml")
    option = re.search(r"--data '[^']+'", shown.out)
    assert option is not None, shown
    assert robustfim(f"run suite.yaml -q {option[0]}").code == 0


@pytest.mark.parametrize(
    "names", ["{0: negative, 1: positive}", "{0.0: negative, '1': positive}", "[negative, positive]"]
)
def test_numbers_are_named_without_quotes(robustfim: CommandLine, folder: Path, names: str) -> None:
    written(folder, ["0", "1"])
    assert robustfim(f'run suite.yaml -q --data "labels={names}"').code == 0


def test_a_bare_no_is_a_key_and_is_explained_as_a_name(robustfim: CommandLine, folder: Path) -> None:
    written(folder, ["no", "yes"])
    assert robustfim("run suite.yaml -q --data 'labels={no: negative, yes: positive}'").code == 0
    refused = robustfim("run suite.yaml -q --model 'labels=[no, yes]'")
    assert "YAML reads a bare no, off, yes or on as a boolean; put it in quotes" in refused.err
    assert robustfim("""run suite.yaml -q --model 'labels=["no", "yes"]'""").code == 0


def test_columns_called_0_and_1_are_named_as_they_are_called(robustfim: CommandLine, folder: Path) -> None:
    written(folder, ["negative", "positive"], "0,1")
    assert robustfim("run suite.yaml -q --data text=0 --data label=1").code == 0


def test_a_model_may_answer_with_its_classes_numbers(robustfim: CommandLine, folder: Path) -> None:
    written(folder, ["0", "1"])
    assert robustfim("run suite.yaml -q --model call=mine:labels --model 'labels=[0, 1]'").code == 0
