"""A model whose embedding and logits can be written down, and a run over some examples."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from robustfim.example import Example
from robustfim.roles import Embedded
from tests.robustfim.toys import Bench

WEIGHTS = np.array([[0.3, -0.8, 0.5], [-0.2, 0.4, 0.1]])
"""Logits of two classes, by three dimensions."""


def vector(word: str) -> list[float]:
    """A word as three numbers."""
    return [len(word) / 5, word.count("a") + 0.1, word.count("e") - 0.2]


class Letters:
    """Embeds each word as three numbers; the logits are linear in the sum over the words."""

    labels = ("negative", "positive")
    fingerprint = "letters-1"

    def embed(self, examples: Sequence[Example]) -> Embedded:
        import torch

        rows = [[vector(word) for word in each.text.split()] for each in examples]
        most = max(map(len, rows))
        mask = torch.tensor([[place < len(row) for place in range(most)] for row in rows])
        values = torch.tensor([row + [[9.0] * 3] * (most - len(row)) for row in rows], dtype=torch.float64)
        return Embedded(values, mask, torch.zeros_like(mask), [[None] * most for _ in rows])

    def logits(self, embeddings: Any, embedded: Embedded) -> Any:
        kept = embeddings * embedded.mask[..., None]
        return kept.sum(1) @ kept.new_tensor(WEIGHTS).T

    def predict(self, examples: Sequence[Example]) -> list[list[float]]:
        return [softmax(WEIGHTS @ np.array([vector(w) for w in each.text.split()]).sum(0)) for each in examples]


def softmax(logits: Any) -> list[float]:
    powers = np.exp(np.asarray(logits) - np.max(logits))
    return list((powers / powers.sum()).tolist())


def feature(text: str) -> Any:
    """The mean of the words."""
    return np.array([vector(word) for word in text.split()]).mean(0)


def example(text: str, label: str | None = None, **meta: Any) -> Example:
    return Example({"text": text}, label, meta)


def bench(examples: Sequence[Example], model: Any = None, seed: int = 0) -> Bench:
    return Bench(examples, model or Letters(), seed)


TEXTS = [
    ("a great safe film", "positive"),
    ("the end never came here", "negative"),
    ("an easy grace", "positive"),
    ("bad and sad", "negative"),
    ("we sat there", "negative"),
    ("pleased and amazed at last", "positive"),
    ("eerie sleep", "negative"),
    ("all that jazz", "positive"),
]
EXAMPLES = [example(text, label) for text, label in TEXTS]
