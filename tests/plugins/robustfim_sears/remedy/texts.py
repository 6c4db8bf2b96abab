"""A plugin for tests of augmentation: data, a trainer that counts words, and perturbations of all kinds."""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any

from robustfim import Candidate, Edit, Example, hookimpl
from robustfim.contract import ParaphraserContract
from robustfim.roles import Context, Paraphrase, TaggedToken

WORDS = re.compile(r"\w+")


class Texts:
    """Texts of films, which are good, and of plots, which are bad; each has a word of its own.

    Args:
        first: The number of the first.
        count: How many of each.
        odd: A film that is bad, and so is labelled wrongly by who knows the others.
        bare: Leave out the labels.
    """

    def __init__(self, first: int = 0, count: int = 20, odd: bool = False, bare: bool = False) -> None:
        self._range, self._odd, self._bare = range(first, first + count), odd, bare

    def load(self) -> Iterator[Example]:
        """Give the texts."""
        for number in self._range:
            yield Example({"text": f"a film w{number}"}, None if self._bare else "positive", {"row": number})
            yield Example({"text": f"a plot w{number}"}, None if self._bare else "negative", {"row": number})
        if self._odd:
            yield Example({"text": "a film odd"}, "negative")


class Counting:
    """Adds up the weights of words; without any the text is negative.

    Args:
        path: The folder with the weights.
    """

    labels = ("negative", "positive")

    def __init__(self, path: Path) -> None:
        self._weights: dict[str, float] = json.loads((path / "weights.json").read_text(encoding="utf-8"))
        self.fingerprint = str(sorted(self._weights.items()))

    def predict(self, examples: Sequence[Example]) -> list[list[float]]:
        """Give the logistic function of the sum."""
        sums = [
            sum(self._weights.get(word, 0.0) for word in WORDS.findall(example.text)) - 0.01 for example in examples
        ]
        return [[1 / (1 + math.exp(each)), 1 / (1 + math.exp(-each))] for each in sums]


class CountingTrainer:
    """A word's weight is how much more often it stands in positive texts, of ten."""

    def train(
        self, examples: Sequence[Example], dev: Sequence[Example], folder: Path, *, seed: int,
        report: Callable[[str], None],
    ) -> Mapping[str, Any]:  # fmt: skip
        """Count."""
        signs = {"positive": 0.1, "negative": -0.1}
        weights: Counter[str] = Counter()
        for example in examples:
            weights.update({word: signs[str(example.label)] for word in WORDS.findall(example.text)})
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "weights.json").write_text(json.dumps(weights), encoding="utf-8")
        report(f"counted {len(examples)} texts, stopped by {len(dev)}, seed {seed}")
        return {"use": "counting", "path": str(folder)}


class Movies:
    """Says movie for film."""

    contract = ParaphraserContract(score="movies", tau=0.5)

    def paraphrase(self, texts: Sequence[str], *, seed: int) -> list[list[Paraphrase]]:
        """Say it."""
        return [[Paraphrase(text.replace("film", "movie"), 0.9)] if "film" in text else [] for text in texts]

    def score(self, texts: Sequence[str], candidates: Sequence[str]) -> list[float]:
        """All means the same."""
        return [0.9] * len(texts)


class Shout:
    """Proposes the text in capitals, the same with a mark, and the text itself."""

    def propose(self, example: Example, random: Random) -> Iterator[Candidate]:
        """Shout."""
        text = example.fields["text"]
        for made in (text, text.upper(), f"{text.upper()}!", text.upper()):
            yield Candidate.replacing(example, {"text": made}, origin="shout")


class Deny:
    """Turns a text round, and says to which label."""

    def propose(self, example: Example, random: Random) -> Iterator[Candidate]:
        """Deny."""
        other = {"positive": "negative", "negative": "positive"}[str(example.label)]
        yield Candidate(example, (Edit("text", 0, 0, "", "not "),), label=other)


class Stutter:
    """Says a letter twice, drawn at random."""

    def propose(self, example: Example, random: Random) -> Iterator[Candidate]:
        """Stutter."""
        text = example.fields["text"]
        for place in random.sample(range(len(text)), 6):
            yield Candidate(example, (Edit("text", place, place, "", text[place]),))


class Asking:
    """Asks the model."""

    def prepare(self, context: Context) -> None:
        """Ask."""
        context.predict([Example({"text": "a"})])

    def propose(self, example: Example, random: Random) -> Iterator[Candidate]:
        """Propose nothing."""
        yield from ()


class Tags:
    """Splits words."""

    def tag(self, texts: Sequence[str]) -> list[list[TaggedToken]]:
        """Split."""
        return [[TaggedToken(match[0], match.start(), match.end()) for match in WORDS.finditer(text)] for text in texts]


@hookimpl
def robustfim_offers() -> dict[str, dict[str, type]]:
    """Offer what mining and mending need, and a tagger that loads nothing."""
    return {
        "data": {"films": Texts},
        "models": {"counting": Counting},
        "trainers": {"counting": CountingTrainer},
        "paraphrasers": {"movies": Movies},
        "perturbations": {"shout": Shout, "deny": Deny, "stutter": Stutter, "asking": Asking},
        "services": {"tagger": Tags},
    }
