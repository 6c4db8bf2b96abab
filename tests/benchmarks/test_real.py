"""The trial of classifiers that people install: short adapters, and a table without texts of the data."""

from __future__ import annotations

import ast
import json
import re
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

import robustfim
from benchmarks.real.__main__ import section
from benchmarks.real.subjects import ADAPTERS, SUBJECTS, Subject
from benchmarks.real.trial import Pair, Step, Trial, _last_line, _pairs, _step, lacking, tried
from robustfim.judge import write_record

WORDS = Subject("words", ("numpy",), ("films.csv",), ("words:predict", "labels=[bad, good]"), ("data/films.csv",))


def test_each_adapter_has_at_most_ten_lines() -> None:
    adapters = sorted(ADAPTERS.glob("*.py"))
    assert {path.stem for path in adapters} == {subject.name for subject in SUBJECTS} - {"minilm"}
    for path in adapters:
        texts = [
            node.lineno
            for node in ast.walk(ast.parse(path.read_text()))
            if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        ]
        lines = [line for number, line in enumerate(path.read_text().splitlines(), 1) if number not in texts]
        assert len([line for line in lines if line]) <= 10, path.name


def test_every_package_of_the_trial_has_a_pinned_version() -> None:
    pinned = {
        line.partition("==")[0]
        for line in ADAPTERS.with_name("requirements.txt").read_text().splitlines()
        if not line.startswith("#")
    }
    with_robustfim = {"spacy", "torch", "transformers", "scikit-learn"}
    assert {package for subject in SUBJECTS for package in subject.packages} - with_robustfim <= pinned
    earlier = ADAPTERS.with_name("earlier.txt").read_text().splitlines()
    assert {subject.earlier for subject in SUBJECTS if subject.earlier} <= set(earlier)


def test_what_a_classifier_lacks_is_the_reason_to_skip_it(tmp_path: Path) -> None:
    absent = Subject("absent", ("no-such-package",), (), (), ())
    assert lacking(absent, tmp_path) == "no-such-package is not installed"
    assert lacking(WORDS, tmp_path) == "the data lacks films.csv"
    text = section([Trial("absent", "no-such-package", lacking(absent, tmp_path))], 60, 200)
    assert "| absent | no-such-package | skipped: no-such-package is not installed |" in text


def test_a_row_quotes_no_text_of_the_data() -> None:
    pair = Pair("words.yaml::typos", "yes", "yes", "no", "a secret text", "a sceret text")
    step = Step("robustfim run words.yaml", 1, 2.4, "1 failed | 2 passed", "a secret text")
    text = section([Trial("words", "numpy 2", "", (step,), {"failed": 1}, (pair,), 1)], 60, 200)
    assert "| words | numpy 2 | `robustfim run words.yaml` | 1 | 2 | 1 failed \\| 2 passed |" in text
    assert "| words | 1 failed | 1 | 1 of 1 |" in text
    assert "secret" not in text


def test_what_a_command_says_is_the_last_line_of_its_output_not_of_its_progress(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def ended(code: int, out: str, err: str) -> Step:
        done = subprocess.CompletedProcess([], code, out, err)
        monkeypatch.setattr("benchmarks.real.trial.subprocess.run", lambda *_, **__: done)
        return _step(tmp_path, ["run"])

    assert _last_line(ended(1, "== 1 failed in 2 s ==\n", "typos: 1 of 11 checks done\n")) == "1 failed in 2 s"
    assert _last_line(ended(4, "model and data\n", "typos: 1 of 2 done\nERROR: no model\n")) == "ERROR: no model"


def test_a_pair_of_a_tagger_says_whether_its_text_was_right_before_the_edit(tmp_path: Path) -> None:
    rows = [{"text": f"Anna wrote letter {number}.", "spans": [[0, 4, "NAME"]]} for number in range(30)]
    suite: dict[str, Any] = {
        "suite": "s", "model": {"use": "python", "call": names, "task": "spans"},
        "data": {"use": "rows", "rows": rows, "spans": "spans"}, "checks": {"case": {"perturb": "case"}},
    }  # fmt: skip
    write_record(robustfim.run(suite).record, tmp_path / "results.json")
    pairs = [*_pairs(tmp_path)]
    assert len(pairs) == 20
    assert all(pair.right_before and pair.before == "⟦0:4 NAME⟧" for pair in pairs)


def names(texts: Sequence[str]) -> list[list[tuple[int, int, str]]]:
    return [[(0, 4, "NAME")] if text.startswith("Anna") else [] for text in texts]


@pytest.mark.slow
def test_a_classifier_is_scanned_gated_and_compared(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    adapters, data, earlier = tmp_path / "adapters", tmp_path / "public", tmp_path / "earlier"
    for folder in (adapters, data, earlier / "shop==1"):
        folder.mkdir(parents=True)
    monkeypatch.setattr("benchmarks.real.trial.ADAPTERS", adapters)
    (adapters / "words.py").write_text(
        "def predict(texts):\n    return ['good' if 'great' in t else 'bad' for t in texts]\n"
    )
    rows = [f"{'The' if i % 2 else 'A'} film number {i} is {'great' if i % 3 else 'awful'}" for i in range(60)]
    lines = [f"{text},{'good' if 'great' in text else 'bad'}\n" for text in rows]
    (data / "films.csv").write_text("text,label\n" + "".join(lines))
    subject = Subject(WORDS.name, WORDS.packages, WORDS.needs, WORDS.model, WORDS.data, earlier="shop==1")
    trial = tried(subject, tmp_path / "trial", data, earlier, seconds=120, examples=20)
    assert [step.command.split()[1] for step in trial.steps] == ["scan", "run", "run", "compare"]
    assert trial.steps[0].exit_code == 0
    assert re.fullmatch(r"\w+  \d+ % \[.*\] of 20", trial.steps[0].says)
    assert "film" not in json.dumps([step.says for step in trial.steps]).lower()
    assert trial.pairs
    assert trial.right_before == len(trial.pairs)
