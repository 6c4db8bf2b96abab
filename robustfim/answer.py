"""An answer: what a model says in its own words, and when two answers are the same."""

from __future__ import annotations

import re
import string
from collections.abc import Mapping, Sequence
from typing import Any

__all__ = ["MOST_ANSWERS", "NO_ANSWER", "gold_answers", "normal_form"]

MOST_ANSWERS = 10
"""How many of a model's likeliest answers are kept of a prediction."""

NO_ANSWER = "(no answer)"
"""The answer of a model that finds none, and the gold answer of a question that has none."""

_WITHOUT_PUNCTUATION = str.maketrans("", "", string.punctuation)
_ARTICLE = re.compile(r"\b(?:a|an|the)\b")


def normal_form(answer: str) -> str:
    """Bring an answer into the form by which SQuAD's evaluation compares (Rajpurkar et al. 2016).

    Lower case, no punctuation, no English articles, single blanks. An answer of which that leaves nothing, such as
    the blood group ``A``, keeps its lower case alone.

    Args:
        answer: Any text; an empty one is :data:`NO_ANSWER`.

    Returns:
        The form; that of a form is itself.

    >>> normal_form("The Eiffel  Tower."), normal_form("A"), normal_form(" ")
    ('eiffel tower', 'a', '(no answer)')
    """
    text = " ".join(answer.lower().split())
    if text in ("", NO_ANSWER):
        return NO_ANSWER
    return " ".join(_ARTICLE.sub(" ", text.translate(_WITHOUT_PUNCTUATION)).split()) or text


def gold_answers(value: Any) -> list[str] | None:
    """Read the gold answers of a row where a column holds several.

    Args:
        value: A list of texts, or a mapping with such a list under ``text``, as SQuAD's datasets have it.

    Returns:
        The answers without repeats, :data:`NO_ANSWER` alone for an empty list; None where the value is something else.
    """
    if isinstance(value, Mapping):
        value = value.get("text")
    if not isinstance(value, Sequence) or isinstance(value, str | bytes):
        return None
    if not all(isinstance(each, str) for each in value):
        return None
    return list(dict.fromkeys(value)) or [NO_ANSWER]
