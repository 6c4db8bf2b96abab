"""What the tests of languages share: every perturbation and language, candidates, and a few sentences of each."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from itertools import islice
from random import Random
from typing import Any

from robustfim.candidate import Candidate
from robustfim.example import Example
from robustfim_words import robustfim_offers
from robustfim_words.languages.language import known_languages, language

__all__ = ["NAMES", "SENTENCES", "able", "candidates", "made"]

OFFERED = robustfim_offers()["perturbations"]
NAMES = sorted(name.partition("/")[2] for name in OFFERED if "/" in name)

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
    "es": (
        "Ana vive con 14 amigos en Madrid, y la casa de Ana es bonita.",
        "En octubre Carmen González viaja a Italia porque le gusta.",
        "Tiene 34 años y compra el coche de un vendedor polaco.",
        "La película es una obra maestra. Está bien hecha, por ejemplo.",
        "Los cristianos y los musulmanes celebran una fiesta el lunes.",
        "¿Quién es? Antonio vive en Sevilla, también en enero.",
        "Lucas come.",
    ),
    "fr": (
        "Julie habite avec 14 amis à Bordeaux, et la maison de Julie est belle.",
        "En octobre, Nathalie Dupont voyage en Italie parce que cela lui plaît.",
        "Il a 34 ans et achète la voiture d'un vendeur polonais.",
        "Ce film est un chef-d'œuvre. Il y a beaucoup de musique, par exemple.",
        "Les chrétiens et les musulmans célèbrent une fête ce lundi.",
        "C'est vraiment bien, dit Thomas.",
        "Jacques y va.",
    ),
    "it": (
        "Giulia abita con 14 amici a Milano, e la casa di Giulia è bella.",
        "A ottobre Paola Rossi va in Francia perché le piace.",
        "Ha 34 anni e compra la macchina da un venditore russo.",
        "Il film è un capolavoro. La musica, per esempio, è bella questa sera.",
        "I cristiani fanno festa lunedì in città.",
        "Marco!",
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
