"""Components: the directions in which the two alternatives differ most, as a model embeds them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from robustfim.errors import DataError
from robustfim.example import Example
from robustfim.roles import DifferentiableModel
from robustfim_cues.choices.choice import ALTERNATIVES

__all__ = ["Components", "components", "differences"]

Matrix = npt.NDArray[np.float64]

_BATCH = 32


@dataclass(frozen=True)
class Components:
    """Two principal components of the differences between alternatives.

    Attributes:
        places: Where each example stands, ``[examples, 2]``.
        explained: The share of the variance of each component, in [0, 1].
    """

    places: Matrix
    explained: tuple[float, float]


def differences(model: DifferentiableModel, examples: Sequence[Example]) -> Matrix:
    """Embed both alternatives, and take one from the other.

    An alternative is the mean of the input embeddings of its tokens, as the model looks them up: what can be told of
    it without reading, the order of its words and the premise left aside.

    Returns:
        The first alternative less the second, ``[examples, dims]``.

    Raises:
        DataError: The model reads nothing of an alternative.
    """
    rows: list[Matrix] = []
    for start in range(0, len(examples), _BATCH):
        batch = examples[start : start + _BATCH]
        embedded = model.embed(batch)
        table = embedded.embeddings.detach().cpu().double().numpy()
        for row, example in enumerate(batch):
            means = []
            for field in ALTERNATIVES:
                own = [place for place, span in enumerate(embedded.spans[row]) if span is not None and span[0] == field]
                if not own:
                    raise DataError(f"the model reads nothing of {field!r} of example {example.id}.")
                means.append(table[row, own].mean(axis=0))
            rows.append(means[0] - means[1])
    return np.stack(rows)


def components(points: Matrix, fitted: Sequence[bool] | None = None) -> Components:
    """Find the two principal components.

    Args:
        points: ``[examples, dims]``, two dimensions at least.
        fitted: Which examples decide on the components, three at least; by default all.

    Returns:
        The places of all examples. The largest weight of a component is positive.

    Raises:
        DataError: There are too few examples or dimensions.
    """
    chosen = points if fitted is None else points[np.asarray(fitted)]
    if len(chosen) < 3 or points.shape[1] < 2:
        raise DataError(f"{len(chosen)} examples in {points.shape[1]} dimensions have no two principal components.")
    middle = chosen.mean(axis=0)
    _, scales, axes = np.linalg.svd(chosen - middle, full_matrices=False)
    axes = axes[:2] * np.sign(axes[:2][np.arange(2), np.abs(axes[:2]).argmax(axis=1)])[:, None]
    variance = scales**2
    shares = variance[:2] / variance.sum() if variance.sum() else np.zeros(2)
    return Components((points - middle) @ axes.T, (float(shares[0]), float(shares[1])))
