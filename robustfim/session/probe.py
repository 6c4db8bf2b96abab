"""A probe of a model that does not tell what it reads: whether the second half of a long text moves anything."""

from __future__ import annotations

import heapq
import re
from collections.abc import Sequence

from robustfim.example import Example
from robustfim.session.stages import Predicted

__all__ = ["MOST", "longest", "probe"]

MOST = 5
"""Texts that are asked about without their second half."""
_LONG = 100
"""Words of a text that is long."""


def longest(so_far: Sequence[Example], examples: Sequence[Example]) -> list[Example]:
    """Keep the longest texts.

    Returns:
        At most 5, the longest first, that have 100 words at least in one field.
    """
    return heapq.nlargest(MOST, [*so_far, *(each for each in examples if _words(each) >= _LONG)], key=_words)


def probe(predicted: Predicted) -> list[bool]:
    """Ask about the longest texts without their second half.

    Returns:
        For each that can tell whether a probability moved; answers of 0 and 1 alone cannot.
    """
    before = {each: predicted.predictions[each.id] for each in predicted.longest}
    graded = {each: was for each, was in before.items() if any(0 < p < 1 for p in was.probabilities)}
    after = predicted.context.predict([_first_half(each) for each in graded])
    return [now is None or not now.near(was) for was, now in zip(graded.values(), after, strict=True)]


def _words(example: Example) -> int:
    return max(len(text.split()) for text in example.fields.values())


def _first_half(example: Example) -> Example:
    """The example without the second half of the words of its longest field."""
    name = max(example.fields, key=lambda each: len(example.fields[each].split()))
    text = example.fields[name]
    words = list(re.finditer(r"\S+", text))
    return Example({**example.fields, name: text[: words[(len(words) - 1) // 2].end()]})
