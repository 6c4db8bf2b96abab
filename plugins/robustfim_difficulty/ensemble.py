"""The disagreement of several models."""

from __future__ import annotations

from collections.abc import Sequence
from math import nan
from typing import Any, Literal

import numpy as np

from robustfim.contract import ScoreContract
from robustfim.errors import DataError, UsageError
from robustfim.example import Example
from robustfim.parts import ModelPart
from robustfim.roles import Context, Model

__all__ = ["Ensemble"]

_BATCH = 64


class Ensemble:
    """The disagreement of the model under test with others: how much the choice of a model tells of the label.

    The mutual information of label and model, H(mean of p) − mean of H(p), in nats (Houlsby et al. 2011; of ensembles
    Lakshminarayanan et al. 2017); or the variance of P(label), summed over the labels, over the models. Costs one
    prediction of each example by each of the others, which are asked directly: the account of the run and its store
    do not know of them. Needs no gold labels.

    Args:
        others: Models with the same labels, by name or with their options: [reference/lstm, {use: python, …}].
        measure: ``information`` or ``variance``.
    """

    contract = ScoreContract(hardest="highest")

    def __init__(self, others: Sequence[Model], measure: Literal["information", "variance"] = "information") -> None:
        if not others:
            raise UsageError("'others' lists no model; the disagreement of one model with itself is 0.")
        self._others, self._measure = others, measure

    def score(self, examples: Sequence[Example], context: Context) -> Sequence[float]:
        """Score examples.

        Returns:
            The disagreement about each, ≥ 0; NaN where a model has no finite answer.
        """
        own = context.predict(examples)
        labels = next((each.labels for each in own if each is not None), ())
        rows = [[nan] * len(labels) if each is None else each.probabilities for each in own]
        tables = [np.array(rows, dtype=np.float64)]
        for model in self._others:
            theirs = ModelPart(model).labels
            if set(theirs) != set(labels):
                raise DataError(f"a model of 'others' has the labels {', '.join(theirs)}, not {', '.join(labels)}.")
            size = ModelPart(model).contract.batch_size or _BATCH
            found = [model.predict(examples[start : start + size]) for start in range(0, len(examples), size)]
            context.count_steps(len(examples))  # answers of another model, which no queue has seen
            table = np.concatenate([np.asarray(each, dtype=np.float64) for each in found])
            tables.append(table[:, [theirs.index(label) for label in labels]])
        stacked = np.stack(tables)  # [models, examples, classes]
        if self._measure == "variance":
            scores: Any = stacked.var(axis=0).sum(axis=1)
        else:
            scores = _entropy(stacked.mean(axis=0)) - _entropy(stacked).mean(axis=0)
            scores = np.maximum(scores, 0)  # rounding
        return [float(each) for each in scores]


def _entropy(probabilities: Any) -> Any:
    """Entropy over the last axis, in nats; 0 log 0 is 0."""
    safe = np.where(probabilities > 0, probabilities, 1)
    return -(probabilities * np.log(safe)).sum(axis=-1)
