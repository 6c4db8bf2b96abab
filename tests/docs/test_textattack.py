"""Every example of docs/textattack.md is run as it is printed."""

from __future__ import annotations

from pathlib import Path

import pytest

from robustfim_textattack.table import LEFT_OUT
from tests.docs.page import Page, perform
from tests.plugins.robustfim_textattack.library import Library, library

__all__ = ["library"]

pytestmark = pytest.mark.filterwarnings("ignore:The 'warn' method is deprecated:DeprecationWarning")  # TextAttack's
PAGE = Page.read("textattack.md")


@pytest.mark.slow
@pytest.mark.parametrize("title", [title for title in PAGE.sections if any(PAGE.commands(title))])
def test_the_commands_show_what_the_page_says(
    title: str, here: Path, library: Library, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("HF_HUB_OFFLINE", "HF_DATASETS_OFFLINE"):
        monkeypatch.setenv(name, "1")
    monkeypatch.setenv("TA_CACHE_DIR", str(here / "nothing"))
    for command in PAGE.commands(title):
        command.check(perform(command.typed, capsys))


def test_what_is_left_out_is_told() -> None:
    told = "".join(PAGE.sections.values())
    for name, reason in LEFT_OUT.items():
        assert reason in ("abstract", "a suite has a check for each") or any(
            word in told for word in (name, "translators", "HotFlip", "Chinese", "Google language model")
        ), name
