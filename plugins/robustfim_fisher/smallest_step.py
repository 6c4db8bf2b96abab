"""The smallest step that changes the label: a perturbation in embedding space."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import isfinite
from random import Random
from typing import Literal

from robustfim.candidate import Candidate, Step
from robustfim.example import Example
from robustfim.roles import Context
from robustfim_fisher.eigenvector import Steps
from robustfim_fisher.step_scorers import BOUND, TOLERANCE, Bound, Tolerance

__all__ = ["SmallestStep"]


class SmallestStep(Steps):
    """Moves the embedding of each example by the smallest step that changes its label.

    The text stays. Its embedding moves along ± the top eigenvector of the Fisher information, or along the boundary
    normal. A scan and bisection find the norm for all tested examples together. If no step up to the bound changes the
    label, a step of length ``bound`` is tested. With ``expect: invariant``, the failure rate of the check is therefore
    the fraction of examples whose label changes within ``bound``.

    Norms are Euclidean, over all tokens of the example together, in units of the embedding. Compare them with the score
    ``boundary``.

    Args:
        bound: The largest norm tried.
        direction: ``eigenvector``, in both directions, or ``boundary normal``, along which the margin falls fastest.
        tolerance: The label changes at the norm found, and not at (1 − tolerance) of it.
        tokens: ``text`` leaves special tokens such as [CLS] where they are, ``all`` moves them too.
    """

    name = "smallest_step"

    def __init__(
        self,
        bound: Bound = BOUND,
        direction: Literal["eigenvector", "boundary normal"] = "eigenvector",
        tolerance: Tolerance = TOLERANCE,
        tokens: Literal["text", "all"] = "text",
    ) -> None:
        self.bound, self.tolerance = bound, tolerance
        self.direction, self.tokens = direction, tokens
        self._norms: dict[str, float] = {}

    def prepare(self, context: Context) -> None:
        """Store the run, and clear the norms of an earlier run."""
        super().prepare(context)
        self._norms = {}

    def foresee(self, examples: Sequence[Example]) -> None:
        """Find the norms of a block of examples together."""
        context = self._ready()
        from robustfim_fisher.flipping import smallest_steps

        found = smallest_steps(
            context, examples, direction=self.direction, bound=self.bound,
            tolerance=self.tolerance, tokens=self.tokens,
        )  # fmt: skip
        self._norms.update({example.id: norm for example, norm in zip(examples, found, strict=True)})

    def propose(self, example: Example, random: Random) -> Iterable[Candidate]:
        """Yield the smallest step that changes the example's label, or a step of length ``bound`` if none does."""
        if example.id not in self._norms:
            self.foresee([example])
        norm = self._norms[example.id]
        yield Candidate(example, step=Step(self.direction, norm if isfinite(norm) else self.bound))
