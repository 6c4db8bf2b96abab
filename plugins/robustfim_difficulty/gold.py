"""Scores that compare the model's probabilities with the gold label; NaN of an example without one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from math import fsum, inf, log2, nan, sqrt

from robustfim.contract import ScoreContract
from robustfim.errors import DataError, UsageError, did_you_mean, shown
from robustfim.example import Example
from robustfim.prediction import Prediction
from robustfim.roles import Context

__all__ = ["ErrorNorm", "PointwiseInformation"]


class ErrorNorm:
    """EL2N: the norm of the error, ‖p − onehot(gold)‖₂, in [0, √2] (Paul et al. 2021).

    The paper averages it over several models early in their training; this is that of the model under test, as it is.
    Costs nothing beside the predictions. Needs gold labels.
    """

    contract = ScoreContract(hardest="highest")

    def score(self, examples: Sequence[Example], context: Context) -> Sequence[float]:
        """Score examples.

        Returns:
            The norm of each; NaN without a gold label or an answer.
        """
        return [self._norm(*each) for each in zip(examples, context.predict(examples), strict=True)]

    def _norm(self, example: Example, prediction: Prediction | None) -> float:
        if prediction is None or (gold := _place(example, prediction)) is None:
            return nan
        return sqrt(fsum((p - (row == gold)) ** 2 for row, p in enumerate(prediction.probabilities)))


class PointwiseInformation:
    """Pointwise V-information: log₂ P(gold | text) − log₂ P(gold), in bits (Ethayarajh et al. 2022).

    How much the text tells this model of the label. The paper fine-tunes a second model on empty texts for P(gold);
    what such a model can learn is how often each label occurs, and that is taken: of the data, or ``prior``. Costs
    nothing beside the predictions. Needs gold labels. −inf where the model gives the gold label no probability.

    Args:
        prior: The probability of each label without a text, such as its share in the training data; null for the
            shares in the data of the run.

    Raises:
        UsageError: ``prior`` has a probability that is none.
    """

    contract = ScoreContract(hardest="lowest")

    def __init__(self, prior: dict[str, float] | None = None) -> None:
        if prior is not None and not all(0 < each <= 1 for each in prior.values()):
            raise UsageError(f"'prior' holds probabilities above 0 and up to 1, not {prior}.")
        self._prior = prior

    def score(self, examples: Sequence[Example], context: Context) -> Sequence[float]:
        """Score examples.

        Returns:
            The bits of each; NaN without a gold label or an answer.
        """
        prior: Mapping[str, float] = self._prior or _shares(context.examples)
        return [self._bits(*each, prior) for each in zip(examples, context.predict(examples), strict=True)]

    def _bits(self, example: Example, prediction: Prediction | None, prior: Mapping[str, float]) -> float:
        if prediction is None or (gold := _place(example, prediction)) is None:
            return nan
        label = prediction.labels[gold]
        if label not in prior:
            raise DataError(
                f"'prior' has no label {shown(label)}.{did_you_mean(label, prior)} It has: {', '.join(prior)}."
            )
        known = prediction.probabilities[gold]
        return log2(known) - log2(prior[label]) if known > 0 else -inf


def _shares(examples: Sequence[Example]) -> dict[str, float]:
    counts = Counter(each.label for each in examples if each.label is not None)
    return {label: number / counts.total() for label, number in counts.items()}


def _place(example: Example, prediction: Prediction) -> int | None:
    """The place of the gold label; None without one, or where the model answers in its own words."""
    if example.label is None or prediction.answer is not None:
        return None
    if example.label not in prediction.labels:
        near = did_you_mean(example.label, prediction.labels)
        raise DataError(f"the model has no label {example.label!r}, which an example has.{near}")
    return prediction.labels.index(example.label)
