"""Every example of docs/scale.md is run as it is printed."""

from __future__ import annotations

import pytest

from tests.docs.page import Page

PAGE = Page.read("scale.md")


@pytest.mark.usefixtures("here")
@pytest.mark.slow
def test_the_commands_show_what_the_page_says(capsys: pytest.CaptureFixture[str]) -> None:
    for title in PAGE.sections:
        PAGE.check(title, capsys)
