"""Test whether a model reads long texts whole, if the model does not report it, by cutting their second half."""

from __future__ import annotations

import heapq
import re
from collections.abc import Sequence

from robustfim.example import Example
from robustfim.session.stages import Predicted

__all__ = ["MOST", "longest", "probe"]

MOST = 5
"""The most texts that are asked about without their second half."""
_LONG = 100
"""The fewest words of a long text."""


def longest(so_far: Sequence[Example], examples: Sequence[Example]) -> list[Example]:
    """Return the longest examples of two lists, to find out whether the model truncates texts.

    Args:
        so_far: The longest examples so far.
        examples: Further examples.

    Returns:
        At most 5 examples, the longest first, each with at least 100 words in one field.
    """
    return heapq.nlargest(MOST, [*so_far, *(example for example in examples if _words(example) >= _LONG)], key=_words)


def probe(predicted: Predicted) -> list[bool]:
    """Find out whether the model reads long texts to the end, by asking about them without their second half.

    Returns:
        For each text, whether any probability changed; texts with probabilities of 0 and 1 only are skipped.
    """
    before = {example: predicted.predictions[example.id] for example in predicted.longest}
    graded = {example: was for example, was in before.items() if any(0 < p < 1 for p in was.probabilities)}
    after = predicted.context.predict([_first_half(example) for example in graded])
    return [now is None or not now.near(was) for was, now in zip(graded.values(), after, strict=True)]


def _words(example: Example) -> int:
    return max(len(text.split()) for text in example.fields.values())


def _first_half(example: Example) -> Example:
    """The example without the second half of the words of its longest field."""
    name = max(example.fields, key=lambda field: len(example.fields[field].split()))
    text = example.fields[name]
    words = list(re.finditer(r"\S+", text))
    return Example({**example.fields, name: text[: words[(len(words) - 1) // 2].end()]})
