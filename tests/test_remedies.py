"""Remedies: each option that an error prints works when it is pasted."""

from __future__ import annotations

import ast
import json
import re
import shlex
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from tests.house.tree import python_files, shown
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


REMEDIES = {
    "plugins/robustfim_blackbox/task.py": "labels of a model",
    "plugins/robustfim_doctor/scan_command.py": "the column of gold labels",
    "plugins/robustfim_files/csv_file.py": "quotes that are letters",
    "plugins/robustfim_files/gold_spans.py": "what offsets count",
    "plugins/robustfim_files/hub_dataset.py": "a split",
    "plugins/robustfim_files/rows.py": "a column",
}
"""Each module with an error that prints an option to paste, and the remedy; the names of labels are tested above."""


def printed(tree: ast.AST) -> Iterator[str]:
    """Each text of a module but those of options: their help and their examples name options to explain them."""
    for child in ast.iter_child_nodes(tree):
        if isinstance(child, ast.Constant):
            if not isinstance(tree, ast.Expr):  # a docstring
                yield str(child.value)
        elif not isinstance(child, ast.keyword) or child.arg not in ("epilog", "help", "model", "data"):
            yield from printed(child)


def test_every_error_that_prints_an_option_is_pasted_here() -> None:
    option = re.compile(r"(?<!robustfim )(?<!\w )--(?:data|model) (?:'?\w+=|$)|(?:or|say) --(?:data|model) (?:\w+=|$)")
    modules = {
        shown(path): texts
        for path in python_files()
        if (texts := [text for text in printed(ast.parse(path.read_text(encoding="utf-8"))) if option.search(text)])
    }
    assert modules.keys() == REMEDIES.keys(), modules


def pasted_whole(robustfim: CommandLine, command: str, column: str = "") -> str:
    """Run what is refused, then with the option that its error prints, ``column`` in place of COLUMN."""
    refused = robustfim(command)
    assert refused.code == 4, refused
    option = re.search(r"--(?:data|model) (?:'[^']+'|\w+=[\w.-]+)", refused.err)
    assert option is not None, refused.err
    given = option[0].rstrip(".").replace("COLUMN", column)
    mended = robustfim(f"{command} {given}")
    assert mended.code in (0, 6), mended
    return given


def test_quotes_that_are_letters_are_read_with_the_option_of_the_error(robustfim: CommandLine, folder: Path) -> None:
    written(folder, ["negative", "positive"])
    quoted = [f'"{text} and more\t{label}' for text in TEXTS for label in ("negative",)]
    (folder / "data.tsv").write_text("\n".join(["text\tlabel", *quoted]), encoding="utf-8")
    assert pasted_whole(robustfim, "run suite.yaml -q --data data.tsv") == "--data quotes=letters"


def test_a_column_is_read_under_the_name_that_the_option_gives(robustfim: CommandLine, folder: Path) -> None:
    written(folder, ["negative", "positive"], header="review,label")
    assert pasted_whole(robustfim, "run suite.yaml -q", "review") == "--data text=review"


def test_a_split_is_read_with_the_option_of_the_error(robustfim: CommandLine, folder: Path) -> None:
    datasets = pytest.importorskip("datasets")
    written(folder, ["negative", "positive"])
    rows = datasets.Dataset.from_dict({"text": TEXTS, "label": ["negative", "positive"] * 8})
    datasets.DatasetDict(test=rows).save_to_disk(folder / "saved")
    assert pasted_whole(robustfim, "run suite.yaml -q --data use=hub --data path=./saved --data split=tset") == (
        "--data split=test"
    )


def test_offsets_are_read_with_the_option_of_the_error(robustfim: CommandLine, folder: Path) -> None:
    written(folder, ["negative", "positive"])
    (folder / "mine.py").write_text(
        "import re\n"
        "def names(text): return [(found.start(), found.end(), 'NAME') for found in re.finditer('Ann|Bob', text)]\n"
        "def find(texts): return [names(text) for text in texts]",
        encoding="utf-8",
    )
    rows = [
        {"text": f"{name} sees film {number}", "spans": [{"start": 0, "end": 2, "label": "NAME", "value": name}]}
        for number in range(8)
        for name in ("Ann", "Bob")
    ]
    (folder / "data.jsonl").write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    suite = yaml.safe_load(SUITE)
    suite["model"] = {"use": "python", "call": "mine:find", "task": "spans"}
    suite["data"] = {"use": "jsonl", "path": "data.jsonl", "spans": "spans"}
    (folder / "suite.yaml").write_text(yaml.safe_dump(suite), encoding="utf-8")
    assert pasted_whole(robustfim, "run suite.yaml -q") == "--data offsets=inclusive"


def test_labels_of_a_model_are_given_by_the_option_of_the_error(robustfim: CommandLine, folder: Path) -> None:
    written(folder, ["negative", "positive"])
    suite = yaml.safe_load(SUITE)
    del suite["model"]["labels"]
    (folder / "suite.yaml").write_text(yaml.safe_dump(suite), encoding="utf-8")
    assert pasted_whole(robustfim, "run suite.yaml -q") == "--model 'labels=[negative, positive]'"


def test_a_guard_is_scanned_with_the_column_of_gold_labels(robustfim: CommandLine, folder: Path) -> None:
    written(folder, ["negative", "positive"], header="text,kind")
    command = (
        "scan --guard --model use=python --model call=mine:rows --model 'labels=[negative, positive]' --block negative "
        "--at 0.5 --data data.csv --data label=null --examples 20 --seconds 5 --allow-weak"
    )
    refused = robustfim(command)
    assert refused.code == 4, refused
    assert "--data label=COLUMN" in refused.err
    assert robustfim(f"{command} --data label=kind").code in (0, 1, 6)
