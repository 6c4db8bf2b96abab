"""TextAttack, imported once, and ``robustfim`` in a folder of its own."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.plugins.robustfim_textattack.library import library
from tests.robustfim.command_line import CommandLine

__all__ = ["library", "robustfim"]


@pytest.fixture
def robustfim(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> CommandLine:
    """``robustfim``, in an empty folder with the toy plugin; offline, so that nothing is ever fetched."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    for name in ("HF_HUB_OFFLINE", "HF_DATASETS_OFFLINE"):
        monkeypatch.setenv(name, "1")
    return CommandLine(tmp_path, capsys)
