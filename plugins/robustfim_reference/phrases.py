"""Phrases of a sentence that may answer a question, each with the kind of question that it may answer."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

__all__ = ["CONTENT_STOPS", "Phrase", "phrases", "sentences", "stem"]

_STOPS = (
    "a about after all also among an and any are as at be because been before behind between both but by can could "
    "did do does during each every for from had has have he her him his how if in inside into is it its like many may "
    "more most much must near no nobody not nothing of off often on one only or other our out over since so some still "
    "such than that the their them then there these they this those through to today under until up was we were what "
    "when where which while who whoever whom whose why will with without would you"
)
CONTENT_STOPS = frozenset(_STOPS.split())
"""Words that say nothing of what a sentence is about."""

_WORD = r"[^\W_]+(?:[-'’.,][^\W_]+)*"
_NUMBER = (
    r"(?:\d[\d.,]*\d|\d|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|(?:thir|four|fif|six|seven|eigh|nine)"
    r"teen|(?:twen|thir|for|fif|six|seven|eigh|nine)ty|hundred|thousand|million)"
)
_DATE = (
    r"(?:(?i:every|from|on|in) )?"
    r"(?:January|February|March|April|May|June|July|August|September|October|November|December|"
    r"(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days?|spring|summer|autumn|winter|noon|midnight)"
)
_NOUN = rf"\b(?!(?:{'|'.join(sorted(CONTENT_STOPS))})\b)[^\W\d_][^\W_]*(?:[-'’][^\W_]+)*"
_PHRASE = rf"(?:\b(?:a|an|the|his|her|its|their|these) )?{_NOUN}(?: (?!\w+ed\b){_NOUN})*"
_PREPOSITION = r"\b(?:in|at|on|to|from|over|near|behind|into)"
_PATTERNS = {
    "name": re.compile(r"\b[A-Z][\w'’-]*(?: [A-Z][\w'’-]*)+|(?<=[a-z,] )[A-Z][\w'’-]*"),
    "year": re.compile(r"\b(?:1\d|20)\d\d\b"),
    "date": re.compile(rf"\b{_DATE}(?: (?:to|and) {_DATE})?\b|\b(?i:{_NUMBER}) o'clock"),
    "clause": re.compile(r"(?<!^)\b(?:when|before|after) [^,.;]+"),
    "number": re.compile(rf"\b{_NUMBER}(?:[ -]{_NUMBER})*\b", re.IGNORECASE),
    "measure": re.compile(rf"\b(?:every )?{_NUMBER}(?:[ -]{_NUMBER})* {_NOUN}", re.IGNORECASE),
    "place": re.compile(rf"{_PREPOSITION} (?P<inner>{_PHRASE}(?: (?:of|in|at) {_PHRASE})?)"),
    "colour": re.compile(r"\b(?:red|orange|yellow|green|blue|purple|violet|pink|brown|black|white|grey|gray)\b"),
    "reason": re.compile(r"\b(?:because|since|so that) [^,.;]+"),
    "way": re.compile(rf"\bby {_NOUN}"),
    "thing": re.compile(rf"{_PHRASE}(?: of {_PHRASE})?"),
}
_SUFFIX = re.compile(r"(?:ing|ed|es|s|er|e)$")
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+")


@dataclass(frozen=True)
class Phrase:
    """A phrase of a context that may be an answer.

    Attributes:
        start: The phrase's first character.
        end: One past the phrase's last character.
        kind: ``name``, ``year``, ``date``, ``clause``, ``number``, ``measure``, ``place``, ``colour``, ``reason``,
            ``way`` or ``thing``.
    """

    start: int
    end: int
    kind: str


def sentences(text: str) -> Iterator[tuple[int, int]]:
    """Find the sentences of a text.

    Yields:
        For each sentence its first character, and the place after its last character.
    """
    start = 0
    for gap in _SENTENCE_END.finditer(text):
        yield start, gap.start()
        start = gap.end()
    if start < len(text):
        yield start, len(text)


def phrases(text: str, start: int, end: int) -> Iterator[Phrase]:
    """Find the phrases of a sentence.

    Yields:
        The phrases, kind by kind in the order of the text. Phrases may overlap.
    """
    sentence = text[start:end]
    for kind, pattern in _PATTERNS.items():
        for match in pattern.finditer(sentence):
            group = "inner" if "inner" in pattern.groupindex else 0
            yield Phrase(start + match.start(group), start + match.end(group), kind)


def stem(word: str) -> str:
    """Remove common endings of a word, so that ``climbs`` and ``climb`` become equal."""
    lower = word.lower().replace("’", "'").removesuffix("'s")
    return _SUFFIX.sub("", lower) if len(lower) > 4 else lower.removesuffix("s") if len(lower) > 3 else lower
