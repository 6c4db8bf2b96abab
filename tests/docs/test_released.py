"""Every example of docs/released.md is run as it is printed."""

from __future__ import annotations

import pytest

import robustfim_checklist
import robustfim_suites
from tests.docs.page import Page

PAGE = Page.read("released.md")


@pytest.mark.usefixtures("here")
def test_the_commands_show_what_the_page_says(capsys: pytest.CaptureFixture[str]) -> None:
    for title in PAGE.sections:  # one after another: the first writes what the second shows
        PAGE.check(title, capsys)


def test_every_format_is_told() -> None:
    for plugin in (robustfim_suites, robustfim_checklist):
        for name in plugin.robustfim_offers()["suite_formats"]:
            assert (
                f"`{name}`" in PAGE.sections["The formats"] or name in PAGE.sections["Results of other tools"].lower()
            )
