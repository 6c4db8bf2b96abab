"""A plugin with a model of words, copied beside the suites of these tests."""

from __future__ import annotations

import re
from collections.abc import Sequence
from math import exp
from zlib import crc32

from robustfim import Example, hookimpl

WEIGHTS = {"great": 2.0, "good": 1.2, "fine": 0.5, "dull": -0.9, "bad": -1.5, "awful": -3.0}


class Words:
    """P(positive) is the logistic function of the sum of the words' weights.

    Args:
        labels: Its labels; of three, the middle one gets a fifth.
        any_word: Whether every word has a weight, drawn by a hash of it.
    """

    def __init__(self, labels: list[str] | None = None, any_word: bool = False) -> None:
        self.labels = tuple(labels or ("negative", "positive"))
        self.any_word = any_word
        self.fingerprint = f"words-{any_word}"

    def weight(self, word: str) -> float:
        """What a word adds to the logit."""
        if self.any_word:
            return (crc32(word.encode()) % 2001 - 1000) / 1000
        return WEIGHTS.get(word, 0.0)

    def predict(self, examples: Sequence[Example]) -> list[list[float]]:
        """Predict a batch."""
        rows = []
        for example in examples:
            positive = 1 / (1 + exp(-sum(map(self.weight, re.findall(r"\w+", example.text.lower())))))
            rows.append(
                [1 - positive, positive] if len(self.labels) == 2 else [0.8 * (1 - positive), 0.2, 0.8 * positive]
            )
        return rows


@hookimpl
def robustfim_offers() -> dict[str, dict[str, type]]:
    """Offer words."""
    return {"models": {"words": Words}}
