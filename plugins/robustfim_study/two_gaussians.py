"""Two Gaussians in the plane, and the classifier that knows them: a model whose λmax can be seen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from robustfim.errors import ModelError
from robustfim.example import Example
from robustfim.roles import Embedded
from robustfim_study.association import Array

__all__ = ["COVARIANCES", "MEANS", "TwoGaussians", "draw_points"]

MEANS = ((-2.0, -2.0), (3.5, 3.5))
COVARIANCES = (((1.0, 0.0), (0.0, 1.0)), ((2.0, 1.0), (1.0, 2.0)))
"""Of the two classes, as in the synthetic example of Datta et al. (2020)."""


def draw_points(points: int, seed: int) -> tuple[list[Example], Array]:
    """Draw points of both classes.

    Args:
        points: Points a class, ≥ 1.
        seed: The seed.

    Returns:
        Examples whose text is the two coordinates and whose label is the class, ``first`` before ``second``; and the
        coordinates ``[2 · points, 2]`` as the texts have them.
    """
    random = np.random.default_rng(seed)
    drawn = np.concatenate(
        [random.multivariate_normal(m, c, points) for m, c in zip(MEANS, COVARIANCES, strict=True)]
    ).round(6)
    labels = ["first"] * points + ["second"] * points
    examples = [Example({"point": f"{x:.6f} {y:.6f}"}, label) for (x, y), label in zip(drawn, labels, strict=True)]
    return examples, drawn


class TwoGaussians:
    """The Bayes classifier of the two classes: its logits are their log densities, log N(x; μ_c, Σ_c).

    Fits :class:`robustfim.roles.DifferentiableModel`. A point is one token of two dimensions, so that λmax and its
    eigenvector, computed as for any text, can be drawn. Nothing is trained: Δz(x) is a quadratic form.
    """

    labels = ("first", "second")
    fingerprint = "two gaussians"

    def __init__(self) -> None:
        try:
            import torch
        except ModuleNotFoundError as error:
            raise ModelError("'study gaussians' needs PyTorch: pip install 'robustfim[torch]'") from error
        self._torch: Any = torch

    def embed(self, examples: Sequence[Example]) -> Embedded:
        """Read the coordinates, ``[batch, 1, 2]``, in double precision."""
        torch = self._torch
        points = torch.tensor([[[float(part) for part in each.text.split()]] for each in examples], dtype=torch.float64)
        mask = torch.ones(points.shape[:2], dtype=torch.bool)
        spans = [[("point", 0, len(each.text))] for each in examples]
        return Embedded(points, mask, torch.zeros_like(mask), spans)

    def logits(self, embeddings: Any, embedded: Embedded) -> Any:
        """Return log N(x; μ_c, Σ_c) up to a constant of both, ``[batch, classes]``."""
        torch = self._torch
        columns = []
        for mean, covariance in zip(MEANS, COVARIANCES, strict=True):
            sigma = torch.tensor(covariance, dtype=embeddings.dtype)
            away = embeddings[:, 0] - torch.tensor(mean, dtype=embeddings.dtype)
            squares = (away @ torch.linalg.inv(sigma) * away).sum(1)
            columns.append(-(squares + torch.logdet(sigma)) / 2)
        return torch.stack(columns, dim=1)

    def predict(self, examples: Sequence[Example]) -> Any:
        """Return the classes' posterior probabilities, ``[batch, classes]``, each class being as likely before."""
        embedded = self.embed(examples)
        with self._torch.no_grad():
            return self.logits(embedded.embeddings, embedded).softmax(1).numpy()
