"""Every example of docs/fix.md is run as it is printed."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

from tests.docs.page import Page

PAGE = Page.read("fix.md")
HAS_TORCH = importlib.util.find_spec("torch") is not None
test_the_commands_show_what_the_page_says = pytest.mark.skipif(not HAS_TORCH, reason="torch is not installed")(
    PAGE.test_of_commands()
)


@pytest.fixture
def here(here: Path) -> Path:
    """The folder of the page, with the files of the page of rules."""
    Page.read("sears.md").write_files()
    PAGE.write_files()
    return here
