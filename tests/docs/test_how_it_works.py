"""Every step of docs/how-it-works.md is run as it is printed, one after another."""

from __future__ import annotations

import runpy
import sys
from pathlib import Path

import pytest

from tests.docs.page import Page, perform

PAGE = Page.read("how-it-works.md")


def test_a_text_goes_from_its_row_to_its_line_as_the_page_shows(
    here: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.syspath_prepend(here)
    monkeypatch.delitem(sys.modules, "judge", raising=False)
    for title in PAGE.sections:
        for command in PAGE.commands(title):
            if command.typed.startswith("python "):
                runpy.run_path(command.typed.removeprefix("python "))
                command.check(capsys.readouterr().out)
            else:
                command.check(perform(command.typed, capsys))
