"""The suites and commands of docs/natural.md, run as printed."""

from __future__ import annotations

import pytest

from tests.docs.page import Page

PAGE = Page.read("natural.md")


@pytest.mark.usefixtures("here")
def test_the_page_shows_what_its_commands_show(capsys: pytest.CaptureFixture[str]) -> None:
    PAGE.check("Cards", capsys)
