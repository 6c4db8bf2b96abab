"""``robustfim score``."""

from __future__ import annotations

import csv
import io
import json
import sys

import pytest

import robustfim as api
from tests.robustfim.command_line import CommandLine, refused

MODEL = "score --model use=wordsum -p toy.py"


def test_scores_are_those_of_the_python_api_in_both_kinds_of_file(robustfim: CommandLine) -> None:
    shown = robustfim(f"{MODEL} --data use=films --by long --out s.csv --top 2")
    assert shown.code == 0, shown.err
    expected = api.score("wordsum", "films", by="long", plugins=["toy.py"])
    rows = list(csv.DictReader((robustfim.folder / "s.csv").open(encoding="utf-8")))
    assert [float(row["long"]) for row in rows] == list(expected)
    assert [row["text"] for row in rows] == [example.text for example in expected.examples]
    robustfim(f"{MODEL} --data use=films --by long --out s.jsonl")
    lines = (robustfim.folder / "s.jsonl").read_text(encoding="utf-8").splitlines()
    assert [json.loads(line)["long"] for line in lines] == list(expected)
    hardest = expected.hardest_first()[0][0]
    assert hardest.text[:20] in shown.out.splitlines()[2]
    assert len(shown.out.splitlines()) == 4


def test_a_text_from_standard_input_is_looked_at_by_itself(
    robustfim: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"a good film\n")))
    shown = robustfim("score --model use=reference/fasttext")
    assert shown.code == 0, shown.err
    (point,) = api.context("reference/fasttext", ["a good film"]).geometry.at([api.Example({"text": "a good film"})])
    assert f"λmax      {point.lambda_max:.4g}\n" in shown.out
    assert f"margin    {point.margin:.4g} (logits)\n" in shown.out
    assert f"boundary  {point.distance:.4g} (" in shown.out
    assert "eigenvector, as long at each of the 5 tokens, as where a model reads their mean\n" in shown.out
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"a good film\n")))
    shown = robustfim("score --model use=reference/cnn")
    shares = [line.split("%")[0] for line in shown.out.splitlines() if "%" in line]
    assert len(shares) == 3
    assert sum(map(float, shares)) == pytest.approx(100, abs=0.3)


def test_a_model_without_gradients_tells_what_it_can(robustfim: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"a good film\n")))
    shown = robustfim(MODEL)
    assert shown.code == 0, shown.err
    assert "need gradients" in shown.out


def test_what_does_not_go_together_is_refused(robustfim: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    refused(robustfim(f"{MODEL} --data use=films --out s.txt"), "ends with .csv or .jsonl")
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b" \n")))
    refused(robustfim(MODEL), "give --data, or a text on standard input")
    refused(robustfim(f"{MODEL} --data use=films --by nothing"), "unknown score 'nothing'")
