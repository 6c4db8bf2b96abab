"""Every example of docs/perturbations.md is made as it is printed."""

from __future__ import annotations

import importlib
import keyword
import re
from typing import Any

import pytest
import yaml

import robustfim_words
from robustfim.candidate import Candidate
from robustfim.example import Example
from robustfim.seeds import random_for
from tests.docs.page import Page

PAGE = Page.read("perturbations.md")
OFFERED = {
    name: where
    for name, where in robustfim_words.robustfim_offers()["perturbations"].items()
    if not name.startswith("languages/")
}
HEAD = "`perturb:`"
HIDDEN = re.compile(r"<U\+([0-9A-F]{4})>")
SEEDS = 50
"""Seeds that a candidate drawn at random may be found with."""


def rows() -> list[tuple[str, str, str]]:
    """The rows of the tables of examples: the ``perturb`` of a suite, a text, a candidate."""
    lines = [line for section in PAGE.sections.values() for line in section.splitlines() if line.startswith("| `")]
    cells = [[cell.strip() for cell in line.strip("|").split(" | ")] for line in lines]
    return [(row[0], row[1], row[2]) for row in cells if len(row) == 3 and row[0] != HEAD]


def visible(text: str) -> str:
    """Put the characters in that the page names."""
    return HIDDEN.sub(lambda match: chr(int(match[1], 16)), text)


def named(text: str) -> str:
    """Name the characters that cannot be seen, as the page does."""
    return "".join(f"<U+{ord(each):04X}>" if not each.isprintable() else each for each in text)


def made(written: str) -> Any:
    """Make the perturbation that a suite would name so."""
    read = yaml.safe_load(written.strip("`"))
    options = {"use": read} if isinstance(read, str) else dict(read)
    module, cls = OFFERED[options.pop("use")].split(":")
    return getattr(importlib.import_module(module), cls)(
        **{f"{name}_" if keyword.iskeyword(name) else name: value for name, value in options.items()}
    )


def candidates(perturbation: Any, text: str, seed: int) -> list[str]:
    source = Example({"text": text})
    random = random_for(seed, "words")
    if hasattr(perturbation, "edits"):
        return [Candidate(source, (edit,)).example.text for edit in perturbation.edits(source, random)]
    return [candidate.example.text for candidate in perturbation.propose(source, random)]


@pytest.mark.parametrize(("written", "text", "candidate"), rows())
def test_an_example_is_among_the_candidates(written: str, text: str, candidate: str) -> None:
    perturbation = made(written)
    shown = [named(each) for seed in range(SEEDS) for each in candidates(perturbation, visible(text), seed)]
    if candidate not in shown:
        rows_of = [f"| {written} | {text} | {each} |" for each in (candidate, shown[0])]
        PAGE.check_text(rows_of[0], rows_of[1], f"{written} makes no such candidate")


def test_every_perturbation_and_every_constraint_has_its_example() -> None:
    shown = {re.split(r"[,}]", written.strip("`").removeprefix("{use: "))[0] for written, _, _ in rows()}
    assert shown | {"neighbours"} == set(OFFERED)
    assert all(
        f"| `{name}` |" in PAGE.sections["Constraints"] for name in robustfim_words.robustfim_offers()["constraints"]
    )
