"""The smallest step that changes the label: a perturbation in embedding space."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import isfinite
from random import Random
from typing import Any, Literal

from robustfim.candidate import Candidate, Step
from robustfim.errors import PluginError
from robustfim.example import Example
from robustfim.roles import Context
from robustfim_fisher.step_scorers import BOUND, TOLERANCE, refuse_bounds

__all__ = ["SmallestStep"]


class SmallestStep:
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

    def __init__(
        self,
        bound: float = BOUND,
        direction: Literal["eigenvector", "boundary normal"] = "eigenvector",
        tolerance: float = TOLERANCE,
        tokens: Literal["text", "all"] = "text",
    ) -> None:
        refuse_bounds(bound, tolerance)
        self.bound, self.tolerance = bound, tolerance
        self.direction: Literal["eigenvector", "boundary normal"] = direction
        self.tokens: Literal["text", "all"] = tokens
        self._context: Context | None = None
        self._norms: dict[str, float] = {}

    def prepare(self, context: Context) -> None:
        """Keep the run, for its model and geometry."""
        self._context, self._norms = context, {}

    def foresee(self, examples: Sequence[Example]) -> None:
        """Find the norms of a block of examples together."""
        context = self._ready()
        _ = context.geometry  # Refuses a model without gradients.
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

    def predict(self, candidates: Sequence[Candidate]) -> Any:
        """Predict candidates at their steps.

        Returns:
            Probabilities, a float64 array ``[candidates, classes]``; NaN where a logit or a gradient is not finite.
        """
        context = self._ready()
        for candidate in candidates:
            if candidate.step is None or candidate.step.direction != self.direction:
                raise PluginError(f"the perturbation 'smallest_step' was asked to predict the step {candidate.step}")
        _ = context.geometry  # Refuses a model without gradients before PyTorch is imported.
        from robustfim_fisher.steps import apart, predict_steps

        geometry = apart(context.geometry)
        geometry.at([candidate.source for candidate in candidates], tokens=self.tokens)
        return predict_steps(context.model, geometry, candidates, self.tokens)

    def _ready(self) -> Context:
        if self._context is None:
            raise PluginError("the perturbation 'smallest_step' was used before prepare(context)")
        return self._context
