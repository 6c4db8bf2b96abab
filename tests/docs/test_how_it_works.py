"""Every step of docs/how-it-works.md is run as it is printed, one after another."""

from __future__ import annotations

import runpy
import sys
from pathlib import Path

import pytest

from tests.docs.page import Page, perform

PAGE = Page.read("how-it-works.md")


def test_a_text_goes_from_its_row_to_its_line_as_the_page_shows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "judge", raising=False)
    monkeypatch.setenv("COLUMNS", "80")
    PAGE.write_files()
    for title in PAGE.sections:
        for command in PAGE.commands(title):
            if command.typed.startswith("python "):
                runpy.run_path(command.typed.removeprefix("python "))
                command.check(capsys.readouterr().out)
            else:
                command.check(perform(command.typed, capsys))
