"""What the tests of languages share: every perturbation and language, candidates, and a few sentences of each."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from itertools import islice
from random import Random
from typing import Any

from robustfim.candidate import Candidate
from robustfim.example import Example
from robustfim_languages import robustfim_offers
from robustfim_languages.language import known_languages, language

__all__ = ["NAMES", "SENTENCES", "able", "candidates", "made"]

OFFERED = robustfim_offers()["perturbations"]
NAMES = sorted(name.partition("/")[2] for name in OFFERED)

SENTENCES = {
    "de": (
        "Anna wohnt mit 14 Freunden in Berlin, und Annas Haus ist schön.",
        "Im Oktober fährt Petra Schmidt nach Italien, weil es ihr gefällt.",
        "Er ist 34 Jahre alt und kauft das Auto von einem polnischen Händler.",
        "Der Film ist ein Meisterwerk. Ich habe so etwas zum Beispiel nie gesehen.",
        "Die Christen und die Buddhisten feiern am Montag ein Fest.",
        "Das ist wirklich gut.",
        "Morgen kommt Petra mit dem Zug.",
    ),
}


def made(name: str, code: str) -> Any:
    """A perturbation of a language, with the options that it has by default."""
    module, _, cls = OFFERED[f"languages/{name}"].partition(":")
    return getattr(import_module(module), cls)(language=code)


def able() -> Iterator[tuple[str, str]]:
    """Every perturbation with every language that has its tables."""
    for code in known_languages():
        for name in NAMES:
            module, _, cls = OFFERED[f"languages/{name}"].partition(":")
            needs = getattr(import_module(module), cls).needs
            if all(getattr(language(code).grammar, table) for table in needs):
                yield code, name


def candidates(perturbation: Any, text: str, most: int = 40, seed: int = 0) -> list[Candidate]:
    """The first candidates of a text, each with one edit where the perturbation lists edits."""
    example = Example({"text": text})
    if hasattr(perturbation, "edits"):
        return [Candidate(example, (edit,)) for edit in islice(perturbation.edits(example, Random(seed)), most)]
    return list(islice(perturbation.propose(example, Random(seed)), most))
