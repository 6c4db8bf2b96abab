"""The suites and commands of docs/natural.md, run as printed."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.docs.page import Page

PAGE = Page.read("natural.md")


def test_the_page_shows_what_its_commands_show(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    PAGE.write_files()
    PAGE.check("Cards", capsys)
