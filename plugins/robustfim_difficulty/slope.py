"""The slope of the margin at a text."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from typing import Literal

from robustfim.contract import ScoreContract
from robustfim.example import Example
from robustfim.roles import Context

__all__ = ["MarginGradient"]


class MarginGradient:
    """How steep the margin is: ‖∇(z₀ − z₁)‖, of the two largest logits, with respect to the input embedding.

    In logits by unit of the embedding; ≥ 0. With two classes λmax is p(1 − p) times its square. NaN where the model
    gave no finite logits.

    Args:
        tokens: ``text`` leaves special tokens such as [CLS] out of the input, ``all`` takes them in.
    """

    contract = ScoreContract(hardest="highest", gradients=1)

    def __init__(self, tokens: Literal["text", "all"] = "text") -> None:
        self.tokens = tokens

    def score(self, examples: Sequence[Example], context: Context) -> Sequence[float]:
        """Score examples."""
        points = context.geometry.at(examples, tokens=self.tokens)
        return [sqrt(float((point.margin_gradient**2).sum())) for point in points]
