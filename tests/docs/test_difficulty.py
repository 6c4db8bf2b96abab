"""Every example of docs/difficulty.md is run as it is printed."""

from __future__ import annotations

import pytest

from robustfim.plugin.sources import PluginOptions, load_plugins
from tests.docs.page import Page

pytest.importorskip("torch")

PAGE = Page.read("difficulty.md")


test_the_commands_show_what_the_page_says = pytest.mark.slow(PAGE.test_of_commands())  # eleven suites


def test_every_score_is_told_with_the_end_of_its_scale_that_is_hard() -> None:
    rows = [line.split("|") for line in PAGE.sections[""].splitlines() if line.startswith("| `")]
    told = {row[1].strip(" `"): row[3].strip() for row in rows}
    offers = load_plugins(PluginOptions()).offers("scorers")
    ours = {
        name: offer.cls().contract.hardest for name, offer in offers.items() if offer.owner in ("fisher", "blackbox")
    }
    assert told == ours
