"""docs/expectations.md: it has every expectation and every key of a slice."""

from __future__ import annotations

import pytest

import robustfim_checklist
from robustfim.builtin import offers
from robustfim.suite.slices import SliceSpec
from tests.docs.page import Page

PAGE = Page.read("expectations.md")


@pytest.mark.parametrize(
    "name", [*offers.robustfim_offers()["expectations"], *robustfim_checklist.robustfim_offers()["expectations"]]
)
def test_the_page_has_every_expectation(name: str) -> None:
    assert f"`{name}`" in PAGE.sections["Expectations"]


@pytest.mark.parametrize("key", SliceSpec.model_fields)
def test_the_page_has_every_key_of_a_slice(key: str) -> None:
    assert f"`{key}" in PAGE.sections["Slices"]
