"""Every example of docs/questions.md is run as it is printed, on small models made here."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import robustfim_huggingface
from robustfim import Example
from robustfim.record import Record
from robustfim_huggingface.answering.model import QuestionAnswering
from tests.docs.page import Page, perform
from tests.plugins.robustfim_huggingface.conftest import SPECIFICATIONS, word_pieces

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")

PAGE = Page.read("questions.md")


def save(model: Any, folder: Path) -> None:
    for weight in model.parameters():
        weight.data += 0.3 * torch.randn_like(weight)
    model.save_pretrained(folder)
    word_pieces(folder)


def save_models(folder: Path) -> None:
    """A model that answers by spans, with random weights."""
    with torch.random.fork_rng():
        torch.manual_seed(20)
        _, config = SPECIFICATIONS["bert"]
        save(transformers.BertForQuestionAnswering(transformers.BertConfig(**config)), folder / "my-model")


def answer_as_the_model() -> None:
    """Give the rows the answers of the model, since only what is right can break."""
    model = QuestionAnswering(path="my-model", unanswerable=True, stride=8)
    path = Path("rows.jsonl")
    rows = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    examples = [Example({key: row[key] for key in ("question", "context")}, None) for row in rows]
    for row, ranked in zip(rows, model.answer(examples), strict=True):
        row["answers"] = [text for text, _ in ranked[:1] if text]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")


@pytest.mark.slow
def test_the_examples_do_what_the_page_shows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "200")
    save_models(tmp_path)
    PAGE.write_files()
    commands = [pair for section in PAGE.sections for pair in PAGE.commands(section)]
    assert len(commands) >= 3
    for command in commands:
        if "trained.yaml" in command.typed:
            answer_as_the_model()
        command.check(perform(command.typed, capsys))
        for path in (tmp_path / "reports").glob("*/results.json"):
            assert all(check.candidates.tested >= 1 for check in Record.load(path).checks), command.typed


def test_every_answering_model_is_in_the_first_table() -> None:
    table = {line.split("`")[1] for line in PAGE.sections[""].splitlines() if line.startswith("| `")}
    ours = {name for name in robustfim_huggingface.robustfim_offers()["models"] if name.endswith("question-answering")}
    assert table == ours | {"reference/lexical-qa"}
