"""Small real parts for the tests of the rules: a tagger of few words, a model that counts them, a paraphraser."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from robustfim.contract import ParaphraserContract
from robustfim.example import Example
from robustfim.predict.context import RunContext
from robustfim.predict.queue import PredictionQueue
from robustfim.predict.store import Store
from robustfim.roles import Paraphrase, TaggedToken
from robustfim_sears.rule.rule import Rule
from robustfim_sears.rule.tagged_text import TaggedText, tag_texts
from tests.robustfim.toys import CountingModel, example

TAGS = {
    **dict.fromkeys(["film", "movie", "plot", "color", "day", "end", "story"], ("NOUN", "NN")),
    **dict.fromkeys(["is", "was"], ("AUX", "VBZ")),
    **dict.fromkeys(["happens", "ends", "works"], ("VERB", "VBZ")),
    **dict.fromkeys(["the", "a", "an", "this"], ("DET", "DT")),
    **dict.fromkeys(["good", "fine", "dull", "bad", "awful"], ("ADJ", "JJ")),
    **dict.fromkeys(["very", "really", "so"], ("ADV", "RB")),
    **dict.fromkeys(["it", "what", "which"], ("PRON", "PRP")),
    "paris": ("PROPN", "NNP"),
}


class SmallTagger:
    """Knows the tags of the words above; splits words from marks."""

    def tag(self, texts: Sequence[str]) -> list[list[TaggedToken]]:
        return [[_token(found) for found in re.finditer(r"[^\W_]+(?:['’][^\W_]+)*|[^\w\s]|_", text)] for text in texts]


def _token(found: re.Match[str]) -> TaggedToken:
    coarse, fine = TAGS.get(found[0].lower(), ("", ""))
    return TaggedToken(found[0], found.start(), found.end(), coarse, fine)


def tagged(text: str) -> TaggedText:
    (found,) = tag_texts(SmallTagger(), [text])
    return found


def rule(text: str) -> Rule:
    return Rule.parse(text)


class Swaps:
    """Puts one word in the place of another, the first time it stands in a text; takes nothing else to be the same."""

    contract = ParaphraserContract(score="swaps", tau=0.5)

    def __init__(self, words: Mapping[str, str], score: float = 0.9) -> None:
        self._words, self._score = words, score
        self.asked: list[tuple[str, str]] = []

    def paraphrase(self, texts: Sequence[str], *, seed: int) -> list[list[Paraphrase]]:
        return [[Paraphrase(each, self._score) for each in self._of(text)] for text in texts]

    def score(self, texts: Sequence[str], candidates: Sequence[str]) -> list[float]:
        pairs = list(zip(texts, candidates, strict=True))
        self.asked += pairs
        return [self._score if candidate in self._of(text) else 0.0 for text, candidate in pairs]

    def _of(self, text: str) -> list[str]:
        return [re.sub(rf"\b{old}\b", new, text, count=1) for old, new in self._words.items() if old in text.split()]


class _Tagging:
    """Gives the run its tagger, and nothing else."""

    def shared(self, role: str) -> type[SmallTagger] | None:
        return SmallTagger if role == "tagger" else None

    def sharer(self, role: str) -> str:
        return f"the {role}"


def context(model: CountingModel | None = None, *, seed: int = 0) -> RunContext:
    model = model or CountingModel()
    return RunContext(model, PredictionQueue(model, Store(None)), None, seed=seed, services=_Tagging())


def examples(*texts: str) -> list[Example]:
    return [example(text) for text in texts]
