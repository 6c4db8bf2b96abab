"""Prediction depth: from which layer on the neighbours of an example agree with the model."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import nan
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from robustfim.contract import ScoreContract
from robustfim.errors import DataError, UsageError
from robustfim.example import Example
from robustfim.roles import Context, DataSource, DifferentiableModel
from robustfim_difficulty.traced import Call, differentiable, require_modules, traced

__all__ = ["PredictionDepth"]

_BATCH = 64

Array = NDArray[np.float64]


class PredictionDepth:
    """The number of the first layer from which on a probe of k nearest neighbours says what the model says.

    Baldock et al. 2021. Layer 0 is the mean input embedding; then come the blocks of a transformer, each by its mean
    over the tokens; last what the last linear layer reads. One more than the last where even there the neighbours'
    majority, with the nearer ones first in a tie, is another label. Neighbours are training texts with gold labels, an
    example never its own. Costs a forward pass an example and one a training text, counted as steps. Needs a
    differentiable model made of torch modules.

    Args:
        train: The training data, by its source and options: {use: jsonl, path: train.jsonl}; null for the data of the
            run.
        k: How many neighbours vote, at least 1; the paper takes 30.

    Raises:
        UsageError: ``k`` is below 1.
    """

    libraries: ClassVar = {"torch": "robustfim[torch]"}
    contract = ScoreContract(hardest="highest")

    def __init__(self, train: DataSource | None = None, k: int = 30) -> None:
        if k < 1:
            raise UsageError(f"{k=} is no number of neighbours; it is at least 1.")
        self._source, self._k = train, k
        self._known: tuple[list[Example], list[Array]] | None = None

    def score(self, examples: Sequence[Example], context: Context) -> Sequence[float]:
        """Score examples.

        Returns:
            The depth of each; NaN of one without a prediction.
        """
        model = differentiable(context, "prediction_depth")
        if self._known is None:
            source = context.examples if self._source is None else self._source.load()
            train = [each for each in source if each.label is not None]
            if not train:
                raise DataError("prediction_depth has no training text with a gold label to compare with.")
            self._known = train, _layers(model, train)
            context.count_steps(len(train))
        train, features = self._known
        own = _layers(model, examples)
        context.count_steps(len(examples))
        said = [None if each is None else each.label for each in context.predict(examples)]
        votes = [
            _votes(examples, mine, train, theirs, self._k) for mine, theirs in zip(own, features, strict=True)
        ]  # [layers][examples]
        return [
            nan if label is None else float(_depth([layer[row] for layer in votes], label))
            for row, label in enumerate(said)
        ]


def _depth(votes: Sequence[str | None], label: str) -> int:
    """The first layer from which on every vote is the label."""
    depth = len(votes)
    while depth and votes[depth - 1] == label:
        depth -= 1
    return depth


def _votes(
    examples: Sequence[Example], own: Array, train: Sequence[Example], features: Array, k: int
) -> list[str | None]:
    places: dict[str, list[int]] = {}
    for row, each in enumerate(train):
        places.setdefault(each.id, []).append(row)
    squares = (own**2).sum(1)[:, None] - 2 * own @ features.T + (features**2).sum(1)  # [examples, train]
    found: list[str | None] = []
    for example, distances in zip(examples, squares, strict=True):
        distances[places.get(example.id, [])] = np.inf
        order = [row for row in np.argsort(distances, kind="stable")[:k] if np.isfinite(distances[row])]
        # Counter keeps the order of its keys, and most_common that of equal counts: the nearer label first.
        counted = Counter(str(train[row].label) for row in order)
        found.append(counted.most_common(1)[0][0] if counted else None)
    return found


def _layers(model: DifferentiableModel, examples: Sequence[Example]) -> list[Array]:
    """The representation of each text in each layer, ``[layers][examples, dims]``."""
    import torch

    batches: list[list[Array]] = []
    for start in range(0, len(examples), _BATCH):
        with torch.no_grad():
            embedded = model.embed(examples[start : start + _BATCH])
            with traced() as calls:
                model.logits(embedded.embeddings, embedded)
        require_modules(calls, "prediction_depth")
        mask = (embedded.mask & ~embedded.special)[..., None]
        hidden = [embedded.embeddings, *_blocks(calls, tuple(embedded.embeddings.shape[:2]))]
        weights = mask.sum(1).clamp(min=1)
        found = [(each.masked_fill(~mask, 0).sum(1) / weights) for each in hidden]
        batches.append([each.double().cpu().numpy() for each in [*found, *_last(calls, len(embedded.mask))]])
    return [np.concatenate(layer) for layer in zip(*batches, strict=True)]


def _blocks(calls: Sequence[Call], shape: tuple[int, ...]) -> list[Any]:
    """The outputs of the longest list of modules that keep a vector for each token: a transformer's blocks."""
    import torch

    outputs = {id(module): output[0] if isinstance(output, tuple) else output for module, _, output in calls}
    lists = [each for module, _, _ in calls for each in module.modules() if isinstance(each, torch.nn.ModuleList)]
    chains = []
    for each in {id(one): one for one in lists}.values():
        found = [outputs.get(id(block)) for block in each]
        if all(isinstance(one, torch.Tensor) and one.dim() == 3 and tuple(one.shape[:2]) == shape for one in found):
            chains.append(found)
    return max(chains, key=len, default=[])


def _last(calls: Sequence[Call], batch: int) -> list[Any]:
    """What the last linear layer reads, where it reads one vector a text."""
    import torch

    read = [inputs[0] for module, inputs, _ in calls if isinstance(module, torch.nn.Linear) and inputs]
    return [read[-1]] if read and read[-1].dim() == 2 and len(read[-1]) == batch else []
