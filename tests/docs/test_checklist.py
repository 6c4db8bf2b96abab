"""Every example of docs/checklist.md is run as it is printed."""

from __future__ import annotations

from robustfim.builtin import offers
from robustfim.suite.slices import SliceSpec
from tests.docs.page import Page

PAGE = Page.read("checklist.md")


test_the_commands_show_what_the_page_says = PAGE.test_of_commands()


def test_every_expectation_and_every_key_of_a_slice_is_told() -> None:
    for name in offers.robustfim_offers()["expectations"]:
        assert f"`{name}`" in PAGE.sections["Expectations"]
    for key in SliceSpec.model_fields:
        assert f"`{key}" in PAGE.sections["Slices"]
