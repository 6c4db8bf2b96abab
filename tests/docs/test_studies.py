"""Every study of docs/studies.md is run as it is printed."""

from __future__ import annotations

import pytest

from tests.docs.page import Page

pytest.importorskip("torch")

PAGE = Page.read("studies.md")

test_the_commands_show_what_the_page_says = pytest.mark.slow(PAGE.test_of_commands())
