"""The commands of docs/doctor.md are run as they are printed, and show what the page shows, but for its numbers."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.docs.page import Page, perform

PAGE = Page.read("doctor.md")


def unnumbered(text: str) -> str:
    """A text without what follows from lexicons alone: numbers, and the columns that they widen."""
    lines = re.sub(r"\d+(?:[.,]\d+)*", "N", text).splitlines()
    return "".join(re.sub(r" +", " ", line).strip() + "\n" for line in lines)


@pytest.mark.slow
def test_the_page_shows_what_its_commands_show(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    for name, text in PAGE.files("Three commands"):
        (tmp_path / name).write_text(text, encoding="utf-8")
    commands = [command for title in PAGE.sections for command in PAGE.commands(title)]
    assert [command.typed.split()[:2] for command in commands][1:4] == [
        ["robustfim", each] for each in ("doctor", "scan", "run")
    ]
    for command in commands:
        command.check(perform(command.typed, capsys), alike=unnumbered)
    assert (tmp_path / "reports" / "reviews" / "report.html").is_file()
