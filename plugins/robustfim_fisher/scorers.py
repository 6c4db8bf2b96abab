"""Difficulty scores: how close an example is to a change of its label.

``fisher`` and ``boundary`` need a differentiable model; ``margin`` and ``entropy`` work with any model.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import log, nan
from typing import ClassVar, Literal

from robustfim.contract import ScoreContract
from robustfim.example import Example
from robustfim.prediction import Prediction
from robustfim.roles import Context

__all__ = ["Boundary", "Entropy", "Fisher", "Margin"]


class _AtEachPoint:
    """One number of the geometry at each example.

    Args:
        tokens: ``text`` leaves special tokens such as [CLS] out of the input, ``all`` takes them in.
    """

    number: ClassVar[str]
    """The point's attribute that is the score."""

    def __init__(self, tokens: Literal["text", "all"] = "text") -> None:
        self.tokens = tokens

    def score(self, examples: Sequence[Example], context: Context) -> Sequence[float]:
        """Return the score of each example."""
        return [getattr(point, self.number) for point in context.geometry.at(examples, tokens=self.tokens)]


class Fisher(_AtEachPoint):
    """The largest eigenvalue of the Fisher information in the input embedding (Datta et al. 2020).

    The score measures how fast a small step of the embedding can change the output distribution, in nats per squared
    embedding distance; ≥ 0. NaN if the model's logits are not finite.
    """

    contract = ScoreContract(hardest="highest", symbol="λmax", gradients=1, default=True)
    number = "lambda_max"


class Boundary(_AtEachPoint):
    """The first-order distance to the decision boundary, |Δz| / ‖∇Δz‖ (Moosavi-Dezfooli et al. 2016).

    The distance is in units of the embedding; ≥ 0, inf if the output does not depend on the input, NaN if the model's
    logits are not finite.
    """

    contract = ScoreContract(hardest="lowest", gradients=1)
    number = "distance"


class Margin:
    """The difference of the two largest probabilities, in [0, 1]; needs no gradients.

    If a decision rule with thresholds applies, the probabilities are first adjusted, so that the margin is 0 at the
    threshold.
    """

    contract = ScoreContract(hardest="lowest")

    def score(self, examples: Sequence[Example], context: Context) -> Sequence[float]:
        """Return the margin of each example."""
        return [_margin(prediction) for prediction in context.predict(examples)]


class Entropy:
    """The entropy of the predicted distribution, in nats, from 0 to log(classes); needs no gradients.

    For a model that answers in its own words, all answers except the likeliest count as one. NaN for a regression
    model.
    """

    contract = ScoreContract(hardest="highest")

    def score(self, examples: Sequence[Example], context: Context) -> Sequence[float]:
        """Return the entropy of each example."""
        return [_entropy(prediction) for prediction in context.predict(examples)]


def _margin(prediction: Prediction | None) -> float:
    if prediction is None or len(prediction.probabilities) < 2:
        return nan
    return prediction.lead


def _entropy(prediction: Prediction | None) -> float:
    if prediction is None or prediction.number is not None:
        return nan
    numbers = list(prediction.tilted)
    if prediction.answer is not None:
        numbers.append(1 - sum(numbers))
    return -sum(p * log(p) for p in numbers if p > 0) + 0.0
