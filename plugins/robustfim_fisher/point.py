"""A point: the local geometry of a model at one example."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from robustfim_fisher.differences import Array

__all__ = ["FisherPoint", "Vectors"]


@dataclass(frozen=True, eq=False)
class Vectors:
    """The margin's gradient and the top eigenvector of the Fisher information at one example, on the CPU.

    Attributes:
        margin_gradient: The gradient of the margin, ``[tokens, dims]``, without padding; zero at special tokens that
            are left out.
        across: The eigenvector, ``[tokens, dims]``; None if it points opposite to the gradient, as with two classes.
    """

    margin_gradient: Array
    across: Array | None

    @property
    def eigenvector(self) -> Array:
        """Return the unit eigenvector, ``[tokens, dims]``; zeros if λmax is 0."""
        if self.across is not None:
            return self.across
        from robustfim_fisher.information import opposite

        return opposite(self.margin_gradient[None])[0]


@dataclass(frozen=True, eq=False)
class FisherPoint:
    """The Fisher information, margin and gradient of a model at one example; a :class:`robustfim.roles.Point`.

    The eigenvector and gradient are large, so the geometry keeps them in bounded memory, and computes them again after
    they were dropped.

    Attributes:
        lambda_max: The largest eigenvalue of the Fisher information, ≥ 0; NaN where a logit is not finite.
        distance: The first-order distance to the nearest decision boundary, ≥ 0 or inf; NaN as for ``lambda_max``.
        margin: The difference of the two largest logits, ≥ 0; NaN as for ``lambda_max``.
        recall: A function that returns the eigenvector and the gradient.
        residual: ‖G e − λmax e‖ / λmax, a bound on the relative error of λmax; 0 if λmax was computed exactly.
    """

    lambda_max: float
    distance: float
    margin: float
    recall: Callable[[], Vectors] = field(repr=False)
    residual: float = 0.0

    @property
    def eigenvector(self) -> Array:
        """Return the unit eigenvector of λmax, ``[tokens, dims]``, along which the predicted label loses probability.

        The vector is 0 if λmax is 0, and NaN if λmax is NaN.
        """
        return self.recall().eigenvector

    @property
    def margin_gradient(self) -> Array:
        """Return the gradient of ``margin``, ``[tokens, dims]``."""
        return self.recall().margin_gradient
