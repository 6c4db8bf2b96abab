"""Scores that compare the model's probabilities with the gold label; NaN for an example without gold label."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from math import fsum, inf, log2, nan, sqrt
from typing import Annotated

from pydantic import Field

from robustfim.contract import ScoreContract
from robustfim.errors import DataError, did_you_mean, shown, suggestions
from robustfim.example import Example
from robustfim.prediction import Prediction
from robustfim.roles import Context

__all__ = ["ErrorNorm", "PointwiseInformation"]


class ErrorNorm:
    """EL2N: the norm of the error, ‖p − onehot(gold)‖₂, in [0, √2] (Paul et al. 2021).

    The paper averages the norm over several models early in training; here the model under test is used. The score
    needs gold labels, and no computation beside the predictions.
    """

    contract = ScoreContract(hardest="highest")

    def score(self, examples: Sequence[Example], context: Context) -> Sequence[float]:
        """Return for each example the norm of the prediction's error.

        Returns:
            The norm for each example; NaN without a gold label or a prediction.
        """
        return [self._norm(*pair) for pair in zip(examples, context.predict(examples), strict=True)]

    def _norm(self, example: Example, prediction: Prediction | None) -> float:
        if prediction is None or (gold := _place(example, prediction)) is None:
            return nan
        return sqrt(fsum((p - (row == gold)) ** 2 for row, p in enumerate(prediction.probabilities)))


class PointwiseInformation:
    """Pointwise V-information: log₂ P(gold | text) − log₂ P(gold), in bits (Ethayarajh et al. 2022).

    The score measures how much information about the label the model gets from the text. The paper computes P(gold)
    with a second model, fine-tuned on empty texts. Such a model can learn only the frequencies of the labels, so
    P(gold) is the frequency in the data, or ``prior``. The score needs gold labels, and no computation beside the
    predictions. −inf if the model gives the gold label probability 0.

    Args:
        prior: The probability of each label without a text, such as its frequency in the training data; null for the
            frequencies in the data of the run.
    """

    contract = ScoreContract(hardest="lowest")

    def __init__(self, prior: dict[str, Annotated[float, Field(gt=0, le=1)]] | None = None) -> None:
        self._prior = prior

    def score(self, examples: Sequence[Example], context: Context) -> Sequence[float]:
        """Return for each example the information about the gold label, in bits.

        Returns:
            The bits for each example; NaN without a gold label or a prediction.
        """
        prior: Mapping[str, float] = self._prior or _shares(context.examples)
        return [self._bits(*pair, prior) for pair in zip(examples, context.predict(examples), strict=True)]

    def _bits(self, example: Example, prediction: Prediction | None, prior: Mapping[str, float]) -> float:
        if prediction is None or (gold := _place(example, prediction)) is None:
            return nan
        label = prediction.labels[gold]
        if label not in prior:
            raise DataError(f"'prior' has no label {shown(label)}.{suggestions(label, prior)}")
        known = prediction.probabilities[gold]
        return log2(known) - log2(prior[label]) if known > 0 else -inf


def _shares(examples: Sequence[Example]) -> dict[str, float]:
    counts = Counter(example.label for example in examples if example.label is not None)
    return {label: number / counts.total() for label, number in counts.items()}


def _place(example: Example, prediction: Prediction) -> int | None:
    """The place of the gold label; None without one, or where the model answers in its own words."""
    if example.label is None or prediction.answer is not None:
        return None
    if example.label not in prediction.labels:
        near = did_you_mean(example.label, prediction.labels)
        raise DataError(f"the model has no label {example.label!r}, which an example has.{near}")
    return prediction.labels.index(example.label)
