"""Every example of docs/attribution.md is run as it is printed."""

from __future__ import annotations

import importlib.util

import pytest

from robustfim.plugin.options import options_model
from robustfim.plugin.sources import PluginOptions, load_plugins
from robustfim.suite.file import parse_override
from robustfim.suite.format import PerturbSpec
from tests.docs.page import Page

pytestmark = pytest.mark.skipif(importlib.util.find_spec("captum") is None, reason="captum is not installed")

PAGE = Page.read("attribution.md")


def table(title: str) -> list[str]:
    """What stands in the first column of a section's table."""
    rows = [line.split("|") for line in PAGE.sections[title].splitlines() if line.startswith("| `")]
    return [row[1].strip(" `") for row in rows[1:]]


test_the_commands_show_what_the_page_says = pytest.mark.slow(PAGE.test_of_commands())


def test_the_options_of_the_table_are_taken() -> None:
    attribution = load_plugins(PluginOptions()).shared("attribution")
    assert attribution is not None
    model = options_model(attribution, "attribution")
    written = table("In the reports")
    assert written[0] == "true"
    for each in written[1:]:
        assert model.model_validate(parse_override(f"x={each}", "-o")[1])
    named = {key for each in written[1:] for key in parse_override(f"x={each}", "-o")[1]}
    assert named == set(model.model_fields)


def test_the_forms_of_words_in_the_table_are_taken() -> None:
    written = table("Changing only the words that matter")
    assert len(written) == 4
    for each in written:
        value = parse_override(f"x={each}", "-o")[1]
        PerturbSpec.model_validate({"use": "x", "words": value})
