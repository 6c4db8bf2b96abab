"""Difficulty as a distance: the length of the smallest step in embedding space that changes the label."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, ClassVar, Literal

from pydantic import Field

from robustfim.contract import ScoreContract
from robustfim.example import Example
from robustfim.roles import Context

if TYPE_CHECKING:
    from robustfim_fisher.steps import Direction

__all__ = ["BOUND", "TOLERANCE", "Bound", "BoundaryStep", "SmallestStep", "Tolerance"]

BOUND = 16.0
"""The default of the largest norm tried."""

TOLERANCE = 1e-3
"""The default of the relative accuracy of a norm."""

Bound = Annotated[float, Field(gt=0, allow_inf_nan=False)]
"""A largest norm tried."""

Tolerance = Annotated[float, Field(ge=1e-5, lt=1)]
"""A relative accuracy of a norm."""


class SmallestStep:
    """The smallest norm of a step along ± the top eigenvector of the Fisher information that changes the label.

    A scan of norms and bisection find the norm for all examples together, with about 15 forward passes on each side and
    10 more. The norm is Euclidean, over all tokens together, in units of the embedding. For two classes, ``boundary``
    is its first-order estimate. If no step within the bound changes the label, the score is inf and the example is
    ranked as the easiest. NaN if the model's logits are not finite.

    Args:
        bound: The largest norm tried.
        tolerance: The label changes at the norm found, and not at (1 − tolerance) of it.
        tokens: ``text`` leaves special tokens such as [CLS] where they are, ``all`` moves them too.
    """

    contract = ScoreContract(hardest="lowest", gradients=1)
    direction: ClassVar[Direction] = "eigenvector"

    def __init__(
        self, bound: Bound = BOUND, tolerance: Tolerance = TOLERANCE, tokens: Literal["text", "all"] = "text"
    ) -> None:
        self.bound, self.tolerance = bound, tolerance
        self.tokens: Literal["text", "all"] = tokens

    def score(self, examples: Sequence[Example], context: Context) -> Sequence[float]:
        """Return for each example the smallest norm of a step that changes its label.

        Returns:
            The norm for each example, > 0; inf if no step within the bound changes the label.
        """
        _ = context.geometry  # Refuses a model without gradients.
        from robustfim_fisher.flipping import smallest_steps

        found = smallest_steps(
            context, examples, direction=self.direction, bound=self.bound,
            tolerance=self.tolerance, tokens=self.tokens,
        )  # fmt: skip
        return [abs(norm) for norm in found]


class BoundaryStep(SmallestStep):
    """The smallest norm of a step along the boundary normal, −∇margin / ‖∇margin‖, that changes the label.

    The score is computed like ``smallest_step``, but along the direction in which the margin over the runner-up falls
    fastest. With two classes this is one side of the eigenvector; with more classes it is another direction.
    """

    direction: ClassVar[Direction] = "boundary normal"
