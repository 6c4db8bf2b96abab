"""Every example of docs/questions.md is run as it is printed."""

from __future__ import annotations

from pathlib import Path

import pytest

import robustfim_huggingface
from robustfim.record import Record
from tests.docs.page import Page, perform

PAGE = Page.read("questions.md")


@pytest.mark.slow
def test_the_examples_do_what_the_page_shows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "200")
    PAGE.write_files()
    commands = [pair for section in PAGE.sections for pair in PAGE.commands(section)]
    assert len(commands) == 2
    for command in commands:
        command.check(perform(command.typed, capsys))
        for path in (tmp_path / "reports").glob("*/results.json"):
            assert all(check.candidates.tested >= 1 for check in Record.load(path).checks), command.typed


def test_every_answering_model_is_in_the_first_table() -> None:
    table = {line.split("`")[1] for line in PAGE.sections[""].splitlines() if line.startswith("| `")}
    ours = {name for name in robustfim_huggingface.robustfim_offers()["models"] if name.endswith("question-answering")}
    assert table == ours | {"reference/lexical-qa"}
