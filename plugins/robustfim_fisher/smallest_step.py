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
from robustfim_fisher.step_scorers import BOUND, TOLERANCE, refuse_bounds

__all__ = ["SmallestStep"]


class SmallestStep(Steps):
    """One step an example: the smallest within the bound that changes its label.

    The text stays; its embedding moves along ± the top eigenvector of the Fisher information, or along the boundary
    normal. The norm is found by a scan and bisection, all tested examples together. Where no step within the bound
    changes the label, the step of the bound itself is tested, so that with ``expect: invariant`` the rate of the
    check is the share of examples whose label a step of at most ``bound`` changes.

    Norms are Euclidean, over all tokens of the example together, in the embedding's own units: compare them with
    the score ``boundary``.

    Args:
        bound: The largest norm looked at.
        direction: ``eigenvector``, both ways; or ``boundary normal``, where the margin falls fastest.
        tolerance: The label changes at the norm found, and not at (1 − tolerance) of it.
        tokens: ``text`` leaves special tokens such as [CLS] where they are, ``all`` moves them too.

    Raises:
        UsageError: The bound is no positive number, or the tolerance does not lie in [1e-5, 1).
    """

    name = "smallest_step"

    def __init__(
        self,
        bound: float = BOUND,
        direction: Literal["eigenvector", "boundary normal"] = "eigenvector",
        tolerance: float = TOLERANCE,
        tokens: Literal["text", "all"] = "text",
    ) -> None:
        refuse_bounds(bound, tolerance)
        self.bound, self.tolerance = bound, tolerance
        self.direction, self.tokens = direction, tokens
        self._norms: dict[str, float] = {}

    def prepare(self, context: Context) -> None:
        """Keep the run, and forget what another one found."""
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
        """Propose the smallest step that changes the label, or the step of the bound where none does."""
        if example.id not in self._norms:
            self.foresee([example])
        norm = self._norms[example.id]
        yield Candidate(example, step=Step(self.direction, norm if isfinite(norm) else self.bound))
