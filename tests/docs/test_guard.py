"""The commands of docs/guard.md show what they print."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.docs.page import Page

PAGE = Page.read("guard.md")


@pytest.mark.slow
def test_the_scan_of_the_guard_that_ships_is_that_of_the_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    PAGE.check("A guard that ships", capsys)


@pytest.mark.slow
@pytest.mark.usefixtures("here")
def test_the_gate_holds_both_rates_to_their_limits(capsys: pytest.CaptureFixture[str]) -> None:
    PAGE.check("A gate at a threshold", capsys)
