"""Small lexicons and sentences for the tests of the words plugin."""

from __future__ import annotations

import importlib
import json
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import robustfim_words
from robustfim.candidate import Candidate, Edit
from robustfim.example import Example
from robustfim.predict.context import RunContext
from robustfim.predict.queue import PredictionQueue
from robustfim.predict.store import Store
from robustfim.roles import Embedded
from robustfim.seeds import random_for
from robustfim_words.text.tokens import tokenise

TABLES = {
    "synonyms": """# lemma, pos, substitutes
film\tnoun\tmovie, picture
actor\tnoun\tperformer
hour\tnoun\tage
story\tnoun\ttale
enjoy\tverb\tlike, relish
see\tverb\twatch
begin\tverb\tstart
walk\tverb\tstroll
great\tadjective\tsuperb, excellent
big\tadjective\tlarge, enormous
good\tadjective\tfine
dull\tadjective\tboring, uninteresting
really\tadverb\ttruly, actually
quickly\tadverb\tfast
""",
    "nouns": """# noun, group
uncle\tfamily
aunt\tfamily
cousin\tfamily
dog\tpet
cat\tpet
apple\tfruit
banana\tfruit
orange\tfruit
goat\tfarm_animal
sheep\tfarm_animal
Friday\tweekday
Monday\tweekday
April\tmonth
June\tmonth
""",
    "people": """# name, kind, gender, origin
Kirsten\tgiven\tfemale\tGerman
Nicole\tgiven\tfemale\tFrench
Anna\tgiven\tfemale\tGerman
Claire\tgiven\tfemale\tFrench
Hope\tgiven\tfemale\tEnglish
Mary\tgiven\tfemale\tEnglish
Emma\tgiven\tfemale\tEnglish
Tom\tgiven\tmale\tEnglish
Woody\tgiven\tmale\tEnglish
James\tgiven\tmale\tEnglish
Paris\tgiven\tfemale\tFrench
Pierre\tgiven\tmale\tFrench
Hans\tgiven\tmale\tGerman
Dunst\tfamily\tany\tGerman
Schmidt\tfamily\tany\tGerman
Kidman\tfamily\tany\tEnglish
Allen\tfamily\tany\tEnglish
Jones\tfamily\tany\tEnglish
Hilton\tfamily\tany\tEnglish
Dupont\tfamily\tany\tFrench
De Niro\tfamily\tany\tItalian
Marco\tgiven\tmale\tItalian
Rossi\tfamily\tany\tItalian
""",
    "places": """# name, kind, country
Paris\tcity\tFrance
Lyon\tcity\tFrance
London\tcity\tEngland
New York\tcity\tUnited States
New York City\tcity\tUnited States
Austin\tcity\tUnited States
Oslo\tcity\tNorway
France\tcountry\tFrance
Norway\tcountry\tNorway
Austria\tcountry\tAustria
Texas\tregion\tUnited States
Bavaria\tregion\tGermany
Asia\tcontinent\t-
Africa\tcontinent\t-
""",
    "organisations": """# name, kind
Netflix\tstreaming
HBO\tstreaming
Amazon Prime\tstreaming
Warner Brothers\tstudio
Paramount\tstudio
""",
    "contractions": """# full, contracted, direction
it is\tit's\tboth
it has\tit's\tcontract-only
that is\tthat's\tboth
she is\tshe's\tboth
is not\tisn't\tboth
do not\tdon't\tboth
does not\tdoesn't\tboth
cannot\tcan't\tboth
will not\twon't\tboth
I have\tI've\tboth
I would\tI'd\tboth
I had\tI'd\tboth
they had\tthey'd\tboth
they would\tthey'd\tboth
should have\tshould've\tboth
""",
}

SENTENCES = (
    "Kirsten Dunst is great in this film, and Dunst's big scene took an hour.",
    "I have seen two films in Paris; it's a really dull story about an uncle with three dogs.",
    "An excellent film. It is not a good one, they'd say, but I do enjoy Netflix shows from 1994.",
    "the story begins quickly , and the actors walk to new york city for 90 minutes",
    "A BIG FILM! DON'T SEE IT. I gave it 8/10 (four stars) on HBO...",
    "Woody Allen’s best film isn’t dull — it’s great, and the apples are free.",
    "Robert De Niro moved from London to Oslo, Norway on the 3rd of July.",
    "She was a very good actress and I liked her well-known café scene; the Polish priest, Mr. Jones, is excellent.",
    "I definitely recommend it because the colour is great. Do you watch television? They're going to, naïve or not.",
)


class LetterModel:
    """A differentiable model whose embedding of a word counts its letters, ``[batch, tokens, 26]``."""

    labels = ("negative", "positive")
    fingerprint = "letters"

    def predict(self, examples: Sequence[Example]) -> list[list[float]]:
        return [[0.5, 0.5] for _ in examples]

    def embed(self, examples: Sequence[Example]) -> Embedded:
        import torch

        words = [list(tokenise(each.text)) for each in examples]
        values = torch.zeros(len(words), max(map(len, words)), 26)
        mask = torch.zeros(values.shape[:2], dtype=torch.bool)
        for row, tokens in enumerate(words):
            for place, token in enumerate(tokens):
                mask[row, place] = True
                for letter in token.text.lower():
                    if "a" <= letter <= "z":
                        values[row, place, ord(letter) - ord("a")] += 1
        spans = [[("text", token.start, token.end) for token in tokens] for tokens in words]
        return Embedded(values, mask, torch.zeros_like(mask), spans)

    def logits(self, embeddings: Any, embedded: Embedded) -> Any:
        return embeddings.sum(1)[:, :2]


ENGLISH = sorted(name for name in robustfim_words.robustfim_offers()["perturbations"] if "/" not in name)
"""The perturbations of English."""


def prepared(made: Any, texts: Sequence[str] = SENTENCES) -> Any:
    """Prepare a perturbation for texts, with a model that has embeddings."""
    examples = [example(text) for text in texts]
    if hasattr(made, "prepare"):
        model = LetterModel()
        context = RunContext(model, PredictionQueue(model, Store(None)), None, seed=0)
        context.examples = examples
        made.prepare(context)
    if hasattr(made, "foresee"):
        made.foresee(examples)
    return made


def perturbation(name: str, folder: Path | None, **options: Any) -> Any:
    """Make a perturbation by the name it is offered under, with its small lexicon in a folder if there is one."""
    if folder and name in TABLES:
        source = folder / f"{name}.tsv"
        source.write_text(TABLES[name], encoding="utf-8")
        options = {"source": source, **options}
    module, cls = robustfim_words.robustfim_offers()["perturbations"][name].split(":")
    return getattr(importlib.import_module(module), cls)(**options)


def example(text: str) -> Example:
    return Example({"text": text})


def edits(made: Any, text: str, seed: int = 0) -> list[Edit]:
    return list(made.edits(example(text), random_for(seed, "words")))


def candidates(made: Any, text: str, seed: int = 0) -> list[Candidate]:
    """List the candidates of either kind of perturbation, single edits as candidates of their own."""
    source = example(text)
    if hasattr(made, "edits"):
        return [Candidate(source, (edit,)) for edit in made.edits(source, random_for(seed, "words"))]
    return list(made.propose(source, random_for(seed, "words")))


def texts(made: Any, text: str, seed: int = 0) -> list[str]:
    return [candidate.example.fields["text"] for candidate in candidates(made, text, seed)]


@cache
def _sentences() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(Path(__file__).with_name("sentences.json").read_text(encoding="utf-8"))
    return found


def sentences(test: str) -> list[Any]:
    """The rows of ``sentences.json`` that a test reads, one case each."""
    rows: list[Any] = _sentences()[test]
    return rows


def edit_cases() -> Iterator[Any]:
    """Every row of ``sentences.json`` that lists what perturbations make of a text, one case each.

    A row is a text that they leave as it is, or ``[text, results]``, or ``[text, results, {what else differs}]``.
    """
    for statement, group in _sentences().items():
        for row in group["rows"] if isinstance(group, dict) else ():
            text, results, other = (row, [], {}) if isinstance(row, str) else (*row, {})[:3]
            yield pytest.param({**group, "text": text, "results": results, **other}, id=f"{statement[5:]}-{text}")
