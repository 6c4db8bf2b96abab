"""Every example of docs/cues.md is run as it is printed."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import robustfim_cues
from tests.docs.page import Page, check_shown, perform

pytest.importorskip("sklearn")
PAGE = Page.read("cues.md")


@pytest.mark.parametrize("title", [title for title in PAGE.sections if any(PAGE.commands(title))])
def test_the_commands_show_what_the_page_says(
    title: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    for section in PAGE.sections:
        for name, text in PAGE.files(section):
            Path(name).write_text(text, encoding="utf-8")
    for command, expected in PAGE.commands(title):
        check_shown(expected, perform(command, capsys), command)


def test_everything_that_the_plugin_offers_is_told() -> None:
    told = "".join(PAGE.sections.values())
    offered = [robustfim_cues.robustfim_data(), robustfim_cues.robustfim_models(), robustfim_cues.robustfim_scorers()]
    offered += [robustfim_cues.robustfim_perturbations(), robustfim_cues.robustfim_expectations()]
    for name in (name for each in offered for name in each):
        assert re.search(rf"[`\[ ]{re.escape(name)}[`\]]", told), name
