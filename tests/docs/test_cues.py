"""Every example of docs/cues.md is run as it is printed."""

from __future__ import annotations

import re

import pytest

import robustfim_cues
from tests.docs.page import Page

pytest.importorskip("sklearn")
PAGE = Page.read("cues.md")


test_the_commands_show_what_the_page_says = pytest.mark.slow(PAGE.test_of_commands())


def test_everything_that_the_plugin_offers_is_told() -> None:
    told = "".join(PAGE.sections.values())
    offered = [
        robustfim_cues.robustfim_offers()["data"],
        robustfim_cues.robustfim_offers()["models"],
        robustfim_cues.robustfim_offers()["scorers"],
    ]
    offered += [robustfim_cues.robustfim_offers()["perturbations"], robustfim_cues.robustfim_offers()["expectations"]]
    offered.append(robustfim_cues.robustfim_offers()["trainers"])
    for name in (name for each in offered for name in each):
        assert re.search(rf"[`\[ ]{re.escape(name)}[`\]]", told), name
