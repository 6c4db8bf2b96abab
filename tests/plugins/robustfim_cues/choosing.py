"""A model of choices whose gradients are known in closed form, as a plugin."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any

from robustfim import Example, hookimpl
from robustfim.roles import Embedded
from robustfim_cues.choices.tokens import placed_words

DIRECTION = (3.0, 4.0)
"""u, of norm 5."""


class Choosing:
    """z(alternative) = Σ_t a(w_t) u·x_t: at a word w the gradient is a(w) u, whatever the rest.

    Args:
        weights: a, by word; 1 where none is given.
        scale: What all of them are multiplied by.
    """

    labels = ("1", "2")

    def __init__(self, weights: dict[str, float] | None = None, scale: float = 1.0) -> None:
        self._weights, self._scale = weights or {}, scale
        self.fingerprint = repr((weights, scale))

    def predict(self, examples: Sequence[Example]) -> Any:
        import torch

        embedded = self.embed(examples)
        with torch.no_grad():
            return self.logits(embedded.embeddings, embedded).softmax(-1).numpy()

    def embed(self, examples: Sequence[Example]) -> Embedded:
        import torch

        placed = [
            [
                (side, word, (field, start, end))
                for side, field in enumerate(("choice1", "choice2"))
                for word, start, end in placed_words(example.fields[field])
            ]
            for example in examples
        ]
        longest = max(map(len, placed))
        embeddings = torch.zeros(len(placed), longest, 2, dtype=torch.float64)
        slopes = torch.zeros(len(placed), longest, 2, dtype=torch.float64)  # a(w), for the side that holds the word
        mask = torch.zeros(len(placed), longest, dtype=torch.bool)
        for row, words in enumerate(placed):
            for place, (side, word, _) in enumerate(words):
                digest = hashlib.sha256(word.encode()).digest()
                embeddings[row, place] = torch.tensor([digest[0] / 255, digest[1] / 255])
                slopes[row, place, side] = self._scale * self._weights.get(word, 1.0)
                mask[row, place] = True
        spans = [[span for *_, span in words] + [None] * (longest - len(words)) for words in placed]
        return Embedded(embeddings, mask, ~mask, spans, {"slopes": slopes})

    def logits(self, embeddings: Any, embedded: Embedded) -> Any:
        import torch

        along = embeddings @ torch.tensor(DIRECTION, dtype=torch.float64)  # [batch, tokens]
        return (along.unsqueeze(-1) * embedded.inputs["slopes"]).sum(dim=1)


@hookimpl
def robustfim_offers() -> dict[str, dict[str, type]]:
    return {"models": {"choosing": Choosing}}
