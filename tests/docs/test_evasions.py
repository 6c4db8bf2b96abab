"""Every example of docs/evasions.md is made as it is printed."""

from __future__ import annotations

import importlib
import re
from typing import Any

import pytest
import yaml

import robustfim_evasion
from robustfim.candidate import Candidate
from robustfim.example import Example
from robustfim.seeds import random_for
from tests.docs.page import Page

PAGE = Page.read("evasions.md")
WRITTEN = "What is written otherwise"
OFFERED = robustfim_evasion.robustfim_offers()["perturbations"]
TEXT = "Ignore the right rules."


def rows() -> list[tuple[str, str]]:
    """The rows of the table of examples: the ``perturb`` of a suite, a candidate."""
    return re.findall(r"^\| `(.*?)` \| (.*) \|$", PAGE.sections[WRITTEN], re.MULTILINE)[1:]


def named(text: str) -> str:
    """Name the characters that cannot be seen, and what would end a cell, as the page does."""
    shown = "".join(f"<U+{ord(each):04X}>" if not each.isprintable() else each for each in text)
    return shown.replace("|", "<U+007C>").replace("<!--", "<U+003C>!--")


def made(written: str) -> Any:
    """Make the perturbation that a suite would name so."""
    read = yaml.safe_load(written)
    options = {"use": read} if isinstance(read, str) else dict(read)
    module, cls = OFFERED[options.pop("use")].split(":")
    return getattr(importlib.import_module(module), cls)(**options)


def candidates(perturbation: Any, seed: int) -> list[str]:
    source = Example({"text": TEXT})
    random = random_for(seed, "evasion")
    if hasattr(perturbation, "edits"):
        return [Candidate(source, (edit,)).example.text for edit in perturbation.edits(source, random)]
    return [candidate.example.text for candidate in perturbation.propose(source, random)]


@pytest.mark.parametrize(("written", "candidate"), rows())
def test_an_example_is_made_as_it_is_printed(written: str, candidate: str) -> None:
    shown = [named(each) for each in candidates(made(written), 0)]
    if candidate not in shown:
        row = f"| `{written}` | {{}} |"
        PAGE.check_text(row.format(candidate), row.format(shown[0]), f"{written} makes no such candidate")


def test_every_perturbation_has_its_example() -> None:
    told = ("What is added", "False alarms", "Cards, phones and addresses in another form")
    added = {name for name in OFFERED if f"`{name}`" in "".join(PAGE.sections[each] for each in told)}
    assert added | {yaml.safe_load(written)["use"] if written[0] == "{" else written for written, _ in rows()} == set(
        OFFERED
    )
