"""A file of answers as a model: what is missing is exported."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from robustfim import Example, UsageError
from robustfim_blackbox.predictions import Predictions

LABELS = ["negative", "positive"]
EXAMPLES = [Example({"text": f"film {number}"}) for number in range(5)]


def answer(path: Path, *examples: Example) -> None:
    with path.open("a", encoding="utf-8") as file:
        file.writelines(f"{json.dumps({'id': example.id, 'label': 'positive'})}\n" for example in examples)


def asked(path: Path) -> list[str]:
    return [json.loads(line)["text"] for line in path.read_text(encoding="utf-8").splitlines()]


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    return tmp_path / "answers.jsonl", tmp_path / "ask.jsonl"


def test_what_is_answered_is_predicted(files: tuple[Path, Path]) -> None:
    answer(files[0], *EXAMPLES)
    assert Predictions(files[0], LABELS).predict(EXAMPLES[:2]) == [[0, 1], [0, 1]]


def test_what_is_missing_is_exported_and_the_message_says_what_to_do(files: tuple[Path, Path]) -> None:
    answers, export = files
    answer(answers, EXAMPLES[1])
    with pytest.raises(UsageError) as caught:
        Predictions(answers, LABELS, export).predict(EXAMPLES[:3])
    message = str(caught.value)
    assert f"2 of 3 texts have no answer in {answers}: they are in {export} now (2 texts of this run)" in message
    assert "add a row for each" in message
    assert "run the same command again" in message
    assert asked(export) == ["film 0", "film 2"]


def test_everything_that_is_missing_in_a_run_is_exported_once(files: tuple[Path, Path]) -> None:
    model = Predictions(files[0], LABELS, files[1])
    for part in (EXAMPLES[:2], EXAMPLES[1:4]):
        with pytest.raises(UsageError):
            model.predict(part)
    assert asked(files[1]) == ["film 0", "film 1", "film 2", "film 3"]


def test_the_next_run_exports_only_what_is_missing_then(files: tuple[Path, Path]) -> None:
    answers, export = files
    with pytest.raises(UsageError):
        Predictions(answers, LABELS, export).predict(EXAMPLES[:2])
    answer(answers, *EXAMPLES[:2])
    with pytest.raises(UsageError):
        Predictions(answers, LABELS, export).predict(EXAMPLES)
    assert asked(export) == ["film 2", "film 3", "film 4"]
    answer(answers, *EXAMPLES[2:])
    assert Predictions(answers, LABELS, export).predict(EXAMPLES) == [[0, 1]] * 5


def test_an_export_that_holds_answers_is_not_written_over(files: tuple[Path, Path]) -> None:
    answers, export = files
    answer(export, *EXAMPLES[:2])
    before = export.read_text(encoding="utf-8")
    with pytest.raises(UsageError, match=r"ask.jsonl holds answers, so it was not written again: add them to"):
        Predictions(answers, LABELS, export).predict(EXAMPLES)
    assert export.read_text(encoding="utf-8") == before


def test_without_an_export_the_message_names_the_option(files: tuple[Path, Path]) -> None:
    answer(files[0], EXAMPLES[0])
    with pytest.raises(UsageError, match=r"4 of 5 texts have no answer .*Name a file with 'export'"):
        Predictions(files[0], LABELS).predict(EXAMPLES)


def test_rows_without_an_answer_are_told(files: tuple[Path, Path]) -> None:
    files[0].write_text(json.dumps({"id": EXAMPLES[0].id, "lable": "positive"}), encoding="utf-8")
    with pytest.raises(UsageError, match=r"answers.jsonl \(1 of its rows have no 'label' or 'probabilities'\)"):
        Predictions(files[0], LABELS).predict(EXAMPLES)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"path": "answer.jsonl"}, r"no file .*answer.jsonl\. Did you mean 'answers.jsonl'\? .*'export'"),
        ({"path": "answers.txt"}, "path: answers.txt must end in .jsonl or .csv"),
        ({"path": "answers.jsonl", "export": "ask.txt"}, "export: ask.txt must end in"),
        ({"path": "answers.jsonl", "export": "x/../answers.jsonl"}, "'path' and 'export' name the same file"),
    ],
)
def test_files_that_cannot_serve_are_refused(tmp_path: Path, options: dict[str, Any], message: str) -> None:
    (tmp_path / "answers.jsonl").write_text("", encoding="utf-8")
    with pytest.raises(UsageError, match=message):
        Predictions(labels=LABELS, **{key: tmp_path / value for key, value in options.items()})


def test_the_fingerprint_is_of_the_answers(files: tuple[Path, Path]) -> None:
    answers, export = files
    empty = Predictions(answers, LABELS, export).fingerprint
    answer(answers, EXAMPLES[0])
    first = Predictions(answers, LABELS, export).fingerprint
    assert first == Predictions(answers, LABELS).fingerprint
    assert len({empty, first, Predictions(answers, LABELS, logits=True).fingerprint}) == 3
