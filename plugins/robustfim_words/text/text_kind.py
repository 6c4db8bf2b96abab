"""The kind of a text: a review, a news report, a question, or a message to somebody."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

from robustfim_words.text.guard import in_headline
from robustfim_words.text.lexicon import read_table
from robustfim_words.text.options import one_of
from robustfim_words.text.tokens import tokenise

__all__ = ["KINDS", "MODEL", "features", "kind_of", "text_kind"]

KINDS = ("review", "news", "question", "message")
"""The kinds that are told apart."""

MODEL = Path(__file__).parents[1] / "text_kinds"
"""The folder of the shipped weights and their card."""

_CHOICES = ("auto", *KINDS)
_SURE, _SURE_IF_LOW = 4.0, 2.0
"""How far, in natural logarithms, the likeliest kind must lie before the second; less in texts without capitals, which
give less to go by."""
_PERSONAL = re.compile(r"\b(?:i|im|i['’]\w+|my|me|your)\b|[?]")
"""What a sentence without capitals that only judges something has not."""
_ASKS = re.compile(r"\s*(?:(?:and|or|but|so) )?(?:are|do|does|did|can|could|should|has|have|why|where|when|is) ")
"""How questions begin that are written without a mark."""
_NAME = re.compile(r"(?<=[\w,] )[A-Z][a-z]+")
_NAMES = 0.12
"""The share of capitalised words inside sentences above which a text has many names."""
_JUDGED = re.compile(
    r"\b(?:films?|movies?|cinema|watch\w*|scenes?|act(?:or|ress|ing)s?|cast|plots?|director|scripts?|screen\w*|sequels?|"
    r"comed\w+|dramas?|thrillers?|documentar\w+|episodes?|series|novels?|albums?|cartoons?|musicals?|sitcoms?|westerns?|"
    r"stor(?:y|ies|yline)|characters?|heroine|dialogues?|soundtrack|cinematography|"
    r"performances?|customer service|service (?:was|is)|food (?:was|is)|restaurants?|hotels?|staff|"
    r"recommend\w*|\d stars?|reviews?|best place|great place|nice place|awesome|fantastic)\b",
    re.IGNORECASE,
)
"""Words of what is reviewed, or that reviews have: without one, what judges is no review but an opinion of people."""
_WORD = re.compile(r"[a-z]+(?:'[a-z]+)?|[?@!]")


def features(text: str) -> frozenset[str]:
    """List what a kind is told by: the words in small letters, a few marks, and ``capitals`` for many names."""
    words = _WORD.findall(text.lower().replace("’", "'"))
    names = len(_NAME.findall(text))
    return frozenset([*words, *(["capitals"] if names > _NAMES * len(words) else [])])


@lru_cache(maxsize=4096)
def text_kind(text: str) -> str:
    """Tell the kind of a text, by naive Bayes over its words.

    Args:
        text: Any text.

    Returns:
        ``review``, ``news``, ``question`` or ``message``; ``""`` where no kind is clearly the likeliest, and for
        what reads like a review and has a headline.
    """
    weights = _weights()
    found = [weights[word] for word in features(text) if word in weights]
    if not found:
        return ""
    sums = sorted(((math.fsum(row[place] for row in found), kind) for place, kind in enumerate(KINDS)), reverse=True)
    if sums[0][1] == "review" and (in_headline(tokenise(text)) or not _JUDGED.search(text)):
        impersonal = text.islower() and not _PERSONAL.search(text) and not _ASKS.match(text)
        if not impersonal:
            return ""
    sure = _SURE_IF_LOW if text.islower() else _SURE
    return sums[0][1] if sums[0][0] - sums[1][0] >= sure else ""


def kind_of(text: str, chosen: str) -> str:
    """Return the kind that a suite has chosen, or the text's own.

    Args:
        text: The text.
        chosen: ``auto``, or a kind that holds for every text.

    Raises:
        UsageError: ``chosen`` is unknown.
    """
    return text_kind(text) if one_of("kind", chosen, _CHOICES) == "auto" else chosen


@lru_cache(maxsize=1)
def _weights() -> Mapping[str, tuple[float, ...]]:
    """Read the shipped weights: for each word the logarithm of its probability in each kind, less their mean."""
    columns = ("word", *KINDS)
    return {word: tuple(map(float, row)) for word, *row in read_table(MODEL / "weights.tsv", columns)}
