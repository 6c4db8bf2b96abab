"""Every example of docs/scale.md is run as it is printed."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.docs.page import Page

PAGE = Page.read("scale.md")


@pytest.mark.slow
def test_the_commands_show_what_the_page_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    PAGE.write_files()
    for title in PAGE.sections:
        PAGE.check(title, capsys)
