"""What is done with a tagger by other commands than run: gold spans stay where their words are, and words fit it."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
import yaml

from robustfim.cli import main
from robustfim.spans import read_spans

MODEL = ("--model", "use=reference/tagger", "--data", "use=messages", "--data", "limit=60")

MASK = """
import robustfim


class Mask:
    def edits(self, example, random):
        word = example.text.split()[-1]
        yield robustfim.Edit("text", len(example.text) - len(word), len(example.text), word, "***")


@robustfim.hookimpl
def robustfim_offers():
    return {"perturbations": {"mask": Mask}}
"""


def robustfim(*arguments: str) -> None:
    """Type a command; it ends well."""
    with pytest.raises(SystemExit) as stop:
        main([*arguments])
    assert stop.value.code in (None, 0, 1)


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The record of a run that moved, changed and removed gold spans, in the current folder."""
    monkeypatch.chdir(tmp_path)
    suite = {
        "suite": "s", "plugins": ["mask.py"], "model": "reference/tagger", "data": {"use": "messages", "limit": 60},
        "scores": ["entropy"],
        "checks": {"typos": {"perturb": "typos", "expect": {"use": "invariant", "counts": "changes"}},
                   "remarks": {"perturb": "neutral_sentence", "expect": "correct"},
                   "masked": {"perturb": "mask", "expect": "correct"}},
    }  # fmt: skip
    Path("mask.py").write_text(MASK, encoding="utf-8")
    Path("s.yaml").write_text(yaml.safe_dump(suite), encoding="utf-8")
    robustfim("run", "s.yaml")
    return Path("reports/s/results.json")


def test_gold_spans_of_exported_texts_are_where_the_edits_have_put_them(
    run: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    robustfim("export", str(run), "--difficult", "60", "--out", "hard.jsonl")
    rows = [json.loads(line) for line in Path("hard.jsonl").read_text(encoding="utf-8").splitlines()]
    sources = {row["id"]: row for row in rows if row["source"] is None}
    moved = 0
    for row in rows:
        if row["source"] is None:
            continue
        before, after = (read_spans(each["label"]) for each in (sources[row["source"]], row))
        assert [span.label for span in before] == [span.label for span in after]
        moved += before != after
        edited = [(edit["before"], edit["after"]) for edit in json.loads(row["edits"])]
        for old, new in zip(before, after, strict=True):
            words = sources[row["source"]]["text"][old.start : old.end]
            for cut, put in edited:
                words = words.replace(cut, put) if cut else words
            assert row["text"][new.start : new.end] in (words, sources[row["source"]]["text"][old.start : old.end])
    assert moved >= 10
    assert "the perturbation may change the gold label" in capsys.readouterr().out, "a name under a mask"


@pytest.mark.slow
def test_scan_doctor_and_score_speak_of_spans(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    robustfim("scan", *MODEL, "--examples", "60")
    told = capsys.readouterr().out
    assert re.search(r"^change +loses spans +worst edit", told, re.MULTILINE)
    assert re.search(r"\('[^']+' is no longer", told), "the loss, cut to the width of the terminal"
    assert "label" not in told
    robustfim("doctor", *MODEL)
    told = capsys.readouterr().out
    assert "reference/tagger: finds spans" in told
    assert "with spans: 'account', 'address', 'mail', 'organisation', 'person', 'phone', 'place'" in " ".join(
        told.split()
    )
    robustfim("score", *MODEL, "--by", "entropy")
    assert "⟦" not in capsys.readouterr().out


@pytest.mark.slow
def test_init_writes_a_suite_that_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    robustfim("scan", *MODEL, "--examples", "60", "--write", "first.yaml")
    robustfim("run", "first.yaml", "--co")
    assert "first.yaml::typos" in capsys.readouterr().out


@pytest.mark.slow
@pytest.mark.parametrize("command", ["mine", "study scorers"])
def test_what_counts_labels_that_change_refuses_a_tagger_by_name(
    command: str, run: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    capsys.readouterr()
    with pytest.raises(SystemExit) as stop:
        main([*command.split(), "s.yaml"])
    assert stop.value.code == 4
    assert "the model finds spans" in capsys.readouterr().err
