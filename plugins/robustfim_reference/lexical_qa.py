"""A question answering model made of rules, which ranks sentences by shared words and phrases by kind."""

from __future__ import annotations

import hashlib
import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType

from robustfim.errors import UsageError, suggestions
from robustfim.example import Example
from robustfim.prediction import MOST_ANSWERS, normal_form
from robustfim_reference.phrases import CONTENT_STOPS, Phrase, phrases, sentences, stem

__all__ = ["LexicalQa"]

_WORD = re.compile(r"[^\W_]+(?:[-'’.,][^\W_]+)*")
_ASKS: Mapping[str, Mapping[str, float]] = MappingProxyType(
    {
        "what colour": {"colour": 4.0},
        "what color": {"colour": 4.0},
        "which colour": {"colour": 4.0},
        "which color": {"colour": 4.0},
        "how many": {"number": 3.0},
        "how much": {"measure": 3.0, "number": 1.0},
        "how often": {"measure": 3.0},
        "how long": {"measure": 3.0},
        "how high": {"measure": 3.0},
        "how": {"way": 3.0},
        "who": {"name": 3.0, "thing": 0.5},
        "whom": {"name": 3.0, "thing": 0.5},
        "when": {"year": 3.0, "date": 3.0, "clause": 1.5},
        "where": {"place": 3.0},
        "why": {"reason": 4.0},
        "what": {"thing": 2.0, "name": 1.0},
        "which": {"thing": 2.0, "name": 1.0},
    }
)
"""What the question word asks for: kinds of phrases, and how much each adds to the score."""

_AUXILIARIES = (
    *("am", "are", "can", "could", "did", "do", "does", "had", "has", "have", "is", "may", "must", "should", "was"),
    *("were", "will", "would"),
)
_OVERLAP, _REPEATED, _DISTANCE, _SIDE = 4.0, -2.5, -0.15, 0.7
"""Weights: the share of the question's words in the sentence, words of the phrase that the question has already, words
between the phrase and the nearest word of the question, and standing on the side of it where the answer should."""


class LexicalQa:
    """Answers a question by a phrase of its context, with rules and without training, as a baseline.

    Sentences are ranked by the words that they share with the question, with more weight for rare words. The question
    word (who, when, how many…) decides the kind of phrase, and phrases near the shared words are preferred. The
    probabilities are the softmax of the scores of all phrases. The model has no gradients, needs no torch, and reads
    English only. The rules were written while looking at the bundled questions, so accuracy on them is too high.

    Args:
        question: The field of the question.
        context: The field of the text with the answer.
    """

    def __init__(self, *, question: str = "question", context: str = "context") -> None:
        self.question, self.context = question, context

    @property
    def fingerprint(self) -> str:
        """A hash of the options. The rules are code, which the harness hashes itself."""
        return hashlib.sha256(repr(("lexical-qa", self.question, self.context)).encode()).hexdigest()

    def answer(self, examples: Sequence[Example]) -> list[list[tuple[str, float]]]:
        """Return the likeliest answers to questions, each a phrase of the question's context.

        Returns:
            For each question up to 10 phrases of its context, the likeliest first; only ``""`` if the context has no
            phrase.
        """
        return [_answers(self._text(example, self.question), self._text(example, self.context)) for example in examples]

    def _text(self, example: Example, name: str) -> str:
        if name not in example.fields:
            raise UsageError(
                f"reference/lexical-qa reads the field {name!r}, which an example lacks."
                f"{suggestions(name, example.fields, 'Fields')}"
            )
        return example.fields[name]


def _answers(question: str, context: str) -> list[tuple[str, float]]:
    scored = sorted(_scores(question, context), key=lambda score: (-score[1], score[0].start, score[0].end))
    if not scored:
        return [("", 1.0)]
    weights = [math.exp(score - scored[0][1]) for _, score in scored]
    total = sum(weights)
    answers: dict[str, tuple[str, float]] = {}
    for (phrase, _), weight in zip(scored, weights, strict=True):
        text = context[phrase.start : phrase.end]
        answers.setdefault(normal_form(text), (text, weight / total))
    return list(answers.values())[:MOST_ANSWERS]


def _scores(question: str, context: str) -> Iterator[tuple[Phrase, float]]:
    """Score every phrase of a context."""
    asked = _content(question)
    wanted, side = _wanted(question)
    parts = list(sentences(context))
    frequency = Counter(word for start, end in parts for word in _content(context[start:end]))
    worth = {word: 1 / (1 + frequency[word]) for word in sorted(asked)}  # a set's own order is another in each process
    whole = sum(worth.values()) or 1.0
    before: frozenset[str] = frozenset()
    for start, end in parts:
        words = [(stem(match.group()), match.start()) for match in _WORD.finditer(context, start, end)]
        own = frozenset(word for word, _ in words)
        # A sentence with "it" speaks of what the one before it named.
        fraction = sum(
            weight * (1.0 if word in own else 0.4 if word in before else 0.0) for word, weight in worth.items()
        )
        shared = [place for place, (word, _) in enumerate(words) if word in asked]
        for phrase in phrases(context, start, end):
            inside = [place for place, (_, at) in enumerate(words) if phrase.start <= at < phrase.end]
            if not inside:
                continue
            gaps = [inside[0] - each if each < inside[0] else inside[-1] - each for each in shared]
            gap = min(gaps, key=abs, default=8)
            repeated = sum(words[place][0] in asked for place in inside)
            score = _OVERLAP * fraction / whole + wanted.get(phrase.kind, 0.0)
            score += _REPEATED * repeated + _DISTANCE * abs(gap) + _SIDE * (gap * side > 0)
            yield phrase, score
        before = own


def _content(text: str) -> frozenset[str]:
    words = [match.group() for match in _WORD.finditer(text)]
    return frozenset(stem(word) for word in words if word.lower() not in CONTENT_STOPS)


def _wanted(question: str) -> tuple[Mapping[str, float], int]:
    """Tell what the first question word asks for, and on which side of the verb: 1 behind it, -1 before it.

    A question without a question word may ask for anything.
    """
    words = [match.group().lower() for match in _WORD.finditer(question)]
    for place, word in enumerate(words):
        for asks in (" ".join(words[place : place + 2]), word):
            if asks in _ASKS:
                after = words[place + 1] if place + 1 < len(words) else ""
                return _ASKS[asks], 1 if after in _AUXILIARIES or word not in ("who", "what", "which") else -1
    return {"thing": 1.0}, 1
