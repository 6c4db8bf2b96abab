"""The example of sets: any number of distributions, each two with their overlap."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import norm

from robustfim.record import describe_environment
from tests.examples.imported import EXAMPLES, imported
from tests.robustfim.command_line import CommandLine

FILE = EXAMPLES / "sets.py"
SUITE = """suite: sets
model: reference/fasttext
data: {use: csv, path: sets.csv}
checks: {typos: {perturb: typos, limit: 1}}
"""


def test_overlaps_are_those_of_the_densities() -> None:
    drawn = np.random.default_rng(0).normal(size=4000)
    shown = imported("sets").sets_study(
        {"test": drawn, "contrast": drawn + 1, "counterfactual": drawn + 3}, score="fisher",
        environment=describe_environment([], None), seed=0,
    )  # fmt: skip
    found = [overlap["overlap"] for overlap in shown.results["overlaps"]]
    assert found == pytest.approx([2 * norm.cdf(-0.5), 2 * norm.cdf(-1.5), 2 * norm.cdf(-1)], abs=0.03)
    assert [each.name for each in shown.figures[0].series] == ["test", "contrast", "counterfactual"]
    for each in shown.figures[0].series:
        assert sum(point[1] or 0.0 for point in each.points) == pytest.approx(1)


def test_a_column_names_the_sets(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    texts = ["A fine film.", "A dull film.", "A very odd film.", "Nobody laughed."]
    rows = [f"{name}: {text},positive,{name}" for name in ("test", "contrast", "edit") for text in texts]
    Path("sets.csv").write_text("\n".join(["text,label,part", *rows]), encoding="utf-8")
    robustfim = CommandLine(tmp_path, capsys)
    Path("sets.yaml").write_text(SUITE, encoding="utf-8")
    assert robustfim(f"-p {FILE} study sets sets.yaml --column label").code == 4
    shown = robustfim(f"-p {FILE} study sets sets.yaml --column part")
    assert shown.code == 0, shown.err
    results = json.loads(Path("reports/study-sets.json").read_text(encoding="utf-8"))["results"]
    assert set(results["sets"]) == {"test", "contrast", "edit"}
