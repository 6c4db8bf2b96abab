"""Tables and figures as files for a paper."""

from __future__ import annotations

import csv
import re
from pathlib import Path

import pytest

from robustfim.exhibit import Figure, Series, Table
from robustfim.record import DataRecord, Environment, ModelRecord, Study
from robustfim_study.paper_files import write_files
from tests.robustfim.command_line import CommandLine, refused

TABLE = Table(
    title="Costs & 100 % of model_1",
    header=["a_name", "Δ in %", "says"],
    rows=[["=1+1", "−0.04 [−0.10, +0.02]", r"\input{x} ~ ^"], ["-cmd|x", "+0.5", "@b"]],
    notes=["A note of\ntwo lines."],
    texts=[2],
)
FIGURE = Figure(
    title="<b>Each</b> $x_{1}$",
    across="check",
    up="share",
    names=["typos", "=places"],
    shares=True,
    level=0.5,
    level_name="half",
    series=[
        Series(name="first", kind="bars", points=[(0, 0.25, 0.125, 0.5), (1, 0.5, None, None)]),
        Series(name="second", kind="dots", points=[(0, 0.1), (1, None)], labels=["one", "two"]),
        Series(name="third", kind="line", points=[(0, 0.1), (1, 0.9)]),
    ],
)
PLANE = Figure(
    title="Plane",
    across="x",
    up="y",
    equal=True,
    diagonal=True,
    series=[Series(name="unit", kind="line", points=[(0, 0), (1, 0), (None, None), (1, 1), (1, 2)])],
)


@pytest.fixture
def study() -> Study:
    return Study(
        study="own", title="Own", environment=Environment(robustfim="1", python="3"), seed=0, started="",
        findings=["It is so."], tables=[TABLE], figures=[FIGURE, PLANE],
    )  # fmt: skip


def rows(path: Path) -> list[list[str]]:
    return list(csv.reader(path.read_text(encoding="utf-8").splitlines()))


def test_every_table_and_figure_has_a_file_in_each_format_that_can_hold_it(study: Study, tmp_path: Path) -> None:
    pytest.importorskip("pandas")
    written = [path.name for path in write_files(study, tmp_path, as_csv=True, latex=True)]
    assert written == [
        "study-own-table-1.csv", "study-own-table-1.tex",
        "study-own-figure-1.csv", "study-own-figure-2.csv",
    ]  # fmt: skip


def test_a_csv_has_the_numbers_of_the_exhibit_and_no_formula(study: Study, tmp_path: Path) -> None:
    table, figure, plane = write_files(study, tmp_path, as_csv=True, latex=False)
    assert rows(table) == [
        ["a_name", "Δ in %", "says"],
        ["'=1+1", "−0.04 [−0.10, +0.02]", r"\input{x} ~ ^"],
        ["'-cmd|x", "+0.5", "'@b"],
    ]
    assert rows(figure) == [
        ["series", "x", "y", "low", "high", "name"],
        ["first", "0.0", "0.25", "0.125", "0.5", "typos"],
        ["first", "1.0", "0.5", "", "", "'=places"],
        ["second", "0.0", "0.1", "", "", "one"],
        ["second", "1.0", "", "", "", "two"],
        ["third", "0.0", "0.1", "", "", "typos"],
        ["third", "1.0", "0.9", "", "", "'=places"],
    ]
    assert rows(plane)[:2] == [["series", "x", "y", "low", "high", "name"], ["unit", "0.0", "0.0", "", "", ""]]


def test_latex_reads_nothing_of_a_table_as_a_command(study: Study, tmp_path: Path) -> None:
    pytest.importorskip("pandas")
    (path,) = write_files(study, tmp_path, as_csv=False, latex=True)
    text = path.read_text(encoding="utf-8")
    assert r"\caption{Costs \& 100 \% of model\_1. A note of two lines.}" in text
    assert r"\begin{tabular}{lrl}" in text
    assert r"\textbackslash{}input\{x\} \textasciitilde{} \textasciicircum{}" in text
    assert "$-$0.04 [$-$0.10, +0.02]" in text
    assert not re.search(r"(?<!\\)[&]", text.replace(" & ", ""))


def test_a_caption_names_the_model_and_the_data(study: Study, tmp_path: Path) -> None:
    pytest.importorskip("pandas")
    data = DataRecord(use="reviews", examples=3, labelled=3)
    model = ModelRecord(use="reference/cnn", labels=["negative", "positive"], fingerprint="f")
    (path,) = write_files(study.model_copy(update={"model": model, "data": data}), tmp_path, as_csv=False, latex=True)
    said = path.read_text(encoding="utf-8")
    assert r"\caption{Costs \& 100 \% of model\_1: reference/cnn on reviews. A note of two lines.}" in said


def test_what_cannot_be_written_is_said_before_anything_is_asked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    shown = CommandLine(tmp_path, capsys)("study agreement none.yaml --latex")
    refused(shown, "--latex needs pandas: pip install 'robustfim[data]'")
