"""Every example of docs/cues.md is run as it is printed."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import robustfim_cues
from tests.docs.page import Page
from tests.plugins.robustfim_huggingface.conftest import save_model

pytest.importorskip("sklearn")
PAGE = Page.read("cues.md")


def save_choice_model(folder: Path, seed: int) -> None:
    """Save a tiny model of choices with random weights, which stands for one that the reader trained."""
    save_model("bert", folder, "ForMultipleChoice", seed=seed, scale=0)


@pytest.mark.slow
@pytest.mark.parametrize(
    "title",
    [
        pytest.param(title, marks=pytest.mark.slow) if title == "The experiment" else title
        for title in PAGE.sections
        if any(PAGE.commands(title))
    ],
)
def test_the_commands_show_what_the_page_says(title: str, here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    if title == "Sensitivity":
        for number, name in enumerate(("on-original", "on-balanced")):
            save_choice_model(here / name, number)
    PAGE.check(title, capsys)


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
