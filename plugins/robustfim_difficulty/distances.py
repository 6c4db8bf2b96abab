"""Distances to training texts, in the mean of the model's input embeddings over the tokens of a text."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from math import nan
from typing import Any

import numpy as np
from numpy.typing import NDArray

from robustfim.contract import ScoreContract
from robustfim.errors import DataError, ModelError, UsageError
from robustfim.example import Example
from robustfim.roles import Context, DataSource, DifferentiableModel

__all__ = ["ConflictingNeighbours", "Mahalanobis", "NeighbourDistance"]

_BATCH = 64

Array = NDArray[np.float64]


@dataclass(frozen=True)
class _Train:
    """What is kept of training texts: not the texts."""

    ids: list[str]
    labels: list[str | None]
    features: Array


class _Distance(ABC):
    """A score that compares an example with training texts.

    Args:
        train: The training data, by its source and options: {use: jsonl, path: train.jsonl}; null for the data of the
            run, in which an example is never compared with itself.
    """

    def __init__(self, train: DataSource | None = None) -> None:
        self._source = train
        self._known: _Train | None = None

    def score(self, examples: Sequence[Example], context: Context) -> Sequence[float]:
        """Score examples."""
        if not isinstance(context.model, DifferentiableModel):
            raise ModelError(
                f"{type(self).__name__} needs a model that embeds texts; {type(context.model).__name__} gives "
                "predictions only."
            )
        if self._known is None:
            texts = context.examples if self._source is None else list(self._source.load())
            if not texts:
                raise DataError("there are no training texts to compare with.")
            ids, labels = map(list, zip(*((each.id, each.label) for each in texts), strict=True))
            self._known = _Train(ids, labels, _features(context.model, texts))
        return self._scores(examples, _features(context.model, examples), self._known)

    @abstractmethod
    def _scores(self, examples: Sequence[Example], own: Array, train: _Train) -> Sequence[float]:
        """Compare features ``[examples, dims]`` with those of the training texts ``[train, dims]``."""


class Mahalanobis(_Distance):
    """The Mahalanobis distance to the nearest class of the training texts (Lee et al. 2018), in standard deviations.

    Classes have their means and share one covariance, of the mean input embedding; its pseudo-inverse is taken where
    it has none. The paper takes hidden layers, too. Costs one embedding of each text, no prediction. Needs a
    differentiable model, and gold labels of the training texts.
    """

    contract = ScoreContract(hardest="highest")

    def _scores(self, examples: Sequence[Example], own: Array, train: _Train) -> Sequence[float]:
        groups: dict[str, list[int]] = {}
        for row, label in enumerate(train.labels):
            if label is not None:
                groups.setdefault(label, []).append(row)
        if not groups:
            raise DataError("the training texts have no gold labels, by which 'mahalanobis' groups them.")
        means = np.stack([train.features[rows].mean(axis=0) for rows in groups.values()])
        away = np.concatenate([train.features[rows] - mean for rows, mean in zip(groups.values(), means, strict=True)])
        precision = np.linalg.pinv(away.T @ away / len(away), hermitian=True)
        from_means = own[:, None] - means  # [examples, classes, dims]
        squares = np.einsum("ecd,df,ecf->ec", from_means, precision, from_means)
        return [float(each) for each in np.sqrt(np.maximum(squares.min(axis=1), 0))]


class NeighbourDistance(_Distance):
    """The Euclidean distance to the k-th nearest training text, in units of the embedding (Sun et al. 2022).

    Of the mean input embedding, divided by its norm as in the paper. An example is never its own neighbour: texts that
    are equal count as itself. Costs one embedding of each text, no prediction. Needs a differentiable model.

    Args:
        k: Which neighbour, at least 1.
    """

    contract = ScoreContract(hardest="highest")

    def __init__(self, train: DataSource | None = None, k: int = 5) -> None:
        super().__init__(train)
        self._k = _count(k)

    def _scores(self, examples: Sequence[Example], own: Array, train: _Train) -> Sequence[float]:
        found = _nearest(examples, own, train, self._k)
        return [float(distances[-1]) if len(rows) == self._k else nan for rows, distances in found]


class ConflictingNeighbours(_Distance):
    """The share of an example's k nearest training texts that have another label, in [0, 1].

    What k-disagreeing neighbours measure (Smith et al. 2014), in the mean input embedding divided by its norm; equal
    texts count as the example itself. Costs one embedding of each text, no prediction. Needs a differentiable model
    and gold labels; NaN of an example without one.

    Args:
        k: How many neighbours, at least 1.
    """

    contract = ScoreContract(hardest="highest")

    def __init__(self, train: DataSource | None = None, k: int = 5) -> None:
        super().__init__(train)
        self._k = _count(k)

    def _scores(self, examples: Sequence[Example], own: Array, train: _Train) -> Sequence[float]:
        rows_of = [row for row, label in enumerate(train.labels) if label is not None]
        kept = _Train(
            [train.ids[row] for row in rows_of], [train.labels[row] for row in rows_of], train.features[rows_of]
        )
        found = _nearest(examples, own, kept, self._k)
        return [
            sum(kept.labels[row] != each.label for row in rows) / self._k
            if each.label is not None and len(rows) == self._k
            else nan
            for each, (rows, _) in zip(examples, found, strict=True)
        ]


def _count(k: int) -> int:
    if k < 1:
        raise UsageError(f"{k=} is no number of neighbours; it is at least 1.")
    return k


def _features(model: Any, examples: Sequence[Example]) -> Array:
    """The mean input embedding of each text over its tokens that are text, ``[examples, dims]``."""
    from array_api_compat import array_namespace, to_device

    means = []
    for start in range(0, len(examples), _BATCH):
        embedded = model.embed(examples[start : start + _BATCH])
        xp = array_namespace(embedded.embeddings)  # PyTorch's, or NumPy's own
        values = np.asarray(to_device(xp.astype(embedded.embeddings, xp.float64), "cpu"))
        counted = np.asarray(to_device(embedded.mask & ~embedded.special, "cpu"))[..., None]
        means.append((values * counted).sum(axis=1) / np.maximum(counted.sum(axis=1), 1))
    return np.concatenate(means)


def _nearest(examples: Sequence[Example], own: Array, train: _Train, k: int) -> list[tuple[list[int], Array]]:
    """The k nearest training texts of each example and their distances, nearest first; fewer where there are fewer."""
    unit, others = (
        each / np.maximum(np.linalg.norm(each, axis=1, keepdims=True), 1e-12) for each in (own, train.features)
    )
    places: dict[str, list[int]] = {}
    asked = {each.id for each in examples}
    for row, id in enumerate(train.ids):
        if id in asked:
            places.setdefault(id, []).append(row)
    found = []
    for each, feature in zip(examples, unit, strict=True):
        distances = np.linalg.norm(others - feature, axis=1)
        distances[places.get(each.id, [])] = np.inf
        order = np.argsort(distances, kind="stable")[:k]
        order = order[np.isfinite(distances[order])]
        found.append((order.tolist(), distances[order]))
    return found
