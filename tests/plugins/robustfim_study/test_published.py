"""What was published beside what was measured."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from robustfim.record import Environment, Study
from robustfim_study.published import beside_paper
from tests.robustfim.command_line import CommandLine


def measured(name: str, **results: object) -> Study:
    return Study(
        study=name, title="?", environment=Environment(robustfim="0", python="3"), seed=0, started="now", findings=[],
        tables=[], figures=[], results=results,
    )  # fmt: skip


def test_each_measured_row_stands_beside_what_was_published_of_it() -> None:
    rows = [
        {"name": "flip probability under synonyms", "examples": 60, "r": 0.25},
        {"name": "smallest flipping step η", "examples": 1200, "r": -0.5},
        {"name": "log₁₀ η", "examples": 60, "r": -0.6},
    ]
    found = beside_paper(measured("resilience", correlations=rows))
    assert found.tables[0].rows == [
        ["flip probability under synonyms", "CNN 0.30, fastText 0.38, LSTM 0.38 (Yelp polarity)", "r = 0.25 on 60"],
        ["smallest flipping step η", "CNN −0.41, fastText −0.36, LSTM −0.40 (Yelp polarity)", "r = −0.50 on 1,200"],
    ]
    assert found.results["correlations"] == rows


def test_a_difference_stands_beside_that_of_each_published_kind_of_edit() -> None:
    rows = [{"name": "Δλmax", "pairs": 40, "mean": {"value": 0.5}, "deviation": 2.0}]
    (table,) = beside_paper(measured("contrast", differences=rows)).tables
    assert [row[1:] for row in table.rows] == [
        ["CNN −0.57 ± 1.22 (counterfactual edits)", "+0.50 ± 2.00 on 40"],
        ["CNN 0.65 ± 1.15 (contrast sets)", "+0.50 ± 2.00 on 40"],
    ]


def test_the_command_prints_and_keeps_the_table_and_says_what_differs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    robustfim = CommandLine(tmp_path, capsys)
    words = ["good", "bad", "fine", "dull", "great", "awful"]
    with (tmp_path / "edits.csv").open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows(
            [("text", "label", "pair"), *((f"a {word} film", "positive", n // 2) for n, word in enumerate(words))]
        )
    robustfim.write(
        "edits.yaml",
        "suite: edits\nmodel: reference/fasttext\ndata: {use: csv, path: edits.csv}\n"
        "checks: {typos: {perturb: typos}}\n",
    )
    shown = robustfim("study contrast edits.yaml --pair pair --paper --csv")
    assert shown.code == 0, shown
    assert "Beside Datta et al. (2020–22)" in shown.out
    assert "here the model is reference/fasttext and the data are csv, 6 examples" in shown.unbroken
    rows = (tmp_path / "reports/edits/study-contrast-table-1.csv").read_text(encoding="utf-8").splitlines()
    assert rows[0] == "of,published,measured"
    assert "contrast sets" in rows[2]
