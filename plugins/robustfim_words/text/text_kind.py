"""The kind of a text: a review, a news report, a question, or a message to somebody."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

from robustfim_words.text.guard import in_headline
from robustfim_words.text.inflection import inflect
from robustfim_words.text.lexicon import LEXICONS, closed_class, read_table
from robustfim_words.text.tokens import tokenise

__all__ = ["KINDS", "MODEL", "features", "judged", "likeliest", "personal", "register", "text_kind"]

KINDS = ("review", "news", "question", "message")
"""The kinds of texts."""

MODEL = Path(__file__).parents[1] / "text_kinds"
"""The folder of the shipped weights and their card."""

_SURE, _SURE_IF_LOW = 4.0, 2.0
"""The smallest difference of log likelihood (natural) between the likeliest kind and the second. It is smaller for
texts without capitals, which give less evidence."""
_NAME = re.compile(r"(?<=[\w,] )[A-Z][a-z]+")
_NAMES = 0.12
"""The fraction of capitalised words inside sentences above which a text has many names."""
_QUOTED = re.compile(r'["“][^"“”]*["”]')
_SIGNATURE = 6
"""The largest number of words and marks of a signature: "Thanks, Tom"."""
_STOPS = (*".!?…)", "''", '"')
_REPORT = 20
"""The smallest number of words and marks of a report that is recognised by its words alone."""
_SENTENCE = 4
"""The smallest number of words and marks of a sentence."""
_WORD = re.compile(r"[a-z]+(?:'[a-z]+)?|[?@!]")


def features(text: str) -> frozenset[str]:
    """List the features of a text: its words in small letters, some marks, and ``capitals`` if it has many names."""
    words = _WORD.findall(text.lower().replace("’", "'"))
    names = len(_NAME.findall(text))
    return frozenset([*words, *(["capitals"] if names > _NAMES * len(words) else [])])


@lru_cache(maxsize=4096)
def text_kind(text: str) -> str:
    """Recognise the kind of a text by naive Bayes over its words.

    Returns:
        ``review``, ``news``, ``question`` or ``message``; ``""`` if no kind is clearly the likeliest, or if a text
        looks like a review and has a headline.
    """
    found, sums = features(text), _sums(text)
    if sums[0][1] == "review" and (in_headline(tokenise(text)) or judged().keys().isdisjoint(found)):
        said = re.split(r"[\s'’]+", text)
        if "?" in text or not text.islower() or not closed_class("of one's own").isdisjoint(said):
            return ""
    sure = _SURE_IF_LOW if text.islower() else _SURE
    return sums[0][1] if sums[0][0] - sums[1][0] >= sure else ""


def likeliest(text: str) -> str:
    """Return the kind that a text most likely has, however unlikely."""
    return _sums(text)[0][1]


def _sums(text: str) -> list[tuple[float, str]]:
    """Order the kinds by the sums of their weights over a text, the likeliest first."""
    weights = _weights()
    known = [weights[word] for word in features(text) if word in weights]
    return sorted(((math.fsum(row[place] for row in known), kind) for place, kind in enumerate(KINDS)), reverse=True)


@lru_cache(maxsize=4096)
def register(text: str) -> str:
    """Recognise which kind of sentence may be added after a text.

    A review must name a film, a restaurant or another thing that is judged as a whole, not only parts of it. A text
    whose kind is not clear is a question if it ends in a question mark. If news is the likeliest kind, a long text is
    news. If another kind is the likeliest, a text with a word such as "I", "my" or "please" is a message. Words in
    quotation marks do not count.

    Returns:
        The kind of sentence: ``review``, ``news``, ``question`` or ``message``; ``closed`` for a message with a
        signature at its end; ``any`` after another sentence; ``""`` for a heading, a list or an address, after which no
        sentence fits.
    """
    kind, tokens = text_kind(text), tokenise(_QUOTED.sub(" ", text.replace("quot;", '"')))
    parts = {what for token in tokens if (what := judged().get(token.small))}
    if kind == "news" or (kind == "review" and parts != {"part"}):
        return kind
    if text.rstrip().endswith("?"):
        return "question"
    news = likeliest(text) == "news"
    if personal(text) and not news:
        last = tokens[-_SIGNATURE:]
        named = len(tokens) > _SIGNATURE and any(token.starts for token in last[-2:])
        begun = any(token.small in closed_class("begins a signature") for token in last)
        signed = last[-1].kind == "word" and (named or begun)
        return "closed" if signed else "message"
    if len(tokens) >= _REPORT and news:
        return "news"
    return "any" if len(tokens) >= _SENTENCE and tokens[-1].text in _STOPS else ""


@lru_cache(maxsize=4096)
def personal(text: str) -> bool:
    """Check whether a text speaks of its writer ("I", "my", "please"), outside quotation marks."""
    tokens = tokenise(_QUOTED.sub(" ", text.replace("quot;", '"')))
    return any(token.small in closed_class("of the writer") for token in tokens)


@lru_cache(maxsize=1)
def judged() -> Mapping[str, str]:
    """Map nouns for things that reviews judge to their kind: ``show``, ``other`` thing, or ``part`` of a thing."""
    rows = read_table(LEXICONS / "judged.tsv", ("noun", "kind: show|other|part"))
    return {word: kind for noun, kind in rows for word in (noun, inflect(noun, "NNS") or noun)}


@lru_cache(maxsize=1)
def _weights() -> Mapping[str, tuple[float, ...]]:
    """Read the shipped weights: for each word the logarithm of its probability in each kind, less their mean."""
    columns = ("word", *KINDS)
    return {word: tuple(map(float, row)) for word, *row in read_table(MODEL / "weights.tsv", columns)}
