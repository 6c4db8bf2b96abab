"""The example of a matrix: each cell is what ``study resilience`` says of that model and those data."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest

from robustfim.record import describe_environment
from tests.examples.imported import EXAMPLES, imported
from tests.robustfim.command_line import CommandLine

FILE = EXAMPLES / "matrix.py"
SUITE = """suite: reviews
model: reference/fasttext
data: {use: reviews, limit: 30}
checks: {typos: {perturb: typos, limit: 1}}
"""


def test_models_are_rows_and_data_are_columns_and_what_is_unknown_is_a_dash() -> None:
    numbers = {("a", "x"): 0.5, ("a", "y"): -0.25, ("b", "x"): math.nan}
    found = {cell: [{"name": "η", "r": r}] for cell, r in numbers.items()}
    shown = imported("matrix").matrix_study(found, environment=describe_environment([], None), seed=0)
    assert shown.tables[0].header == ["model", "x", "y"]
    assert shown.tables[0].rows == [["a", "0.50", "−0.25"], ["b", "–", "–"]]
    assert shown.findings == ["η: r from −0.25 to 0.50, in 2 of 3 cells."]


def test_a_cell_is_what_the_study_of_resilience_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("torch")
    monkeypatch.chdir(tmp_path)
    Path("reviews.yaml").write_text(SUITE, encoding="utf-8")
    robustfim, how = CommandLine(tmp_path, capsys), "--examples 12 --candidates 2"
    assert robustfim(f"-p {FILE} study matrix reviews.yaml {how} --against reference/cnn").code == 0
    cells = json.loads(Path("reports/study-matrix.json").read_text(encoding="utf-8"))["results"]["cells"]
    assert [(cell["model"], cell["data"]) for cell in cells] == [
        ("reference/fasttext", "reviews"), ("reference/cnn", "reviews"),
    ]  # fmt: skip
    assert robustfim(f"study resilience reviews.yaml {how} --model reference/cnn").code == 0
    alone = json.loads(Path("reports/reviews/study-resilience.json").read_text(encoding="utf-8"))["results"]
    assert cells[1]["correlations"] == alone["correlations"]
