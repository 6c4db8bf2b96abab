"""Every example of docs/checklist.md is run as it is printed."""

from __future__ import annotations

from tests.docs.page import Page

PAGE = Page.read("checklist.md")


test_the_commands_show_what_the_page_says = PAGE.test_of_commands()
