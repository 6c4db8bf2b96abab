"""What was published beside what was measured."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from robustfim.record import Environment, Study
from robustfim_study.published import beside_paper
from tests.robustfim.command_line import CommandLine, refused


def measured(name: str, **results: object) -> Study:
    return Study(
        study=name, title="?", environment=Environment(robustfim="0", python="3"), seed=0, started="now", findings=[],
        tables=[], figures=[], results=results,
    )  # fmt: skip


def test_neighbours_alone_stand_beside_the_published_flips_of_neighbours() -> None:
    rows = [
        {"name": "flip probability under neighbours", "examples": 60, "r": 0.25},
        {"name": "flip probability under synonyms", "examples": 60, "r": 0.35},
        {"name": "smallest flipping step η", "examples": 1200, "r": -0.5},
    ]
    found = beside_paper(measured("resilience", correlations=rows), "resilience")
    assert found.tables[0].rows == [
        ["flip probability under neighbours",
         "CNN 0.30, fastText 0.38, LSTM 0.38 (GloVe neighbours of 10 % of the words, 1,000 examples of Yelp polarity)",
         "r = 0.25 on 60"],
        ["smallest flipping step η", "CNN −0.41, fastText −0.36, LSTM −0.40 (1,000 examples of Yelp polarity)",
         "r = −0.50 on 1,200"],
    ]  # fmt: skip
    assert found.results["correlations"] == rows


@pytest.mark.parametrize(
    ("kind", "published"),
    [
        ("counterfactual", "CNN −0.57 ± 1.22 (500 counterfactual edits)"),
        ("contrast-sets", "CNN 0.65 ± 1.15 (500 edits of contrast sets)"),
    ],
)
def test_a_difference_stands_beside_the_published_one_of_its_kind_of_edit(kind: str, published: str) -> None:
    rows = [{"name": "Δλmax", "pairs": 40, "mean": {"value": 0.5}, "deviation": 2.0}]
    (table,) = beside_paper(measured("contrast", differences=rows), kind).tables
    assert table.rows == [["Δλmax", published, "+0.50 ± 2.00 on 40"]]


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
    shown = robustfim("study contrast edits.yaml --pair pair --paper contrast-sets --csv")
    assert shown.code == 0, shown
    assert "Beside Datta et al. (2020–22)" in shown.out
    assert "here the model is reference/fasttext and the data are csv, 6 examples" in shown.unbroken
    rows = (tmp_path / "reports/edits/study-contrast-table-1.csv").read_text(encoding="utf-8").splitlines()
    assert rows[0] == "quantity,published,measured"
    assert "500 edits of contrast sets" in rows[1]
    shown = robustfim("study contrast edits.yaml --pair pair --paper contrast-sets --score margin")
    refused(shown, "--paper has published numbers of λmax only, not of 'margin': use '--score fisher'")
